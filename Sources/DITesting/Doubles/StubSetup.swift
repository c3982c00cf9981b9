#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A stub limited to some of its calls, to specify their results; see `StubProtocol.when(_:)`.
public struct StubSetup<Arguments, Result, Failure: Error, Body> {
  let log: StubLog<Arguments, Result, Failure, Body>
  /// The condition on the arguments and the call's number from 1; nil for all calls.
  let condition: (@Sendable (Arguments, Int) -> Bool)?

  /// Returns a result from these calls, or several in turn.
  public func returns(
    _ first: Result, _ next: Result..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    add(
      ([first] + next).map { .returns($0) },
      at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Throws an error from these calls.
  public func `throws`(
    _ error: Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    add(.throws(error), at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Limits the following statement further.
  public func when(
    _ matches: @escaping @Sendable (Arguments) -> Bool
  ) -> StubSetup {
    StubSetup(log: log) { [condition] arguments, place in
      (condition?(arguments, place) ?? true) && matches(arguments)
    }
  }

  func add(
    _ result: StubLog<Arguments, Result, Failure, Body>.StubbedResult, at location: CodeLocation,
    _ function: StaticString
  ) {
    add([result], at: location, function)
  }

  /// Adds a statement: one result for all calls, or several in turn.
  ///
  /// `function`: the caller of the statement. Statements of set-up code may go unused in single
  /// tests.
  func add(
    _ results: [StubLog<Arguments, Result, Failure, Body>.StubbedResult], at location: CodeLocation,
    _ function: StaticString
  ) {
    log.add(
      StubLog.Rule(
        condition: condition, results: results, location: location,
        isShared: SharedSetUp.contains(function)))
  }
}

/// The functions that run before each of several tests, some of which may not use their statements.
private enum SharedSetUp {
  static func contains(_ function: StaticString) -> Bool {
    let name = function.description
    return RegisteringContext.current.mayBeUnused || name.hasPrefix("init(")
      || ["setUp()", "setUpWithError()", "registerDoubles(in:)"].contains(name)
  }
}
#endif
