import DIContainer

// The storefront's isolated parts.

/// A window of the shop: the main actor's.
@MainActor
class ShopWindow {
  let title: String

  init(title: String = "Tea") { self.title = title }
}

/// A basket on the main actor that is not Sendable.
class TeaBasket {
  var lines: [String] = []
}

@globalActor
actor StoreActor {
  static let shared = StoreActor()
}

/// What the store has in stock: the store actor's.
@StoreActor
class TeaStock {
  let shelf: String

  init(shelf: String = "A1") { self.shelf = shelf }
}

protocol TeaCatalog: Sendable {
  var source: String { get }
}

struct LocalTeaCatalog: TeaCatalog {
  var source = "local"
}

/// A catalogue that is loaded.
final class RemoteTeaCatalog: TeaCatalog {
  let source: String

  init(source: String = "remote") { self.source = source }

  /// Loads it; suspends on the way.
  static func load() async -> RemoteTeaCatalog {
    await Task.yield()
    return RemoteTeaCatalog()
  }
}

struct NotOnline: Error, CustomStringConvertible {
  var description: String { "not online" }
}

actor TeaWarehouse {
  let label: String
  private(set) var shelves = 0

  init(label: String) { self.label = label }

  func addShelf() -> Int {
    shelves += 1
    return shelves
  }
}
