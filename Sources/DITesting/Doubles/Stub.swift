#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double is a class or an actor with a stub for each requirement of its protocol. A stub
// (`Stub`, or `AsyncStub` for an async requirement) passes each call to its log (StubLog.swift),
// which records it, resumes waiters and finds the stubbed result (specified through
// StubSetup.swift). The stub's issues go to the owner of its ledger (DoubleLedger.swift), of which
// a sandbox has one. Expectations examine the logs (CallExpectations.swift). Doubles register
// themselves for their protocol (TestDouble.swift), or replace all services without a registered
// double (SolitaryTrait.swift).

/// A double of one synchronous requirement, which records calls and returns stubbed results.
///
/// ```swift
/// final class GatewayDouble: PaymentGateway {
///   let charge = Stub<Int, String, any Error>("PaymentGateway.charge(_:)")
///   func charge(_ cents: Int) throws -> String { try charge.call(cents) }
/// }
/// ```
///
/// `Arguments` is `Void`, one type, or a tuple with labels; `Failure` is `Never` for a requirement
/// that does not throw. Arguments and results are kept as long as the stub exists; use
/// ``Described`` for arguments that should not be.
///
/// A requirement without a result needs no stubbed result. Any other call without one is an issue
/// of the test that the double belongs to. The call then throws ``UnstubbedCall`` if it can,
/// otherwise returns nil or an empty value, otherwise traps.
public final class Stub<Arguments, Result, Failure: Error>: StubProtocol {
  /// A closure that produces the result of a call.
  public typealias Body = @Sendable (Arguments) throws(Failure) -> Result

  /// The calls so far, and the results stubbed for calls.
  public let log: StubLog<Arguments, Result, Failure, Body>

  /// Creates the double of a requirement.
  ///
  /// - Parameters:
  ///   - requirement: The name of the requirement in reports: `PaymentGateway.charge(_:for:)`.
  ///   - fileID: The caller's file, for reports.
  ///   - filePath: The caller's file, for reports.
  ///   - line: The caller's line, for reports.
  ///   - column: The caller's column, for reports.
  public init(
    _ requirement: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    log = StubLog(requirement, at: CodeLocation(fileID, filePath, line, column))
  }

  init(log: StubLog<Arguments, Result, Failure, Body>) { self.log = log }

  /// Records a call of the requirement and returns its stubbed result.
  ///
  /// - Parameter arguments: The arguments, several of them as a tuple.
  /// - Returns: The stubbed result.
  /// - Throws: The stubbed error, or ``UnstubbedCall``.
  @discardableResult
  public func call(_ arguments: Arguments) throws(Failure) -> Result {
    try perform(arguments, default: nil)
  }

  /// Records a call and returns its stubbed result, or a default if nothing is stubbed.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, several of them as a tuple.
  ///   - result: The result if nothing is stubbed, which then is no issue.
  /// - Returns: The result.
  /// - Throws: The stubbed error.
  @discardableResult
  public func call(
    _ arguments: Arguments, default result: Result
  ) throws(Failure) -> Result {
    try perform(arguments, default: .some(result))
  }

  /// Records a call and returns its stubbed result; an alias for `call(_:)`.
  @discardableResult
  public func callAsFunction(_ arguments: Arguments) throws(Failure) -> Result {
    try perform(arguments, default: nil)
  }

  private func perform(
    _ arguments: Arguments, default otherwise: Result?
  ) throws(Failure) -> Result {
    let call = log.begin(arguments)
    do throws(Failure) {
      let result =
        switch log.result(of: call, arguments) {
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
  /// Records a call of the requirement and returns its stubbed result.
  @discardableResult
  public func call() throws(Failure) -> Result { try call(()) }

  /// Records a call and returns its stubbed result, or a default if nothing is stubbed.
  @discardableResult
  public func call(default result: Result) throws(Failure) -> Result {
    try call((), default: result)
  }

  /// Records a call and returns its stubbed result; an alias for `call()`.
  @discardableResult
  public func callAsFunction() throws(Failure) -> Result { try call(()) }
}

// MARK: - Closures

extension Stub {
  /// Produces the results with a closure: `charge.runs { cents, customer in "\(customer)" }`.
  ///
  /// The closure runs where the requirement is called, under no lock.
  public func runs(
    _ body: @escaping Body, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    unconditional.add(.runs(body), at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Forwards every call to a function: `charge.forwards(to: live.charge)`.
  ///
  /// A spy around a live service forwards to it, also in `decorate`. The parameters of the function
  /// are the stub's arguments. The caller is responsible that the function may be called where the
  /// double is, as with `register`.
  public func forwards(
    to function: @escaping (Arguments) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    unconditional.forwards(
      to: function, fileID: fileID, filePath: filePath, line: line, column: column, in: caller)
  }

  /// Forwards every call to a function whose parameters have other types.
  ///
  /// A call whose arguments do not have these types is an issue.
  @_disfavoredOverload
  public func forwards<each Argument>(
    to function: @escaping (repeat each Argument) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    unconditional.forwards(
      to: function, fileID: fileID, filePath: filePath, line: line, column: column, in: caller)
  }
}

extension StubSetup {
  /// Produces the results of a synchronous requirement with a closure.
  public func runs(
    _ body: @escaping @Sendable (Arguments) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) where Body == Stub<Arguments, Result, Failure>.Body {
    add(.runs(body), at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Forwards calls of a synchronous requirement to a function.
  ///
  /// See `Stub.forwards(to:)`.
  public func forwards(
    to function: @escaping (Arguments) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) where Body == Stub<Arguments, Result, Failure>.Body {
    let location = CodeLocation(fileID, filePath, line, column)
    add(.runs(Stub<Arguments, Result, Failure>.unchecked(function)), at: location, caller)
  }

  /// Forwards calls of a synchronous requirement to a function whose parameters have other types.
  @_disfavoredOverload
  public func forwards<each Argument>(
    to function: @escaping (repeat each Argument) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) where Body == Stub<Arguments, Result, Failure>.Body {
    let location = CodeLocation(fileID, filePath, line, column)
    let body = Stub<Arguments, Result, Failure>.forwarding(function, log.identity, location)
    add(.runs(body), at: location, caller)
  }
}

extension Stub {
  // Swift 6.2 does not compile this closure where its type is the generic `Body`.
  fileprivate static func forwarding<each Argument>(
    _ function: @escaping (repeat each Argument) throws(Failure) -> Result,
    _ identity: StubIdentity, _ location: CodeLocation
  ) -> Body {
    let forward: (Arguments) throws(Failure) -> Result = { (arguments) throws(Failure) in
      // Only labels differ, unless the function has other parameters.
      guard arguments is (repeat each Argument) else {
        let failed: Swift.Result<Result, Failure> = identity.unforwardable(
          to: (repeat each Argument).self, arguments, location)
        return try failed.get()
      }
      let parameters = arguments as! (repeat each Argument)
      return try function(repeat each parameters)
    }
    return unchecked(forward)
  }

  /// The caller of `forwards` is responsible for the function: it runs where the double is called.
  fileprivate static func unchecked(
    _ function: @escaping (Arguments) throws(Failure) -> Result
  ) -> Body {
    let body = Unchecked(function)
    return { (arguments) throws(Failure) in try body.value(arguments) }
  }
}
#endif
