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

/// Static requirements that are overloaded, some with stubs of one type.
public protocol StaticOverloads {
  static func find(_ id: Int) -> String
  static func find(_ name: String) -> String
  static func put(_ ledger: Ledger) -> Int
  static func put(_ ledgers: [Ledger]) -> Int
}
