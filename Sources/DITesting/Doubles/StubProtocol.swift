#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The double of one requirement: a ``Stub`` or an ``AsyncStub``.
///
/// These two conform to it; its members are what they have in common.
public protocol StubProtocol<Arguments, Result>: AnyObject {
  /// The arguments of a call: `Void`, one type, or a tuple.
  associatedtype Arguments
  /// The result of a call.
  associatedtype Result
  /// The error that a call may throw; `Never` where it throws none.
  associatedtype Failure: Error
  /// Produces the result of a call.
  associatedtype Body

  /// The calls so far, and what was said about them.
  var log: StubLog<Arguments, Result, Failure, Body> { get }
}

// MARK: - Calls

extension StubProtocol {
  /// The requirement as reports name it, such as `PaymentGateway.charge(_:for:)`.
  public var name: String { log.identity.name }

  /// The arguments of the calls so far, in the order in which these began.
  public var calls: [Arguments] { log.entries.map(\.arguments) }

  /// How the calls so far ended, in the order in which they began.
  public var outcomes: [StubOutcome<Result, Failure>] { log.entries.map(\.outcome) }

  /// Waits until the requirement has been called so often, and reports when that takes too long.
  ///
  /// The call itself ends the wait; nothing is polled. Calls count when they begin, those before
  /// the wait too. An expectation covers as many calls as were waited for.
  ///
  /// - Parameters:
  ///   - times: The number of calls to wait for, from the stub's first on.
  ///   - timeout: How long to wait.
  ///   - clock: Measures the time-out.
  ///   - fileID: The caller's file, for the report.
  ///   - filePath: The caller's file, for the report.
  ///   - line: The caller's line, for the report.
  ///   - column: The caller's column, for the report.
  /// - Returns: Whether it was called so often; false, too, when the task is cancelled, which is
  ///   not reported.
  @discardableResult
  public nonisolated(nonsending) func called(
    times: Int = 1, within timeout: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Bool {
    let ending = await log.wait(for: times, within: timeout, clock)
    if ending == .timeOut {
      let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      CallReport(about: [log], at: location).fail(
        "Expected `\(name)` to be called \(counted(times)) within \(timeout), "
          + "but it was called \(counted(log.count)).")
    }
    return ending == .called
  }
}

// MARK: - What calls get

extension StubProtocol {
  /// Returns a result from every call, or several in turn.
  ///
  /// The latest word wins over all that was said before. The call after the last of several
  /// results is one that nothing is stubbed for.
  public func returns(
    _ first: Result, _ next: Result..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
  ) {
    unconditional.add(
      ([first] + next).map { .returns($0) },
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), function)
  }

  /// Throws an error from every call.
  public func `throws`(
    _ error: Failure, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    unconditional.add(
      .throws(error),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), function)
  }

  /// Narrows what follows to calls with certain arguments.
  ///
  /// `charge.when { $0.cents > 500 }.throws(Declined())`. Of those that match a call, the latest
  /// decides; what is said without a condition is the last resort.
  ///
  /// - Parameter matches: Whether a call is meant. It runs where the requirement is called, under
  ///   no lock, and perhaps for calls that end up with another answer.
  /// - Returns: The narrowed stub, to say what such calls get.
  public func when(
    _ matches: @escaping @Sendable (Arguments) -> Bool
  ) -> StubSetup<Arguments, Result, Failure, Body> {
    StubSetup(log: log) { arguments, _ in matches(arguments) }
  }

  /// Narrows what follows to one call, counted from 1: `charge.when(call: 3).throws(Declined())`.
  public func when(call number: Int) -> StubSetup<Arguments, Result, Failure, Body> {
    StubSetup(log: log) { _, place in place == number }
  }

  /// Lets calls go without a stub, and stubs go without a call.
  ///
  /// A call that nothing is stubbed for is no issue then: it returns nil or what is empty, or else
  /// throws, or else traps.
  public func lenient() { log.identity.becomeLenient() }

  var unconditional: StubSetup<Arguments, Result, Failure, Body> {
    StubSetup(log: log, condition: nil)
  }
}

/// How a call ended.
public enum StubOutcome<Result, Failure: Error> {
  /// It has not ended.
  case underWay
  /// It returned a result.
  case returned(Result)
  /// It threw an error.
  case threw(Failure)
}

extension StubOutcome: Sendable where Result: Sendable {}
extension StubOutcome: Equatable where Result: Equatable, Failure: Equatable {}
#endif
