#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs an operation with a layer of doubles on top of the root.
///
/// ```swift
/// try withLayer {
///   $0.register { FakeGateway() as any PaymentGateway }
/// } operation: {
///   try Checkout().buy("TEA-GREEN")
/// }
/// ```
///
/// The registrations of `configure` take precedence over every container that the root reaches, for
/// static requests, direct ones and those to a captured container; all other requests fall through.
/// *Replaces* all caches with empty ones, so that an instance that was kept before never hides a
/// double, and no instance that was built with one remains. *Keeps* the registrations outside.
/// Among nested layers the innermost takes precedence.
///
/// - Parameters:
///   - configure: Receives the layer, an empty container, and registers doubles in it.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
@discardableResult
public func withLayer<Result>(
  _ configure: (Resolver) throws -> Void, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  let opener = opener(fileID, filePath, line, column)
  return try opener.run {
    try registeringDoubles { try configure(opener.frame.installed!) }
    return try operation()
  }
}

/// Runs an async operation with a layer of doubles on top of the root.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withLayer<Result>(
  _ configure: (Resolver) async throws -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, operation: () async throws -> Result
) async rethrows -> Result {
  let opener = opener(fileID, filePath, line, column)
  return try await opener.run {
    try await registeringDoubles { try await configure(opener.frame.installed!) }
    return try await operation()
  }
}

private func opener(
  _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt
) -> ScopeOpener {
  let location = CodeLocation(fileID, filePath, line, column)
  return ScopeOpener(
    .layer, installed: .layer(at: location), name: "withLayer", location: location)
}

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
