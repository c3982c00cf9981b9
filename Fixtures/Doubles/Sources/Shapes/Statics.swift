public import Base

/// Static requirements.
public protocol Statics {
  static func make(_ limit: Int) -> Self
  static func load() async throws -> Int
  static func ledger() -> Ledger
  static var shared: Int { get set }
  static func + (left: Self, right: Self) -> Int
  static prefix func - (value: Self) -> Self
  static func == (left: Self, right: Int) -> Bool
  func make()
}
