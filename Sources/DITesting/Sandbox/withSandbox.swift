#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A sandbox is a private, copy-on-write view of the state of all containers: registrations, caches,
// the root, nested containers and settings, for the whole process. Opening one copies nothing.

/// Runs an operation in a sandbox of its own.
///
/// ```swift
/// try withSandbox {
///   Resolver.main.register { FakeGateway() as any PaymentGateway }
///   _ = try Checkout().buy("TEA-GREEN")
/// }
/// ```
///
/// All changes that the operation makes to any container (`register`, `reset`, `Resolver.root = …`,
/// `Container.shared = …`, scope resets, added containers) are visible in this sandbox only, and
/// are discarded when it ends. Caches start empty: no instance that was built outside is returned.
///
/// *Replaces* all caches. *Keeps* the registrations outside, including those that production code
/// makes meanwhile. Nested sandboxes inherit registrations, not caches. The operation's child
/// tasks are inside; for detached tasks, queues and callbacks carry `ResolutionContext.current`.
///
/// - Parameters:
///   - unusedDoubles: The treatment of doubles that are never resolved; a warning by default, and a
///     failure in a strict test.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
@discardableResult
public func withSandbox<Result>(
  unusedDoubles: Strictness? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  try sandbox(unusedDoubles, fileID, filePath, line, column).run(operation)
}

/// Runs an async operation in a sandbox of its own.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withSandbox<Result>(
  unusedDoubles: Strictness? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await sandbox(unusedDoubles, fileID, filePath, line, column).run(operation)
}

/// Runs an operation in a sandbox with doubles.
///
/// - Parameters:
///   - unusedDoubles: The treatment of doubles that are never resolved; a warning by default, and a
///     failure in a strict test.
///   - configure: Receives the sandbox's view of the root, and registers doubles there. Later
///     registrations of the operation take precedence.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
@discardableResult
public func withSandbox<Result>(
  unusedDoubles: Strictness? = nil, _ configure: (Resolver) throws -> Void,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  try sandbox(unusedDoubles, fileID, filePath, line, column).run {
    try registeringDoubles { try configure(Resolver.root) }
    return try operation()
  }
}

/// Runs an async operation in a sandbox with doubles.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withSandbox<Result>(
  unusedDoubles: Strictness? = nil, _ configure: (Resolver) async throws -> Void,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await sandbox(unusedDoubles, fileID, filePath, line, column).run {
    try await registeringDoubles { try await configure(Resolver.root) }
    return try await operation()
  }
}

private func sandbox(
  _ unusedDoubles: Strictness?, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt,
  _ column: UInt
) -> ScopeOpener {
  var policy: FramePolicy?
  if let unusedDoubles {
    policy = FramePolicy()
    policy?.unusedDoubles = unusedDoubles
  }
  return ScopeOpener(
    .sandbox, policy: policy, name: "withSandbox",
    location: CodeLocation(fileID, filePath, line, column))
}
#endif
