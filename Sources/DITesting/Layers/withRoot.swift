#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs an operation with another container as the root.
///
/// ```swift
/// try withRoot(Resolver { $0.register { FakeGateway() as any PaymentGateway } }) {
///   _ = try Checkout().buy("TEA-GREEN")
/// }
/// ```
///
/// Static requests, property wrappers and `Resolving` start at `root` inside. *Replaces* the root,
/// and all caches with empty ones. *Keeps* everything else: a direct request to another container
/// is not affected. An assignment to `Resolver.root` inside changes it for this scope only. Use
/// `withLayer` to put single doubles on top of the present root.
///
/// - Parameters:
///   - root: The container to start at.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
@discardableResult
public func withRoot<Result>(
  _ root: Resolver, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, operation: () throws -> Result
) rethrows -> Result {
  try opener(root, fileID, filePath, line, column).run(operation)
}

/// Runs an async operation with another container as the root.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withRoot<Result>(
  _ root: Resolver, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(root, fileID, filePath, line, column).run(operation)
}

private func opener(
  _ root: Resolver, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
) -> ScopeOpener {
  ScopeOpener(
    .root, installed: root, name: "withRoot",
    location: CodeLocation(fileID, filePath, line, column))
}
#endif
