public import Base

/// Associated types that others depend on.
public protocol Repository {
  associatedtype Item
  associatedtype List: Collection<Item>
  typealias Found = Result<Item, any Error>
  func all() -> List
  func find(_ id: Int) -> Found
  func each(_ body: @escaping (Found?) -> Void)
}
public protocol NumberRepository: Repository where Item == Int {}
public protocol ListRepository: Repository where List == [Item] {}

public protocol Keyed {
  associatedtype Key
  associatedtype Item: Hashable where Item == Key
  func item(_ key: Key) -> Item
}
public protocol StringKeyed: Keyed where Key == String {}

/// Static requirements with types that may not be Sendable.
public protocol Making {
  associatedtype Item
  static func make() -> Item
  static func put(_ item: Item) async
}

/// An associated type of the main actor, and a protocol of it whose values are not Sendable.
@MainActor public protocol List {
  associatedtype Item
  func show(_ item: Item)
  nonisolated func log(_ item: Item)
  static func make() -> Item
}
@MainActor public protocol Coordinator {
  var delegate: (any Oven)? { get set }
  var window: (any Window)? { get set }
  func open(_ window: any Window)
}

/// A closure that takes what is not Sendable.
public protocol Storage {
  func transaction<T>(_ body: (any Named) async throws -> T) async rethrows -> T
  func change<T>(_ body: (inout Ledger, Int) async throws -> T) async throws -> T
}
