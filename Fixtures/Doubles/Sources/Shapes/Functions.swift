public import Base
public import Foundation

public struct Declined: Error, Equatable {
  public init() {}
}

/// What can be copied, and what cannot.
public struct Token: ~Copyable {
  public init() {}
}

public typealias Handler = @Sendable (Int) -> Void
public typealias Step = (Int) -> Int

/// Parameters, results, effects.
public protocol Functions {
  func nothing()
  func result() -> Int
  func one(_ value: Int) -> String
  func labelled(value: Int)
  func renamed(to value: Int) -> Int
  func several(_ cents: Int, for customer: String) throws -> String
  func unnamed(_: Int, with _: String)
  func untyped() throws
  func typed(_ value: Int) throws(Declined) -> Int
  func later(_ value: Int) async -> Int
  func laterThrowing(_ value: Int, and other: Int) async throws -> Int
  func laterTyped() async throws(Declined) -> String
  @discardableResult func discardable() -> Int
  func optional(_ value: Int?) -> String?
  func collections(_ list: [Int], _ table: [String: [Int]], _ set: Set<Int>) -> [String: Int]
  func tuple(_ pair: (Int, name: String)) -> (Int, String)
  func existential(_ value: any Named, _ error: any Error) -> any Named
  func composed(_ value: any Named & CustomStringConvertible)
  func metatype(_ type: Int.Type, _ any: Any.Type)
  func foundation(_ date: Date, _ url: URL) -> Data
  func variadic(_ values: Int...) -> Int
  func escaping(_ handler: @escaping @Sendable (Int) -> Void, then other: @escaping () -> Void)
  func alias(_ handler: @escaping Handler, _ step: Step)
  func optionalClosure(_ handler: ((Int) -> Void)?)
  func lent(_ body: (Int) -> Void)
  func lentTyped(_ body: (Int) throws(Declined) -> Int) throws(Declined) -> Int
  func lentLaterTyped(_ body: (Int) throws(Declined) -> Void) async throws(Declined)
  func lazily(_ value: @autoclosure () -> Int, _ other: @autoclosure @escaping () -> String)
  func change(_ value: inout Int)
  func changeBoth(_ left: inout Int, _ right: inout String)
  func changeAndReturn(_ value: inout Int, by step: Int) -> Bool
  func give(_ value: sending Ledger)
  func owned(_ value: consuming Stamp, _ other: borrowing Stamp)
  func token(_ token: borrowing Token, count: Int)
  func `default`(_ in: Int, for where: String) -> Int
  func implicit() -> Int!
  func resultType(_ value: Result<Int, any Error>, _ path: KeyPath<Int, String>)
  func nested(_ shelf: Shelf.Item) -> Shelf.Item
  func withLongNames(
    _ firstOfTheLongParameters: String, andTheSecond secondOfTheLongParameters: String,
    andTheThird thirdOfTheLongParameters: String
  ) async throws -> [String: String]
}

public enum Shelf {
  public struct Item: Sendable, Equatable {
    public init() {}
  }
  public protocol Delegate {
    func filled(_ item: Item)
  }
}

/// Generic functions.
public protocol Generics {
  func any<T>(_ value: T)
  func coded<T: Codable & Sendable>(_ value: T) -> T
  func many<T: Sendable>(_ values: [T]) -> T?
  func opaque(_ values: some Sequence<Int>) -> [Int]
  func both<T: Named>(_ value: T, type: T.Type) where T: Sendable
  func with<T>(_ body: (Int) throws -> T) rethrows -> T
  func span<T>(_ name: String, _ body: () throws -> T) rethrows -> T
  func transaction<T, E: Error>(_ body: (inout Int) async throws(E) -> T) async throws(E) -> T
  func packed<each T>(_ values: repeat each T)
  func borrowed<T: ~Copyable>(_ value: borrowing T)
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

/// Overloaded names.
public protocol Overloads {
  var charge: Int { get }
  func charge(_ cents: Int) -> Int
  func charge(_ cents: Int, for customer: String) -> Int
  func charge(_ cents: Double) -> Int
  func refresh()
  func refresh(force: Bool)
  func getName() -> String
  var name: String { get set }
  func find(_ id: Int) -> String
  func find(_ id: Int) -> Int
}
