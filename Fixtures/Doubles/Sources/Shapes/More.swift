public import Base
public import Foundation

/// Closures of every isolation, kept, lent and returned.
public protocol Closures {
  func onMain(_ body: @escaping @MainActor () -> Void)
  func onMainSendable(_ body: @escaping @MainActor @Sendable (Int) async throws -> String)
  func inherited(_ body: nonisolated(nonsending) () async -> Void) async
  func concurrent(_ body: @escaping @concurrent @Sendable () async -> Int) async
  func maker() -> () -> Int
  func optionalMaker() -> (@Sendable (Int) -> String)?
  func several(_ first: () -> Void, then second: @escaping (Result<Data, any Error>) -> Void)
  func lazily(_ value: @autoclosure () async throws -> Int) async rethrows
  var handler: (@Sendable (Int) -> Void)? { get set }
}

/// Names that the double's own variables have.
public protocol Names {
  func value<T>(_ value: Int, _ body: (Int) throws -> T) rethrows -> T
  func change(_ changed: inout Int, _ returned: inout String)
  func swap(_ returned: inout Int, _ result: Int) -> Int
  func call(_ call: String) -> String
  func callAsFunction(_ double: Int) -> Int
  func lenient(_ self_: Bool)
  var all: [String] { get }
  var `init`: Int { get }
  func `repeat`(`in` `for`: Int)
}

/// Generic parameters in every place.
public protocol MoreGenerics {
  func change<T: Equatable>(_ value: inout T)
  func keyed<K: Hashable, V>(_ table: [K: V], _ set: Set<K>) -> [K: V]
  func nested<T>(_ values: [[T]?]) -> T??
  func path<Root, Value>(_ path: KeyPath<Root, Value>, of root: Root) -> Value
  func typed<T: Named & Sendable>(_ type: T.Type) -> T
  func constrained<S: Sequence>(_ values: S) -> [S.Element] where S.Element: Comparable
  func some(_ values: some Collection<Int> & Sendable, _ other: (some Named)?)
  subscript<T: Hashable>(key: T) -> Int { get set }
  init<T: Named>(_ value: T)
}

/// A class, and `Self` in every place.
public protocol Node: AnyObject {
  var parent: Self? { get set }
  var children: [Self] { get }
  func find(_ matches: (Self) -> Bool) -> Self?
  static func root() -> Self
  static subscript(name: String) -> Int { get }
  init(children: [Self]) async throws
}

/// Requirements of actors that are no functions.
public protocol Till: Actor {
  static func opening() -> Int
  static var count: Int { get set }
  var total: Int { get set }
  subscript(index: Int) -> String { get }
  init(float: Int)
  func reset() throws(Declined)
  nonisolated func name(_ suffix: String...) -> String
  @MainActor func show(_ text: String) -> Int
}

@MainActor public protocol Window {
  static var open: Int { get set }
  static func make(_ title: String) -> Self
  var size: (width: Int, height: Int) { get set }
  subscript(index: Int) -> String { get set }
  init(title: String)
  nonisolated init(raw: Int)
  nonisolated var id: Int { get }
  func close() async throws(Declined) -> Bool
}

/// What a double need not be able to do.
public protocol Lock: ~Copyable {
  func open(_ key: Int) -> Bool
}

/// What the standard library's protocols ask for.
public protocol Code: LosslessStringConvertible, Comparable, Error, CustomDebugStringConvertible {
  var number: Int { get }
}

/// Types of C.
public protocol Family {
  var family: pthread_key_t { get }
  static func make(_ family: pthread_key_t) -> pthread_key_t
}
