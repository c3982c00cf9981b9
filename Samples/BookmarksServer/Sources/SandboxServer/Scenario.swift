public import DIContainer
import DITesting

/// A named set of doubles for a whole process: a server or an app that a test starts.
///
/// The test and the process both know the type; the test passes its name in the environment.
///
/// ```text
/// enum OfflineWeb: Scenario {
///   static func registerDoubles(in root: Resolver) { … }
/// }
/// process.environment = OfflineWeb.environment                      // in the test
/// try ScenarioStage.open(from: ProcessInfo.processInfo.environment, among: [OfflineWeb.self])
/// ```
public protocol Scenario {
  /// Registers the doubles.
  static func registerDoubles(in root: Resolver)
}

extension Scenario {
  /// The variable for the environment of a process that is to come up with this scenario.
  public static var environment: [String: String] { [ScenarioStage.variable: "\(Self.self)"] }
}

/// Where a process takes its scenario from.
public enum ScenarioStage {
  /// The name of the environment variable.
  public static let variable = "SANDBOX_SCENARIO"

  /// Opens a sandbox with the doubles of the scenario that the environment names, for the whole
  /// process; without one, does nothing.
  ///
  /// Call it in `main`, before anything is resolved. The sandbox stays open.
  ///
  /// - Throws: `UnknownScenario` if no known scenario has that name.
  public static func open(
    from environment: [String: String], among scenarios: [any Scenario.Type]
  ) throws(UnknownScenario) {
    guard let name = environment[variable] else { return }
    guard let scenario = scenarios.first(where: { "\($0)" == name }) else {
      throw UnknownScenario(name: name, known: scenarios.map { "\($0)" })
    }
    _ = Sandbox.open { scenario.registerDoubles(in: $0) }
  }
}

/// A scenario that the process does not know.
public struct UnknownScenario: Error, CustomStringConvertible {
  let name: String
  let known: [String]

  /// The name, those that are known, and how to mend it.
  public var description: String {
    """
    This process has no scenario "\(name)".

      known:  \(known.isEmpty ? "none" : known.joined(separator: ", "))

    To fix this:
      - Add the type to those that `ScenarioStage.open` gets in the process's `main`.
    """
  }
}
