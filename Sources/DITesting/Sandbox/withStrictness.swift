#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs an operation and reports the live services that it resolves; see the `.strict` trait.
///
/// - Parameters:
///   - strictness: The treatment of live services.
///   - exceptions: The services that may be live.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
@discardableResult
public func withStrictness<Result>(
  _ strictness: Strictness, except exceptions: [LiveException] = [], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  let location = CodeLocation(fileID, filePath, line, column)
  return try ScopeOpener(
    .plain, caches: .none, policy: .strict(strictness, exceptions, by: .function),
    name: "withStrictness",
    location: location
  ).run(operation)
}

/// Runs an async operation and reports the live services that it resolves.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withStrictness<Result>(
  _ strictness: Strictness, except exceptions: [LiveException] = [], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  let location = CodeLocation(fileID, filePath, line, column)
  return try await ScopeOpener(
    .plain, caches: .none, policy: .strict(strictness, exceptions, by: .function),
    name: "withStrictness",
    location: location
  ).run(operation)
}

extension FramePolicy {
  static func strict(
    _ strictness: Strictness, _ exceptions: [LiveException], by strictBy: StrictBy = .trait
  ) -> FramePolicy {
    var policy = FramePolicy()
    policy.strictBy = strictBy
    policy.strictness = strictness
    policy.mayBeLive = exceptions.map(\.covers)
    return policy
  }
}
#endif
