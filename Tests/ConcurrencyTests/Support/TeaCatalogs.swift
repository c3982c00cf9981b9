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
