import DoubleGenerator
import Foundation
import Testing

@Suite("A double and its isolation") struct IsolationTests {
  @Test("of an actor protocol is an actor, and of a main-actor protocol is on the main actor")
  func isIsolated() throws {
    var graph = Graph()
    graph.add("protocol Store", ["func put(_ item: String) async -> Int"], inherits: ["Actor"])
    graph.add(
      "@MainActor protocol Screen",
      ["@MainActor func show(_ page: Int)", "nonisolated func log(_ line: String)"])
    let store = try graph.source(of: "Store").text
    #expect(store.contains("\nactor StoreDouble: Store, TestDouble {\n"))
    #expect(
      store.hasSuffix(
        """
          nonisolated let put = AsyncStub<String, Int, Never>("Store.put(_:)")
          func put(_ item: String) async -> Int { await put.call(item) }
        }

        """))
  }

  @Test("of an actor protocol keeps nothing that is not Sendable, for no test runs on that actor")
  func isToldFromOutside() throws {
    var graph = Graph()
    graph.add(type: "final class Ledger", isSendable: false)
    graph.add(
      "protocol Archive",
      [
        "func file(_ ledger: Ledger) -> Int", "func latest() -> Ledger",
        "func pass(_ ledger: sending Ledger) -> sending Ledger",
        "var current: Ledger { get set }",
      ], inherits: ["Actor"])
    let stubs = try graph.source(of: "Archive").text.split(separator: "\n")
      .filter { $0.contains(" let ") }.compactMap { $0.split(separator: "(\"").first }
    #expect(
      stubs == [
        "  nonisolated let file = Stub<Described, Int, Never>",
        "  nonisolated let latestStub = Stub<Void, @Sendable () -> Ledger, Never>",
        "  nonisolated let pass = Stub<Described, @Sendable () -> sending Ledger, Never>",
        "  nonisolated let getCurrent = Stub<Void, @Sendable () -> Ledger, Never>",
        "  nonisolated let setCurrent = Stub<Described, Void, Never>",
      ])
  }

  @Test("of a main-actor protocol keeps what is not Sendable on the main actor")
  func isIsolatedWithOthers() throws {
    var graph = Graph()
    graph.add("@MainActor protocol Screen", ["@MainActor func show(_ page: Int)"])
    graph.add(
      "@MainActor protocol Coordinator",
      [
        "associatedtype Item", "associatedtype Key: Sendable",
        "@MainActor func open(_ screen: any Screen)", "@MainActor func select(_ item: Item)",
        "@MainActor func find(_ key: Key)", "nonisolated func log(_ item: Item)",
      ])
    let stubs = try graph.source(of: "Coordinator").text.split(separator: "\n")
      .filter { $0.contains(" let ") }
    #expect(
      stubs == [
        "  let open = Stub<any Screen, Void, Never>(\"Coordinator.open(_:)\")",
        "  let select = Stub<Item, Void, Never>(\"Coordinator.select(_:)\")",
        "  nonisolated let find = Stub<Key, Void, Never>(\"Coordinator.find(_:)\")",
        "  nonisolated let log = Stub<Described, Void, Never>(\"Coordinator.log(_:)\")",
      ])
  }

  @Test("of a main-actor protocol conforms from everywhere to what it inherits from no actor")
  func isIsolatedWithInherited() throws {
    var graph = Graph()
    graph.add("protocol Page", ["@MainActor func show()"])
    graph.add("protocol Named", ["func name() -> String"])
    graph.add("@MainActor protocol Screen", ["@MainActor func close()"], inherits: ["Page"])
    graph.add("@MainActor protocol Sheet", ["@MainActor func close()"], inherits: ["Screen"])
    graph.add("@MainActor protocol Tab", ["@MainActor func close()"], inherits: ["Hashable"])
    graph.add("@MainActor protocol Menu", ["@MainActor func close()"], inherits: ["Named"])
    let headers = try ["Screen", "Sheet", "Tab", "Menu"].map { name in
      try graph.source(of: name).text.split(separator: "\n")
        .first { $0.contains("final class") } ?? ""
    }
    #expect(
      headers == [
        "@MainActor final class ScreenDouble: nonisolated Screen, TestDouble {",
        "@MainActor final class SheetDouble: nonisolated Sheet, TestDouble {",
        "@MainActor final class TabDouble: nonisolated Tab, TestDouble {",
        "@MainActor final class MenuDouble: Menu, TestDouble {",
      ])
  }

  @Test("calls a closure with what is not Sendable only where that does not leave an actor")
  func passesOnElsewhere() throws {
    var graph = Graph()
    graph.add("protocol Database", ["func rows() -> Int"])
    let transaction =
      "func transaction<T>(_ body: (any Database) async throws -> T) async rethrows -> T"
    graph.add("protocol Storage", [transaction])
    graph.add("@MainActor protocol MainStorage", ["@MainActor \(transaction)"])
    let storage = try graph.source(of: "Storage")
    #expect(storage.byHand == [])
    #expect(
      storage.text.hasSuffix(
        """
          let transaction = AsyncStub<Void, any Database, Never>("Storage.transaction(_:)")
          // The stub returns what `body` is called with.
          @concurrent func transaction<T>(
            _ body: @concurrent (any Database) async throws -> T
          ) async rethrows -> T {
            let value = await transaction.call()
            return try await body(value)
          }
        }

        """))
    #expect(
      try graph.source(of: "MainStorage").byHand == [
        "`MainStorage.transaction(_:)`: the argument of its closure `body` is not Sendable: "
          + "extension MainStorageDouble { func transaction<T>"
          + "(_ body: @concurrent (any Database) async throws -> T) async rethrows -> T { … } }"
      ])
  }

  @Test("leaves an async member where its caller is that takes what may not be Sendable")
  func staysWithCaller() throws {
    var graph = Graph()
    graph.add(
      "protocol Loader",
      [
        "associatedtype Output", "func load() async -> Output", "func put<T>(_ value: T) async",
        "func count() async -> Int",
      ])
    #expect(
      try graph.source(of: "Loader").text.split(separator: "\n").filter {
        $0.contains("func ")
      }
      .dropFirst() == [
        "  nonisolated(nonsending) func load() async -> Output { await loadStub.call() }",
        "  nonisolated(nonsending) func put<T>(_ value: T) async { await put.call(value) }",
        "  func count() async -> Int { await countStub.call() }",
      ])
  }

  @Test("keeps an associated type that may not be Sendable out of the stubs of static requirements")
  func describesInStatics() throws {
    var graph = Graph()
    graph.add(
      "protocol Shelf",
      [
        "associatedtype Item", "associatedtype Key: Sendable", "static func put(_ item: Item)",
        "static func find(_ key: Key)",
      ])
    let text = try graph.source(of: "Shelf").text
    #expect(text.contains("static var put: Stub<Described, Void, Never> {"))
    #expect(text.contains("static var find: Stub<Key, Void, Never> {"))
  }
}
