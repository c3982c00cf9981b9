#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs an operation with a layer of doubles on top of the root.
///
/// What `configure` registers wins over every container that the root reaches, asked statically,
/// directly or through a captured container; all else falls through. *Replaces* all caches with
/// empty ones, so that an instance that was kept before never hides a double, and nothing that was
/// built with one survives. *Keeps* the registrations outside. Among nested layers the innermost
/// wins.
///
/// - Parameters:
///   - configure: Gets the layer, an empty container, and registers doubles in it.
///   - fileID: The caller's file, for reports.
///   - filePath: The caller's file, for reports.
///   - line: The caller's line, for reports.
///   - column: The caller's column, for reports.
///   - operation: What runs inside.
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
/// An operation that is written in an actor's code runs there.
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
  let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return ScopeOpener(
    .layer, installed: .layer(at: location), name: "withLayer", location: location)
}
#endif
