#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The double of one requirement: a ``Stub`` or an ``AsyncStub``.
///
/// These two conform to it; it has their common members.
public protocol StubProtocol<Arguments, Result>: AnyObject {
  /// The arguments of a call: `Void`, one type, or a tuple.
  associatedtype Arguments
  /// The result of a call.
  associatedtype Result
  /// The error that a call may throw; `Never` where it throws none.
  associatedtype Failure: Error
  /// The closure that produces the result of a call.
  associatedtype Body

  /// The calls so far, and the results stubbed for calls.
  var log: StubLog<Arguments, Result, Failure, Body> { get }
}

// MARK: - Calls

extension StubProtocol {
  /// The name of the requirement in reports, such as `PaymentGateway.charge(_:for:)`.
  public var name: String { log.identity.name }

  /// The arguments of the calls so far, in the order in which the calls began.
  public var calls: [Arguments] { log.entries.map(\.arguments) }

  /// The outcomes of the calls so far, in the order in which the calls began.
  public var outcomes: [StubOutcome<Result, Failure>] { log.entries.map(\.outcome) }
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
    unconditional.add(
      ([first] + next).map { .returns($0) },
      at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Throws an error from every call.
  public func `throws`(
    _ error: Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    unconditional.add(.throws(error), at: CodeLocation(fileID, filePath, line, column), function)
  }

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
    StubSetup(log: log) { arguments, _ in matches(arguments) }
  }

  /// Limits the following statement to one call, counted from 1.
  ///
  /// An example is `charge.when(call: 3).throws(Declined())`.
  public func when(call number: Int) -> StubSetup<Arguments, Result, Failure, Body> {
    StubSetup(log: log) { _, place in place == number }
  }

  /// Allows calls without a stubbed result, and stubbed results without a call.
  ///
  /// A call without a stubbed result is no issue then: it returns nil or an empty value, or else
  /// throws, or else traps.
  public func lenient() { log.identity.becomeLenient() }

  var unconditional: StubSetup<Arguments, Result, Failure, Body> {
    StubSetup(log: log, condition: nil)
  }
}
#endif
