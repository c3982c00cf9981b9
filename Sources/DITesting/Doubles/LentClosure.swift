#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A closure that a requirement may only call, and not keep: the stub may run it until the call
/// ends.
///
/// Generated doubles use it, so that `store.write.runs { body in try body(database) }` works.
public struct LentClosure<Function>: Sendable {
  // Unchecked: the closure runs where a stub's `runs` calls it, as the requirement would. It is
  // released when the call ends.
  private let lent: Lock<Unchecked<Function>?>

  /// The closure; a use after the end of the call traps.
  public var function: Function {
    guard let function = lent.withLock({ $0?.value }) else {
      fatalError("A closure was called after the requirement that it was passed to had returned.")
    }
    return function
  }

  private init(_ function: Function) { lent = Lock(Unchecked(function)) }

  private func end() { releaseUnlocked(lent.withLock { exchange(&$0, with: nil) }) }

  /// Lends a closure to a call, in `withoutActuallyEscaping`.
  public static func lend<Result, Failure>(
    _ function: Function, to call: (LentClosure) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let closure = LentClosure(function)
    defer { closure.end() }
    return try call(closure)
  }

  /// Lends a closure to an async call, in `withoutActuallyEscaping`.
  public nonisolated(nonsending) static func lend<Result, Failure>(
    _ function: Function,
    to call: nonisolated(nonsending) (LentClosure) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let closure = LentClosure(function)
    defer { closure.end() }
    return try await call(closure)
  }
}

/// The calls of stubs by requirements that rethrow what a closure throws.
///
/// Generated doubles use it. A stub that throws on its own requires a caller that writes `try`.
public enum Rethrowing {
  /// Calls a stub, and throws its error with `rescue`, which is `{ throw $0 }`.
  ///
  /// The call may not throw if its closure does not, so one without a stubbed result returns what
  /// is empty, or traps.
  public static func run<Result>(
    _ call: () throws -> Result, rescue: (any Error) throws -> Result
  ) rethrows -> Result {
    do {
      return try call()
    } catch let error as UnstubbedCall {
      return error.emptyResult()
    } catch {
      return try rescue(error)
    }
  }

  /// Calls an async stub, and throws its error with `rescue`, which is `{ throw $0 }`.
  public nonisolated(nonsending) static func run<Result>(
    _ call: nonisolated(nonsending) () async throws -> Result,
    rescue: (any Error) throws -> Result
  ) async rethrows -> Result {
    do {
      return try await call()
    } catch let error as UnstubbedCall {
      return error.emptyResult()
    } catch {
      return try rescue(error)
    }
  }
}

extension UnstubbedCall {
  fileprivate func emptyResult<Result>() -> Result {
    guard let empty = EmptyResult.of(Result.self) ?? EmptyResult.zero(Result.self) else {
      fatalError(text)
    }
    return empty
  }
}
#endif
