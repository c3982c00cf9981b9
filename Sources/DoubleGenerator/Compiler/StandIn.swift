/// What a double's file sees of `DITesting`: building that takes longer than all else here.
enum StandIn {
  /// A module with the API that doubles call, and with the names of its other types.
  static func source(declaring names: Set<String>) -> String {
    let others = names.subtracting([
      "TestDouble", "Stub", "AsyncStub", "Described", "LentClosure", "Rethrowing",
    ])
    return source + others.sorted().map { "public enum \($0) {}\n" }.joined()
  }

  private static let source = """
    public protocol TestDouble: SendableMetatype {
      associatedtype Doubled
      init()
      static func asDoubled(_ double: Self) -> Doubled
    }
    public struct Described: Sendable {
      public init(_ value: Any) {}
    }
    public final class Stub<Arguments, Result, Failure: Error> {
      public init(_ requirement: String) {}
      @discardableResult
      public func call(_ arguments: Arguments) throws(Failure) -> Result { fatalError() }
      @discardableResult
      public func call(_ arguments: Arguments, default: Result) throws(Failure) -> Result {
        fatalError()
      }
      public func call<T>(_ arguments: Arguments, as: T.Type) throws(Failure) -> T { fatalError() }
      public func call<T>(
        _ arguments: Arguments, default: T, as: T.Type
      ) throws(Failure) -> T { fatalError() }
      public func cast<T>(_ result: Any, as: T.Type) throws(Failure) -> T { fatalError() }
    }
    extension Stub: Sendable where Arguments: Sendable, Result: Sendable {
      public static func shared(_ requirement: String, of double: Any.Type) -> Stub {
        fatalError()
      }
    }
    extension Stub where Arguments == Void {
      @discardableResult
      public func call() throws(Failure) -> Result { fatalError() }
      @discardableResult
      public func call(default: Result) throws(Failure) -> Result { fatalError() }
    }
    public final class AsyncStub<Arguments, Result, Failure: Error> {
      public init(_ requirement: String) {}
      @discardableResult
      public nonisolated(nonsending) func call(
        _ arguments: Arguments
      ) async throws(Failure) -> Result { fatalError() }
      @discardableResult
      public nonisolated(nonsending) func call(
        _ arguments: Arguments, default: Result
      ) async throws(Failure) -> Result { fatalError() }
      public nonisolated(nonsending) func call<T>(
        _ arguments: Arguments, as: T.Type
      ) async throws(Failure) -> T { fatalError() }
      public nonisolated(nonsending) func call<T>(
        _ arguments: Arguments, default: T, as: T.Type
      ) async throws(Failure) -> T { fatalError() }
      public func cast<T>(_ result: Any, as: T.Type) throws(Failure) -> T { fatalError() }
    }
    extension AsyncStub: Sendable where Arguments: Sendable, Result: Sendable {
      public static func shared(_ requirement: String, of double: Any.Type) -> AsyncStub {
        fatalError()
      }
    }
    extension AsyncStub where Arguments == Void {
      @discardableResult
      public nonisolated(nonsending) func call() async throws(Failure) -> Result { fatalError() }
      @discardableResult
      public nonisolated(nonsending) func call(
        default: Result
      ) async throws(Failure) -> Result { fatalError() }
    }
    public struct LentClosure<Function>: Sendable {
      public var function: Function { fatalError() }
      public static func lend<Result, Failure>(
        _ function: Function, to call: (LentClosure) throws(Failure) -> Result
      ) throws(Failure) -> Result { fatalError() }
      public nonisolated(nonsending) static func lend<Result, Failure>(
        _ function: Function,
        to call: nonisolated(nonsending) (LentClosure) async throws(Failure) -> Result
      ) async throws(Failure) -> Result { fatalError() }
    }
    public enum Rethrowing {
      public static func run<Result>(
        _ call: () throws -> Result, rescue: (any Error) throws -> Result
      ) rethrows -> Result { try call() }
      public nonisolated(nonsending) static func run<Result>(
        _ call: nonisolated(nonsending) () async throws -> Result,
        rescue: (any Error) throws -> Result
      ) async rethrows -> Result { try await call() }
    }

    """
}
