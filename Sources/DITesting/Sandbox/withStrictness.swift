#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs an operation so that live services are reported; see the `.strict` trait.
///
/// - Parameters:
///   - strictness: What happens when a live service is resolved.
///   - exceptions: Services that may be live.
///   - fileID: The caller's file, for reports.
///   - filePath: The caller's file, for reports.
///   - line: The caller's line, for reports.
///   - column: The caller's column, for reports.
///   - operation: What runs inside.
/// - Returns: What the operation returns.
@discardableResult
public func withStrictness<Result>(
  _ strictness: Strictness, except exceptions: [LiveException] = [], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try ScopeOpener(
    .policy, caches: .none, policy: .strict(strictness, exceptions, by: .function),
    name: "withStrictness",
    location: location
  ).run(operation)
}

/// Runs an async operation so that live services are reported.
///
/// An operation that is written in an actor's code runs there.
@discardableResult
public nonisolated(nonsending) func withStrictness<Result>(
  _ strictness: Strictness, except exceptions: [LiveException] = [], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await ScopeOpener(
    .policy, caches: .none, policy: .strict(strictness, exceptions, by: .function),
    name: "withStrictness",
    location: location
  ).run(operation)
}

extension ScopePolicy {
  static func strict(
    _ strictness: Strictness, _ exceptions: [LiveException], by strictBy: StrictBy = .trait
  ) -> ScopePolicy {
    var policy = ScopePolicy()
    policy.strictBy = strictBy
    policy.strictness = strictness.treatment
    policy.mayBeLive = exceptions.map(\.covers)
    return policy
  }
}
#endif
