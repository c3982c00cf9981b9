public import Base

@globalActor public actor Kitchen {
  public static let shared = Kitchen()
}

/// A `Sendable` protocol, with values that are and that are not.
public protocol Gateway: Sendable {
  func charge(_ cents: Int, for customer: String) async throws -> String
  func post(_ ledger: Ledger)
  func mix(_ ledger: Ledger, number: Int) -> Int
  func ledger() -> Ledger
  func observe(_ handler: @escaping @Sendable (Int) -> Void)
  func watch(_ handler: @escaping (Int) -> Void)
  func stamp(_ stamp: Stamp, _ secret: any Error) -> Stamp?
  var limit: Int { get set }
  var current: Ledger { get }
  func anything<T>(_ value: T)
}

@MainActor public protocol Panel: Sendable {
  var title: String { get set }
  func show(_ ledger: Ledger) -> Ledger
  nonisolated func log(_ line: String)
  func load() async throws -> Int
}

@Kitchen public protocol Oven {
  func bake(_ loaf: String) -> Int
}

public protocol Mixed {
  @MainActor func onMain(_ value: Int) -> Int
  @Kitchen func inKitchen() async
  func anywhere()
  nonisolated(nonsending) func nonsending() async -> Int
}

public protocol Store: Actor {
  func put(_ item: String) -> Int
  func load(_ key: String) async throws -> String
  var size: Int { get }
  nonisolated var label: String { get }
  nonisolated func describe(_ item: String) -> String
}

/// An actor protocol with values that are not `Sendable`.
public protocol Archive: Actor {
  func file(_ ledger: Ledger) -> Int
  func latest() -> Ledger
  func pass(_ ledger: sending Ledger) -> sending Ledger
  var current: Ledger { get set }
}

/// Closures that run on an actor which they are passed.
public protocol Crew: Sendable {
  func bake<T: Sendable>(_ body: @Sendable (isolated Kitchen) async throws -> T) async throws -> T
  func visit(_ body: (isolated Kitchen) async throws -> Int) async throws -> Int
  func look(_ body: (isolated Kitchen) -> Void) async
}

public protocol Isolating {
  func run(_ actor: isolated (any Actor)?, value: Int) async -> Int
  func send(_ ledger: Ledger, _ actor: isolated (any Actor)?) async
}

public protocol Sender {
  func next() -> sending Ledger
}
