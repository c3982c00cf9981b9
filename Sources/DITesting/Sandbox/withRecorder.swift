#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Runs an operation with an active recorder.
///
/// The recorder covers the operation's task and its child tasks; enclosing recorders record them
/// too.
///
/// - Parameters:
///   - recorder: The recorder.
///   - operation: The operation to record.
/// - Returns: The result of the operation.
/// - Throws: The error that the operation throws.
@discardableResult
public func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  try opener(recorder, CodeLocation(fileID, filePath, line, column)).run(operation)
}

/// Runs an async operation with an active recorder.
///
/// The recorder covers the operation's task and its child tasks; enclosing recorders record them
/// too. An operation written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withRecorder<Result>(
  _ recorder: ResolutionRecorder, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(recorder, CodeLocation(fileID, filePath, line, column)).run(operation)
}

private func opener(_ recorder: ResolutionRecorder, _ location: CodeLocation) -> ScopeOpener {
  ScopeOpener(
    .plain, caches: .none, recorder: recorder, name: "withRecorder", location: location)
}
#endif
