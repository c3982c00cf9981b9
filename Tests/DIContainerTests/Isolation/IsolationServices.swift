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

/// Lets async code wait until a test opens it.
final class AsyncGate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  func open() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOpen = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// How many wait.
  var waiterCount: Int { state.withLock { $0.waiting.count } }
}

/// Gives way to other tasks until something has happened.
func until(_ hasHappened: () -> Bool) async {
  while !hasHappened() { await Task.yield() }
}
