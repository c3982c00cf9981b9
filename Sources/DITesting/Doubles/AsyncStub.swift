#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A double of one async requirement, which records calls and returns stubbed results.
///
/// It is the counterpart of ``Stub`` and runs on its caller's actor.
public final class AsyncStub<Arguments, Result, Failure: Error>: StubProtocol {
  /// A closure that produces the result of a call, on the caller's actor.
  public typealias Body =
    nonisolated(nonsending) @Sendable (Arguments) async throws(Failure) -> Result

  /// All calls.
  public let setup: StubSetup<Arguments, Result, Failure, Body>

  /// Creates the double of a requirement.
  ///
  /// - Parameter requirement: The name of the requirement in reports: `Catalog.load(_:)`.
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

  /// Records a call of the requirement and returns its stubbed result; see `Stub.call(_:)`.
  @discardableResult
  public nonisolated(nonsending) func call(
    _ arguments: Arguments
  ) async throws(Failure) -> Result {
    try await perform(arguments, default: nil) { $0 }
  }

  /// Records a call and returns its stubbed result, or a default if nothing is stubbed.
  @discardableResult
  public nonisolated(nonsending) func call(
    _ arguments: Arguments, default result: Result
  ) async throws(Failure) -> Result {
    try await perform(arguments, default: .some(result)) { $0 }
  }

  /// Records a call of a generic requirement, and returns its stubbed result as the type asked for.
  ///
  /// See `Stub.call(_:default:as:)`.
  public nonisolated(nonsending) func call<Value>(
    _ arguments: Arguments, default result: Value? = nil, as type: Value.Type
  ) async throws(Failure) -> Value {
    try await perform(arguments, default: result) { $0 as? Value }
  }

  /// Records a call and returns its stubbed result; an alias for `call(_:)`.
  @discardableResult
  public nonisolated(nonsending) func callAsFunction(
    _ arguments: Arguments
  ) async throws(Failure) -> Result {
    try await call(arguments)
  }

  private nonisolated(nonsending) func perform<Value>(
    _ arguments: Arguments, default otherwise: Value?, _ typed: (Result) -> Value?
  ) async throws(Failure) -> Value {
    let call = log.begin(arguments)
    do throws(Failure) {
      let result: Result? =
        switch log.result(of: call, arguments) {
        case .returns(let result): result
        case .throws(let error): throw error
        case .runs(let body): try await body(arguments)
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
extension AsyncStub: Sendable where Arguments: Sendable, Result: Sendable {}

extension AsyncStub where Arguments == Void {
  /// Records a call of the requirement and returns its stubbed result.
  @discardableResult
  public nonisolated(nonsending) func call() async throws(Failure) -> Result {
    try await call(())
  }

  /// Records a call and returns its stubbed result, or a default if nothing is stubbed.
  @discardableResult
  public nonisolated(nonsending) func call(
    default result: Result
  ) async throws(Failure) -> Result {
    try await call((), default: result)
  }

  /// Records a call and returns its stubbed result; an alias for `call()`.
  @discardableResult
  public nonisolated(nonsending) func callAsFunction() async throws(Failure) -> Result {
    try await call(())
  }
}

// MARK: - Closures

extension StubProtocol where Body == AsyncStub<Arguments, Result, Failure>.Body {
  /// Produces the results with an async closure.
  ///
  /// It runs on the actor on which the requirement is called, under no lock.
  public func runs(
    _ body:
      nonisolated(nonsending) @escaping @Sendable (Arguments) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) {
    setup.add([.runs(body)], at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Forwards the calls to a function: `load.forwards(to: live.load)`.
  ///
  /// See the `forwards(to:)` of a ``Stub``.
  public func forwards(
    to function: nonisolated(nonsending) @escaping (Arguments) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    let function = Unchecked(function)
    // Swift 6.2 does not compile this closure where its type is the generic `Body`.
    let body: nonisolated(nonsending) @Sendable (Arguments) async throws(Failure) -> Result = {
      (arguments) async throws(Failure) in try await function.value(arguments)
    }
    setup.add([.runs(body)], at: CodeLocation(fileID, filePath, line, column), caller)
  }

  /// Forwards the calls to a function whose parameters have other types.
  ///
  /// A call whose arguments do not have these types is an issue.
  @_disfavoredOverload
  public func forwards<each Argument>(
    to function:
      nonisolated(nonsending) @escaping (repeat each Argument) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    // Swift 6.2 does not compile this closure where its type is the generic `Body`.
    let forward: nonisolated(nonsending) (Arguments) async throws(Failure) -> Result = {
      [identity = log.identity] (arguments) async throws(Failure) in
      // Only labels differ, unless the function has other parameters.
      guard arguments is (repeat each Argument) else {
        let failed: Swift.Result<Result, Failure> = identity.unforwardable(
          to: (repeat each Argument).self, arguments, location)
        return try failed.get()
      }
      let parameters = arguments as! (repeat each Argument)
      return try await function(repeat each parameters)
    }
    forwards(
      to: forward, fileID: fileID, filePath: filePath, line: line, column: column, in: caller)
  }
}
#endif
