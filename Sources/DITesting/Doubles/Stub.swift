#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double is a class or an actor with a stub for each requirement of its protocol. A stub
// (`Stub`, or `AsyncStub` for an async requirement) passes each call to its log (StubLog.swift),
// which records it, resumes waiters and finds the stubbed result (specified through
// StubProtocol.swift). The stub's issues go to the owner of its ledger (DoubleLedger.swift), of
// which a sandbox has one. Expectations examine the logs (CallExpectations.swift). Doubles register
// themselves for their protocol (TestDouble.swift), or replace all services without a registered
// double (SolitaryDoubles.swift).

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
/// otherwise returns nil, an empty value, zero or false, otherwise traps.
public final class Stub<Arguments, Result, Failure: Error>: StubProtocol {
  /// A closure that produces the result of a call.
  public typealias Body = @Sendable (Arguments) throws(Failure) -> Result

  /// All calls.
  public let setup: StubSetup<Arguments, Result, Failure, Body>

  /// Creates the double of a requirement.
  ///
  /// - Parameter requirement: The name of the requirement in reports:
  ///   `PaymentGateway.charge(_:for:)`.
  @_disfavoredOverload
  public init(
    _ requirement: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    setup = StubSetup(log: StubLog(requirement, at: CodeLocation(fileID, filePath, line, column)))
  }

  /// Creates the double of a requirement whose optional the stub makes at each call: nil where
  /// nothing is stubbed.
  @_documentation(visibility: internal)
  public convenience init<Value>(
    _ requirement: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) where Result == @Sendable () -> Value? {
    let location = CodeLocation(fileID, filePath, line, column)
    self.init(log: StubLog(requirement, at: location, empty: { nil }))
  }

  init(log: StubLog<Arguments, Result, Failure, Body>) { setup = StubSetup(log: log) }

  /// Records a call of the requirement and returns its stubbed result.
  ///
  /// - Parameter arguments: The arguments, several of them as a tuple.
  /// - Returns: The stubbed result.
  /// - Throws: The stubbed error, or ``UnstubbedCall``.
  @discardableResult
  public func call(_ arguments: Arguments) throws(Failure) -> Result {
    try perform(arguments, default: nil) { $0 }
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
    try perform(arguments, default: .some(result)) { $0 }
  }

  /// Records a call of a generic requirement, and returns its stubbed result as the type asked for.
  ///
  /// A stubbed result of another type is an issue, after which the call goes on as one without a
  /// stubbed result.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, several of them as a tuple.
  ///   - result: The result if nothing is stubbed, which then is no issue; nil for none.
  ///   - type: The type that the requirement returns.
  /// - Returns: The result.
  /// - Throws: The stubbed error, or ``UnstubbedCall``.
  public func call<Value>(
    _ arguments: Arguments, default result: Value? = nil, as type: Value.Type
  ) throws(Failure) -> Value {
    try perform(arguments, default: result) { $0 as? Value }
  }

  /// Records a call and returns its stubbed result; an alias for `call(_:)`.
  @discardableResult
  public func callAsFunction(_ arguments: Arguments) throws(Failure) -> Result {
    try call(arguments)
  }

  private func perform<Value>(
    _ arguments: Arguments, default otherwise: Value?, _ typed: (Result) -> Value?
  ) throws(Failure) -> Value {
    let call = log.begin(arguments)
    do throws(Failure) {
      let result: Result? =
        switch log.result(of: call, arguments) {
        case .returns(let result): result
        case .throws(let error): throw error
        case .runs(let body): try body(arguments)
        case nil: nil
        }
      return try log.end(call, arguments, result, default: otherwise, typed).get()
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

extension StubProtocol where Body == Stub<Arguments, Result, Failure>.Body {
  /// Produces the results with a closure: `charge.runs { cents, customer in "\(customer)" }`.
  ///
  /// The closure runs where the requirement is called, under no lock.
  public func runs(
    _ body: @escaping @Sendable (Arguments) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    setup.add([.runs(body)], at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Forwards the calls to a function: `charge.forwards(to: live.charge)`.
  ///
  /// A spy around a live service forwards to it, also in `decorate`. The parameters of the function
  /// are the stub's arguments. The caller is responsible that the function may be called where the
  /// double is, as with `register`.
  public func forwards(
    to function: @escaping (Arguments) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    let function = Unchecked(function)
    // Swift 6.2 does not compile this closure where its type is the generic `Body`.
    let body: @Sendable (Arguments) throws(Failure) -> Result = { (arguments) throws(Failure) in
      try function.value(arguments)
    }
    setup.add([.runs(body)], at: CodeLocation(fileID, filePath, line, column), caller)
  }

  /// Forwards the calls to a function whose parameters have other types.
  ///
  /// A call whose arguments do not have these types is an issue.
  @_disfavoredOverload
  public func forwards<each Argument>(
    to function: @escaping (repeat each Argument) throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    // Swift 6.2 does not compile this closure where its type is the generic `Body`.
    let forward: (Arguments) throws(Failure) -> Result = {
      [identity = log.identity] (arguments) throws(Failure) in
      // Only labels differ, unless the function has other parameters.
      guard arguments is (repeat each Argument) else {
        let failed: Swift.Result<Result, Failure> = identity.unforwardable(
          to: (repeat each Argument).self, arguments, location)
        return try failed.get()
      }
      let parameters = arguments as! (repeat each Argument)
      return try function(repeat each parameters)
    }
    forwards(
      to: forward, fileID: fileID, filePath: filePath, line: line, column: column, in: caller)
  }
}
#endif
