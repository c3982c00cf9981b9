import DoubleGenerator
import Foundation
import Testing

@Suite("The names of types in a double") struct QualificationTests {
  /// The lines of a double that declare stubs.
  private func stubs(of graphs: Graph...) throws -> [String] {
    let symbols = Symbols(try graphs.map { try $0.graph }, toolkit: ["Scope", "Stub"])
    let graph = try #require(graphs.last)
    let symbol = try #require(symbols.protocols(of: graph.module).last)
    let model = try ProtocolReader(symbols: symbols).model(of: symbol)
    return DoubleWriter(symbols: symbols, isPublic: false).source(of: model).text
      .split(separator: "\n").filter { $0.contains("class ") || $0.contains(" let ") }
      .map(String.init)
  }

  @Test("have that of their module where another imported one has a type of the name")
  func twoModules() throws {
    var stock = Graph("Stock")
    stock.add(type: "public struct Item", isSendable: true)
    stock.add(type: "public struct Shelf", isSendable: true)
    var shop = Graph("Shop")
    shop.add(type: "public struct Item", isSendable: true)
    shop.borrow(from: stock, "Shelf")
    shop.add("protocol Till", ["func scan(_ item: Item)"])
    #expect(
      try stubs(of: stock, shop) == [
        "nonisolated final class TillDouble: Till, TestDouble {",
        "  let scan = Stub<Item, Void, Never>(\"Till.scan(_:)\")",
      ])
    shop.add("protocol Window", ["func show(_ item: Item, on shelf: Shelf)"])
    #expect(
      try stubs(of: stock, shop) == [
        "nonisolated final class WindowDouble: Window, TestDouble {",
        "  let show = Stub<(item: Shop.Item, shelf: Shelf), Void, Never>(\"Window.show(_:on:)\")",
      ])
  }

  @Test("have that of their module where the toolkit or an associated type is called so")
  func toolkit() throws {
    var graph = Graph()
    graph.add(type: "public struct Item", isSendable: true)
    graph.add("protocol Scope", ["associatedtype Item", "func enter(_ scope: any Scope)"])
    #expect(
      try stubs(of: graph) == [
        "nonisolated final class ScopeDouble<Item>: Shop.Scope, TestDouble {",
        "  let enter = Stub<any Shop.Scope, Void, Never>(\"Scope.enter(_:)\")",
      ])
  }

  @Test("are written with the toolkit's where an imported module has a type of the name")
  func ofToolkit() throws {
    var graph = Graph()
    for name in ["Stub", "AsyncStub", "Described", "TestDouble"] {
      graph.add(type: "public struct \(name)", isSendable: true)
    }
    graph.add(type: "public class Ledger", isSendable: false)
    graph.add(
      "protocol Books",
      ["func post(_ ledger: Ledger)", "func load() async", "static func make() -> Stub"],
      inherits: ["Sendable"])
    let symbols = Symbols(
      [try graph.graph], toolkit: ["AsyncStub", "Described", "Stub", "TestDouble"])
    let model = try ProtocolReader(symbols: symbols).model(
      of: #require(symbols.protocols(of: "Shop").last))
    #expect(
      DoubleWriter(symbols: symbols, isPublic: false).source(of: model).text
        .contains(
          """
          nonisolated final class BooksDouble: Books, DITesting.TestDouble {
            init() {}
            static func asDoubled(_ double: BooksDouble) -> any Books { double }

            static var makeStub: DITesting.Stub<Void, Shop.Stub, Never> {
              .shared("Books.make()", of: BooksDouble.self)
            }
            static func make() -> Shop.Stub { makeStub.call() }

            let post = DITesting.Stub<DITesting.Described, Void, Never>("Books.post(_:)")
            func post(_ ledger: Ledger) { post.call(DITesting.Described(ledger)) }

            let loadStub = DITesting.AsyncStub<Void, Void, Never>("Books.load()")
            func load() async { await loadStub.call() }
          }

          """))
  }

  @Test("of the standard library have that of their module where an imported one hides them")
  func standardLibrary() throws {
    var graph = Graph()
    graph.add(type: "public struct Task", isSendable: true)
    graph.borrow("Task", id: "s:ScT")
    graph.add("protocol Work", ["func start(_ task: Task<Int, Never>)"])
    #expect(
      try stubs(of: graph) == [
        "nonisolated final class WorkDouble: Work, TestDouble {",
        "  let start = Stub<_Concurrency.Task<Int, Never>, Void, Never>(\"Work.start(_:)\")",
      ])
  }

  @Test("are known of the toolkit as its sources declare them")
  func knownNames() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources")
    let names = try Sources(["DIContainer", "DITesting"].map(folder.appendingPathComponent))
      .declaredTypes
    #expect(
      names.isSuperset(of: ["Stub", "AsyncStub", "Described", "TestDouble", "Resolver", "Scope"]))
    #expect(names.isDisjoint(with: ["Body", "Frame", "Key", "func", "struct"]))
  }
}
