public import Base

/// Protocols of a module whose async functions stay with their caller by default.
public protocol Reader {
  func read(_ ledger: Ledger) async -> Ledger
  func count(_ number: Int) async throws -> Int
}

public protocol Watcher: Sendable {
  func watch<Value: ~Copyable>(
    _ handler: (Int) async throws -> Value
  ) async throws -> Value
  func note(_ ledger: Ledger) async
  @concurrent func apart(_ number: Int) async -> Int
}

/// Values that may not be Sendable.
public protocol Fetcher {
  associatedtype Output
  func fetch(_ old: Output) async -> Output
  func fetch<T>(_ type: T.Type) async -> T
}
