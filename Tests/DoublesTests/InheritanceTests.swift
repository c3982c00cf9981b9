import DoubleGenerator
import Foundation
import Testing

@Suite("A double of what protocols inherit and bind") struct InheritanceTests {
  @Test("has what is inherited, and not what is implemented by default, unless that is asked for")
  func inherits() throws {
    var graph = Graph()
    graph.add("protocol Base", ["func base()", "func given()"], defaults: ["func given()"])
    graph.add("protocol Child", ["func own()"], inherits: ["Base"])
    let plain = try graph.source(of: "Child").text
    #expect(plain.contains("\n  func base() { baseStub.call() }\n"))
    #expect(plain.contains("\n  func own() { ownStub.call() }\n"))
    #expect(!plain.contains("given"))
    #expect(try graph.source(of: "Child", defaults: true).text.contains("func given()"))
  }

  @Test("inherits Observable, which has no requirements")
  func inheritsObservable() throws {
    var graph = Graph()
    graph.add("protocol Screen", ["func show()"], inherits: ["Observable"])
    #expect(try graph.members(of: "Screen") == ["  func show() { showStub.call() }"])
  }

  @Test("has one member for a requirement that an inherited protocol has with more effects")
  func inheritsEffects() throws {
    var graph = Graph()
    graph.add(
      "protocol Catalog",
      ["func count() throws -> Int", "func total() -> Int", "var size: Int { get async throws }"])
    graph.add(
      "protocol Shelf",
      ["func count() -> Int", "func total() throws -> Int", "var size: Int { get }"],
      inherits: ["Catalog"])
    #expect(
      try graph.members(of: "Shelf") == [
        "  func count() -> Int { countStub.call() }",
        "  func total() -> Int { totalStub.call() }",
        "  var size: Int { getSize.call() }",
      ])
  }

  @Test("has one member for a requirement that an inherited protocol spells with other names")
  func inheritsNames() throws {
    var graph = Graph()
    graph.add("protocol Catalog", ["associatedtype Item", "func add(_ item: Item)"])
    graph.add(
      "protocol Shelf",
      ["associatedtype Item", "func add(_ book: Item)", "var description: String { get }"],
      inherits: ["Catalog", "CustomStringConvertible"])
    #expect(
      try graph.members(of: "Shelf") == [
        "  func add(_ item: Item) { add.call(item) }",
        "  var description: String { getDescription.call(default: \"ShelfDouble\") }",
      ])
  }

  @Test("has a type alias for each associated type that is bound, and a parameter for the others")
  func bindsAssociatedTypes() throws {
    var graph = Graph()
    graph.add(
      "protocol Shelf",
      [
        "associatedtype Item where Self.Item == Self.List.Element",
        "associatedtype List: Collection",
        "func all() -> Self.List",
      ])
    graph.add("protocol BookShelf where Self.Item == Int", inherits: ["Shelf"])
    graph.add("protocol NameShelf where Self.List == [String]", inherits: ["Shelf"])
    graph.add("protocol ListShelf where Self.List == [Self.Item]", inherits: ["Shelf"])
    graph.add(
      "protocol Index",
      ["associatedtype Key", "associatedtype Item: Hashable where Self.Item == Self.Key"])
    func head(_ name: String) throws -> [String] {
      try graph.source(of: name).text.split(separator: "\n").map(String.init)
        .drop { !$0.contains("class") }.prefix { !$0.contains("init") }
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(
      try head("Shelf") == [
        "nonisolated final class ShelfDouble<Item, List: Collection>: Shelf, TestDouble",
        "where Item == List.Element {",
      ])
    #expect(
      try head("BookShelf") == [
        "nonisolated final class BookShelfDouble<List: Collection>: BookShelf, TestDouble",
        "where List.Element == Int {", "typealias Item = Int",
      ])
    #expect(
      try head("NameShelf") == [
        "nonisolated final class NameShelfDouble: NameShelf, TestDouble {",
        "typealias Item = String", "typealias List = [String]",
      ])
    #expect(
      try head("ListShelf") == [
        "nonisolated final class ListShelfDouble<Item>: ListShelf, TestDouble {",
        "typealias List = [Item]",
      ])
    #expect(
      try head("Index") == [
        "nonisolated final class IndexDouble<Key: Hashable>: Index, TestDouble {",
        "typealias Item = Key",
      ])
  }

  @Test("spells what the type aliases of its protocol stand for")
  func expandsAliases() throws {
    var graph = Graph()
    graph.add(
      "protocol Search",
      [
        "associatedtype Item", "typealias Found = Result<Self.Item, any Error>",
        "typealias Handler<T> = (T, Self.Found) -> Void", "func next() -> Self.Found?",
        "func each(_ body: @escaping Self.Handler<Int>)",
      ])
    #expect(
      try graph.members(of: "Search") == [
        "  func next() -> Result<Item, any Error>? { nextStub.call() }",
        "  func each(_ body: @escaping (Int, Result<Item, any Error>) -> Void) { each.call(body) }",
      ])
  }

  @Test("cannot be written where an associated type has the name of the double's own")
  func reservedAssociatedTypes() throws {
    var graph = Graph()
    graph.add("protocol Shelf", ["associatedtype Doubled"])
    let error = #expect(throws: Undoubled.self) { try graph.source(of: "Shelf") }
    #expect(
      error?.description == """
        `Shelf` cannot be doubled: its associated type is called `Doubled`, a name that every \
        double uses. Write by hand:
          final class ShelfDouble: Shelf { … }
        """)
  }

  @Test(
    "has what only an implementation that it does not see has", arguments: ["internal", "package"])
  func hiddenDefaults(access: String) throws {
    let hidden = ["func fill()": access, "static func make()": access]
    var graph = Graph()
    graph.add("protocol Shelf", ["func fill()", "static func make()"], hidden: hidden)
    let text = try graph.source(of: "Shelf").text
    #expect(text.contains("func fill() { fillStub.call() }"))
    #expect(text.contains("static func make() { makeStub.call() }"))
    // `@testable` shows it.
    var own = Graph()
    own.add("protocol Shelf", ["func fill()"], access: "internal", hidden: hidden)
    #expect(try !own.source(of: "Shelf").text.contains("func fill()"))
  }
}
