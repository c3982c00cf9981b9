// Requirements whose names, types or effects differ in little.

/// Overloads that only brackets, `async` or constraints tell apart, and setters' names.
public protocol Apart {
  func save(_ item: Int)
  func save(_ items: [Int])
  func save(_ item: Int?)
  func save(_ items: Int...)
  func save(_ table: [String: Int])
  func save(_ pairs: [(String, Int)])
  func load(_ page: Int) throws -> String
  func load(_ page: Int) async throws -> String
  func put<T: Equatable>(_ value: T)
  func put<T: Encodable>(_ value: T)
  var volume: Int { get set }
  func setVolume(_ level: Int)
  var light: Int { get set }
  func setLight()
}

/// Inherited requirements that are spelled in another way.
public protocol Reading {
  func read(_ page: Int) throws -> Int
  func find<T: Equatable>(_ item: T) -> Bool
  var size: Int { get async throws }
}
public protocol Memory: Reading, CustomStringConvertible {
  func read(_ number: Int) -> Int
  func find<T: Equatable>(_ other: T) -> Bool
  var size: Int { get }
  var description: String { get }
}
