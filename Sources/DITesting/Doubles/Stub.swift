#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double is a class or an actor with a stub for each requirement of its protocol. A stub
// (`Stub`, or `AsyncStub` for an async requirement) hands each call to its log (StubLog.swift),
// which notes it, wakes who waits for it and finds what was said about it (StubSetup.swift says
// it). Whose the stub's issues are is known by its ledger (DoubleLedger.swift), of which a sandbox
// has one. Expectations look back at the logs (CallExpectations.swift). Doubles register
// themselves for their protocol (TestDouble.swift), or stand in for all that has none registered
// (SolitaryTrait.swift).

/// The double of one synchronous requirement: it notes calls and returns what it was told.
///
/// ```swift
/// final class GatewayDouble: PaymentGateway {
///   let charge = Stub<Int, String, any Error>("PaymentGateway.charge(_:)")
///   func charge(_ cents: Int) throws -> String { try charge.call(cents) }
/// }
/// ```
///
/// `Arguments` is `Void`, one type, or a tuple with labels; `Failure` is `Never` for a requirement
/// that does not throw. Arguments and results are kept as long as the stub is; see ``Described``
/// for those that are not to be.
///
/// A requirement without a result needs no stub. Any other call that nothing is stubbed for is an
/// issue of the test that the double belongs to; then it throws ``UnstubbedCall`` where it can,
/// returns nil or what is empty where that is the result, and otherwise traps.
public final class Stub<Arguments, Result, Failure: Error>: StubProtocol {
  /// Produces the result of a call.
  public typealias Body = @Sendable (Arguments) throws(Failure) -> Result

  /// The calls so far, and what was said about them.
  public let log: StubLog<Arguments, Result, Failure, Body>

  /// Creates the double of a requirement.
  ///
  /// - Parameters:
  ///   - requirement: The requirement as reports name it: `PaymentGateway.charge(_:for:)`.
  ///   - fileID: The caller's file, for reports.
  ///   - filePath: The caller's file, for reports.
  ///   - line: The caller's line, for reports.
  ///   - column: The caller's column, for reports.
  public init(
    _ requirement: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    log = StubLog(
      requirement, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Notes a call of the requirement and answers it.
  ///
  /// - Parameter arguments: The arguments, several of them as a tuple.
  /// - Returns: The result that the stub was told.
  /// - Throws: The error that the stub was told, or ``UnstubbedCall``.
  @discardableResult
  public func call(_ arguments: Arguments) throws(Failure) -> Result {
    try answer(arguments, nil)
  }

  /// Notes a call and answers it, with a result for want of a stub.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, several of them as a tuple.
  ///   - result: Returned where nothing is stubbed, which then is no issue.
  /// - Returns: The result.
  /// - Throws: The error that the stub was told.
  @discardableResult
  public func call(
    _ arguments: Arguments, default result: Result
  ) throws(Failure) -> Result {
    try answer(arguments, .some(result))
  }

  /// Notes a call of the requirement and answers it; the same as `call(_:)`.
  @discardableResult
  public func callAsFunction(_ arguments: Arguments) throws(Failure) -> Result {
    try answer(arguments, nil)
  }

  private func answer(
    _ arguments: Arguments, _ otherwise: Result?
  ) throws(Failure) -> Result {
    let call = log.begin(arguments)
    do throws(Failure) {
      let result =
        switch log.answer(to: call, arguments) {
        case .returns(let result): result
        case .throws(let error): throw error
        case .runs(let body): try body(arguments)
        case nil:
          if let otherwise { otherwise } else { try log.unstubbed(arguments).get() }
        }
      log.end(call, .returned(result))
      return result
    } catch {
      log.end(call, .threw(error))
      throw error
    }
  }
}

// Its only property is Sendable then; see StubLog.
extension Stub: Sendable where Arguments: Sendable, Result: Sendable {}

extension Stub where Arguments == Void {
  /// Notes a call of the requirement and answers it.
  @discardableResult
  public func call() throws(Failure) -> Result { try call(()) }

  /// Notes a call and answers it, with a result for want of a stub.
  @discardableResult
  public func call(default result: Result) throws(Failure) -> Result {
    try call((), default: result)
  }

  /// Notes a call of the requirement and answers it; the same as `call()`.
  @discardableResult
  public func callAsFunction() throws(Failure) -> Result { try call(()) }
}

// MARK: - What runs

extension Stub {
  /// Has a closure produce the results: `charge.runs { cents, customer in "\(customer)" }`.
  ///
  /// It runs where the requirement is called, under no lock.
  public func runs(
    _ body: @escaping Body, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    unconditional.add(
      .runs(body),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), function)
  }

  /// Hands every call on to a function: `charge.forwards(to: live.charge)`.
  ///
  /// A spy around a live service forwards to it, also in `decorate`. The parameters of the function
  /// are the stub's arguments; where their types differ, a call is an issue. Whether the
  /// function may be called where the double is, is the caller's business, as it is with
  /// `register`.
  public func forwards<each Argument>(
    to function: @escaping (repeat each Argument) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    unconditional.forward(
      function, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      caller)
  }
}

extension Stub {
  fileprivate static func forwarding<each Argument>(
    _ function: @escaping (repeat each Argument) throws(Failure) -> Result,
    _ identity: StubIdentity, _ location: CodeLocation
  ) -> Body {
    let forward: (Arguments) throws(Failure) -> Result = {
      (arguments) throws(Failure) in
      // Only labels differ, unless the function has other parameters.
      guard arguments is (repeat each Argument) else {
        let answer: Swift.Result<Result, Failure> = identity.unforwardable(
          to: (repeat each Argument).self, arguments, location)
        return try answer.get()
      }
      let parameters = arguments as! (repeat each Argument)
      return try function(repeat each parameters)
    }
    // The user vouches for the function: it runs where the double is called.
    let body = Unchecked(forward)
    return { (arguments) throws(Failure) in try body.value(arguments) }
  }
}

extension StubSetup {
  /// Has a closure produce the results of a synchronous requirement.
  public func runs(
    _ body: @escaping @Sendable (Arguments) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) where Body == Stub<Arguments, Result, Failure>.Body {
    add(
      .runs(body),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), function)
  }

  /// Hands calls of a synchronous requirement on to a function.
  ///
  /// See `Stub.forwards(to:)`.
  public func forwards<each Argument>(
    to function: @escaping (repeat each Argument) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) where Body == Stub<Arguments, Result, Failure>.Body {
    forward(
      function, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      caller)
  }

  fileprivate func forward<each Argument>(
    _ function: @escaping (repeat each Argument) throws(Failure) -> Result,
    at location: CodeLocation, _ caller: StaticString
  ) where Body == Stub<Arguments, Result, Failure>.Body {
    let body = Stub<Arguments, Result, Failure>.forwarding(function, log.identity, location)
    add(.runs(body), at: location, caller)
  }
}
#endif
