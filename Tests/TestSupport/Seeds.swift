import Foundation

/// The seeds that an environment variable names, as in `RULES_SEEDS=1-300`, or else the default.
package func randomSeeds(
  from variable: String, or otherwise: ClosedRange<UInt64>
) -> ClosedRange<UInt64> {
  let bounds = ProcessInfo.processInfo.environment[variable]?.split(separator: "-")
  guard let bounds = bounds?.compactMap({ UInt64($0) }), bounds.count == 2 else {
    return otherwise
  }
  return bounds[0]...bounds[1]
}
