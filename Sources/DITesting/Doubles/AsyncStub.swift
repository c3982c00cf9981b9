#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A double of one async requirement, which records calls and returns stubbed results.
///
/// It is the counterpart of ``Stub`` and runs on its caller's actor.
public final class AsyncStub<Arguments, Result, Failure: Error>: StubProtocol {
  /// A closure that produces the result of a call, on the caller's actor.
  public typealias Body =
    nonisolated(nonsending) @Sendable (Arguments) async throws(Failure) -> Result

  /// The calls so far, and the results stubbed for calls.
  public let log: StubLog<Arguments, Result, Failure, Body>

  /// Creates the double of a requirement.
  ///
  /// - Parameters:
  ///   - requirement: The name of the requirement in reports: `Catalog.load(_:)`.
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
  public nonisolated(nonsending) func call(
    _ arguments: Arguments
  ) async throws(Failure) -> Result {
    try await perform(arguments, default: nil)
  }

  /// Records a call and returns its stubbed result, or a default if nothing is stubbed.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, several of them as a tuple.
  ///   - result: The result if nothing is stubbed, which then is no issue.
  /// - Returns: The result.
  /// - Throws: The stubbed error.
  @discardableResult
  public nonisolated(nonsending) func call(
    _ arguments: Arguments, default result: Result
  ) async throws(Failure) -> Result {
    try await perform(arguments, default: .some(result))
  }

  /// Records a call and returns its stubbed result; an alias for `call(_:)`.
  @discardableResult
  public nonisolated(nonsending) func callAsFunction(
    _ arguments: Arguments
  ) async throws(Failure) -> Result {
    try await perform(arguments, default: nil)
  }

  private nonisolated(nonsending) func perform(
    _ arguments: Arguments, default otherwise: Result?
  ) async throws(Failure) -> Result {
    let call = log.begin(arguments)
    do throws(Failure) {
      let result =
        switch log.result(of: call, arguments) {
        case .returns(let result): result
        case .throws(let error): throw error
        case .runs(let body): try await body(arguments)
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

extension AsyncStub {
  /// Produces the results with an async closure.
  ///
  /// It runs on the actor on which the requirement is called, under no lock.
  public func runs(
    _ body: @escaping Body, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, function: StaticString = #function
  ) {
    unconditional.add(.runs(body), at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Forwards every call to a function: `load.forwards(to: live.load)`.
  ///
  /// See `Stub.forwards(to:)`.
  public func forwards(
    to function: nonisolated(nonsending) @escaping (Arguments) async throws(Failure) -> Result,
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
    to function:
      nonisolated(nonsending) @escaping (repeat each Argument) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) {
    unconditional.forwards(
      to: function, fileID: fileID, filePath: filePath, line: line, column: column, in: caller)
  }
}

extension AsyncStub {
  // Swift 6.2 does not compile this closure where its type is the generic `Body`.
  fileprivate static func forwarding<each Argument>(
    _ function:
      nonisolated(nonsending) @escaping (repeat each Argument) async throws(Failure) -> Result,
    _ identity: StubIdentity, _ location: CodeLocation
  ) -> Body {
    let forward: nonisolated(nonsending) (Arguments) async throws(Failure) -> Result = {
      (arguments) async throws(Failure) in
      // Only labels differ, unless the function has other parameters.
      guard arguments is (repeat each Argument) else {
        let failed: Swift.Result<Result, Failure> = identity.unforwardable(
          to: (repeat each Argument).self, arguments, location)
        return try failed.get()
      }
      let parameters = arguments as! (repeat each Argument)
      return try await function(repeat each parameters)
    }
    return unchecked(forward)
  }

  /// The caller of `forwards` is responsible for the function: it runs where the double is called.
  fileprivate static func unchecked(
    _ function: nonisolated(nonsending) @escaping (Arguments) async throws(Failure) -> Result
  ) -> Body {
    let body = Unchecked(function)
    return { (arguments) async throws(Failure) in try await body.value(arguments) }
  }
}

extension StubSetup {
  /// Produces the results of an async requirement with a closure.
  public func runs(
    _ body:
      nonisolated(nonsending) @escaping @Sendable (Arguments) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, function: StaticString = #function
  ) where Body == AsyncStub<Arguments, Result, Failure>.Body {
    add(.runs(body), at: CodeLocation(fileID, filePath, line, column), function)
  }

  /// Forwards calls of an async requirement to a function.
  ///
  /// See `Stub.forwards(to:)`.
  public func forwards(
    to function: nonisolated(nonsending) @escaping (Arguments) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) where Body == AsyncStub<Arguments, Result, Failure>.Body {
    let location = CodeLocation(fileID, filePath, line, column)
    add(.runs(AsyncStub<Arguments, Result, Failure>.unchecked(function)), at: location, caller)
  }

  /// Forwards calls of an async requirement to a function whose parameters have other types.
  @_disfavoredOverload
  public func forwards<each Argument>(
    to function:
      nonisolated(nonsending) @escaping (repeat each Argument) async throws(Failure) -> Result,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, in caller: StaticString = #function
  ) where Body == AsyncStub<Arguments, Result, Failure>.Body {
    let location = CodeLocation(fileID, filePath, line, column)
    let body = AsyncStub<Arguments, Result, Failure>.forwarding(function, log.identity, location)
    add(.runs(body), at: location, caller)
  }
}
#endif
