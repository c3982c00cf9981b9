/// Protocols of a module that is isolated to the main actor by default.
public protocol Screen {
  var title: String { get set }
  func show(_ page: String) -> Bool
  func load(_ page: String) async throws -> Int
  nonisolated func log(_ line: String)
}

nonisolated public protocol Printer {
  func print(_ text: String) -> Int
}

/// Inherits a protocol of its module, and belongs to the main actor for that.
public protocol Sheet: Screen {
  func close() -> Bool
}

public protocol Choice {
  associatedtype Item
  func choose(_ item: Item)
}
