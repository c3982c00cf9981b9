public import Base
public import Foundation
public import Observation

// Shapes that protocols of other packages were found to have.

public protocol Responder: Sendable {
  @Sendable func respond(to request: String) async throws -> Int
}

/// Only an inheriting protocol implements the requirement.
public protocol Walk {
  func steps() -> Int
}
public protocol LongWalk: Walk {
  func rest()
}
extension LongWalk {
  public func steps() -> Int { 10 }
}

/// Functions of the requirements' names that implement none of them.
public protocol Writer {
  func set(_ option: Int) -> String
  mutating func write(_ line: String) async throws
  mutating func write(contentsOf lines: some Sequence<String>) async throws
  consuming func finish(_ trailer: String?) async throws
}
extension Writer {
  public func set(_ option: Int) async throws {}
  public mutating func write<Lines: AsyncSequence>(_ lines: Lines) async throws
  where Lines.Element == String {}
  public mutating func write(contentsOf lines: some Sequence<String>) async throws {
    for line in lines { try await write(line) }
  }
}

/// A requirement that is deprecated, and mentions what is.
@available(*, deprecated) public struct OldDevice: Sendable, Equatable {
  public init() {}
}
public protocol Outlet {
  @available(*, deprecated) func join(_ device: OldDevice) -> Int
  @available(*, deprecated) static var old: OldDevice? { get set }
  func join(name: String) -> Int
}

/// An associated type that is called as its protocol is.
public protocol Span {
  func end()
}
public protocol Trace {
  associatedtype Span: Shapes.Span
  func start() -> Span
}

/// An associated type that the protocol itself binds.
public protocol Filter<Input>: Sendable {
  associatedtype Input
  associatedtype Output
  func run(_ input: Input) -> Output
}
public protocol TextFilter: Filter where Input == String, Output == [String: Int] {}

/// A result builder isolates nothing.
@resultBuilder public enum Lines {
  public static func buildBlock(_ lines: String...) -> [String] { lines }
}
public protocol Page: Sendable {
  @Lines var lines: [String] { get }
  @Lines func footer(_ number: Int) -> [String]
}

/// Named as a protocol of the standard library whose values are Sendable; this one's are not.
public protocol Clock {
  func now() -> Int
}
public protocol Timer: Sendable {
  func start(_ clock: any Clock) -> Int
}

/// A result builder of a parameter isolates nothing either.
public protocol Article {
  func compose(@Lines _ lines: @escaping () -> [String]) -> Int
}

/// Raw identifiers, and names that the language has other uses for.
public protocol Unusual: Sendable {
  func `is empty`(_ `the shelf`: Int, `at noon`: Bool) -> Bool
  var `2 items`: Int { get set }
  func `self`(_ value: Int) -> Int
  var `Type`: Int { get }
  var handler: (() -> Void)? { get set }
  func post(_ notification: Notification)
}

/// Called as types of other modules are: of one that is imported, of Foundation, of the toolkit.
public struct Parcel: Sendable, Equatable {
  public init() {}
}
public struct Unit: Sendable, Equatable {
  public init() {}
}
public protocol Layer {
  associatedtype Stamp
  func wrap(_ parcel: Parcel, in other: Base.Parcel, _ layer: any Layer) -> Base.Stamp
  func weigh(_ stamp: Stamp, _ unit: Unit, at date: Date) -> Stamp
}

/// What a view shows, as apps declare it.
@available(macOS 14, iOS 17, *)
@MainActor public protocol ViewModel: AnyObject, Observable {
  var state: String { get set }
  var delegate: (any Window)? { get set }
  func load() async
}

/// Names that mean something else in a double's bodies.
public protocol Words {
  func await(_ page: Int, for await: Int)
  func span<T>(_ value: (Int) throws -> T) rethrows -> T
  func both<T>(_ values: (Int, Int) -> T) -> T
}
