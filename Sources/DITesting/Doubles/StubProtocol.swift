#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The double of one requirement, or of some of its calls.
///
/// ``Stub``, ``AsyncStub`` and ``StubSetup`` conform to it; it has their common members.
public protocol StubProtocol<Arguments, Result> {
  /// The arguments of a call: `Void`, one type, or a tuple.
  associatedtype Arguments
  /// The result of a call.
  associatedtype Result
  /// The error that a call may throw; `Never` where it throws none.
  associatedtype Failure: Error
  /// The closure that produces the result of a call.
  associatedtype Body

  /// The calls that statements and expectations are about: all, or those that meet a condition.
  var setup: StubSetup<Arguments, Result, Failure, Body> { get }
}

/// A stub limited to some of its calls; see `StubProtocol.when(_:)`.
public struct StubSetup<Arguments, Result, Failure: Error, Body>: StubProtocol {
  let log: StubLog<Arguments, Result, Failure, Body>
  /// The condition on the arguments and the call's number from 1; nil for all calls.
  var condition: (@Sendable (Arguments, Int) -> Bool)?

  /// The limited stub itself.
  public var setup: Self { self }

  /// The calls that meet the condition, with their places among all calls.
  var entries: [(place: Int, call: StubLog<Arguments, Result, Failure, Body>.LoggedCall)] {
    log.entries.enumerated()
      .filter { condition?($0.element.arguments, $0.offset + 1) ?? true }
      .map { ($0.offset, $0.element) }
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
        isShared: SetUpCode.contains(function, location)))
  }
}

// As its log is; the condition is `@Sendable`.
extension StubSetup: Sendable where Arguments: Sendable, Result: Sendable {}

/// The functions that run before each of several tests, some of which may not use their statements.
private enum SetUpCode {
  static func contains(_ function: StaticString, _ location: CodeLocation) -> Bool {
    let name = function.description
    return TestBody.isElsewhere(location) || name.hasPrefix("init(")
      || ["setUp()", "setUpWithError()", "registerDoubles(in:)"].contains(name)
  }
}

extension StubProtocol {
  var log: StubLog<Arguments, Result, Failure, Body> { setup.log }
}

// MARK: - Calls

extension StubProtocol {
  /// The name of the requirement in reports, such as `PaymentGateway.charge(_:for:)`.
  public var name: String { log.identity.name }

  /// The arguments of the calls so far, in the order in which the calls began.
  public var calls: [Arguments] { setup.entries.map(\.call.arguments) }

  /// The outcomes of the calls so far, in the order in which the calls began.
  public var outcomes: [StubOutcome<Result, Failure>] { setup.entries.map(\.call.outcome) }
}

// MARK: - Some of the calls

extension StubProtocol {
  /// Limits the following statement to calls with certain arguments.
  ///
  /// In `charge.when { $0.cents > 500 }.throws(Declined())` the error applies to these calls only.
  /// Of the statements that match a call, the latest applies; one without a condition is the last
  /// resort.
  ///
  /// - Parameter matches: Returns whether a call matches. It runs where the requirement is called,
  ///   under no lock, and possibly for calls that use another statement.
  /// - Returns: The limited stub, to specify the result of such calls.
  public func when(
    _ matches: @escaping @Sendable (Arguments) -> Bool
  ) -> StubSetup<Arguments, Result, Failure, Body> {
    limited { arguments, _ in matches(arguments) }
  }

  /// Limits the following statement to one call, counted from 1.
  ///
  /// An example is `charge.when(call: 3).throws(Declined())`.
  public func when(call number: Int) -> StubSetup<Arguments, Result, Failure, Body> {
    limited { _, place in place == number }
  }

  /// Selects calls with certain arguments, for an expectation; an alias for `when(_:)`.
  ///
  /// An example is `expectCalls(inOrder: analytics.track { $0 == "paid" }, mailer.send)`.
  public func callAsFunction(
    _ matches: @escaping @Sendable (Arguments) -> Bool
  ) -> StubSetup<Arguments, Result, Failure, Body> {
    when(matches)
  }

  private func limited(
    _ matches: @escaping @Sendable (Arguments, Int) -> Bool
  ) -> StubSetup<Arguments, Result, Failure, Body> {
    var limited = setup
    limited.condition = { [condition = setup.condition] in
      (condition?($0, $1) ?? true) && matches($0, $1)
    }
    return limited
  }
}

// MARK: - The results of calls

extension StubProtocol {
  /// Returns a result from every call, or several in turn.
  ///
  /// The latest statement takes precedence. After the last of several results, nothing is stubbed
  /// for a call.
  public func returns(
    _ first: Result, _ next: Result..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    setup.add(
      ([first] + next).map { .returns($0) },
      at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Lets every call return, where there is no result.
  ///
  /// It ends what `throws` stated before.
  public func returns(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) where Result == Void {
    setup.add([.returns(())], at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Throws an error from every call.
  public func `throws`(
    _ error: Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    setup.add([.throws(error)], at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Allows calls without a stubbed result, and stubbed results without a call.
  ///
  /// A call without a stubbed result is no issue then: it returns nil or an empty value, or else
  /// throws, or else returns zero or false, or else traps.
  public func lenient() { log.identity.becomeLenient() }

  /// Forgets all calls so far, and all that was stubbed: the stub is as new.
  ///
  /// Calls are counted from 1 again.
  public func reset(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    log.reset(at: CodeLocation(fileID, filePath, line, column))
  }

  /// Returns a part of a call's result as the generic type that the requirement returns.
  ///
  /// Generated doubles use it. A part of another type is an issue, after which the call goes on as
  /// one without a stubbed result.
  public func cast<Value>(_ part: Any, as type: Value.Type) throws(Failure) -> Value {
    if let value = part as? Value { return value }
    return try log.mistyped(part, log.ownCall).get()
  }
}
#endif
