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
