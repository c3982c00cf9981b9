import DoubleGenerator
import Foundation
import Testing

@Suite("The source of a double") struct SourceTests {
  /// The double of the last protocol of a graph.
  private func source(
    of name: String, in graph: Graph, isPublic: Bool = false, defaults: Bool = false
  ) throws -> DoubleWriter.Source {
    let symbols = Symbols([try graph.graph])
    let symbol = try #require(
      symbols.protocols(of: graph.module).first { $0.pathComponents == [name] })
    let model = try ProtocolReader(symbols: symbols, includesDefaults: defaults).model(of: symbol)
    return DoubleWriter(symbols: symbols, isPublic: isPublic).source(of: model)
  }

  private func stubs(_ requirements: String...) throws -> [String] {
    var graph = Graph()
    graph.add("protocol P", requirements)
    return try source(of: "P", in: graph).text.split(separator: "\n").compactMap { line in
      guard let range = line.range(of: "let ") else { return nil }
      return String(line[range.upperBound...].prefix { $0 != " " })
    }
  }

  @Test("is one stub and one line for each requirement")
  func isShort() throws {
    var graph = Graph()
    graph.add(
      "protocol PaymentGateway",
      [
        "func charge(_ cents: Int, for customer: String) throws -> String", "func refresh()",
        "var limit: Int { get set }",
      ])
    #expect(
      try source(of: "PaymentGateway", in: graph).text == """
        import DITesting
        import Shop

        /// A double of `PaymentGateway`.
        nonisolated final class PaymentGatewayDouble: PaymentGateway, TestDouble {
          init() {}
          static func asDoubled(_ double: PaymentGatewayDouble) -> any PaymentGateway { double }

          let charge = Stub<(cents: Int, customer: String), String, any Error>(
            "PaymentGateway.charge(_:for:)")
          func charge(_ cents: Int, for customer: String) throws -> String {
            try charge.call((cents, customer))
          }

          let refreshStub = Stub<Void, Void, Never>("PaymentGateway.refresh()")
          func refresh() { refreshStub.call() }

          let getLimit = Stub<Void, Int, Never>("PaymentGateway.limit")
          let setLimit = Stub<Int, Void, Never>("PaymentGateway.limit.set")
          var limit: Int {
            get { getLimit.call() }
            set { setLimit.call(newValue) }
          }
        }

        """)
  }

  @Test("is public where it is asked to be")
  func isPublic() throws {
    var graph = Graph()
    graph.add("protocol Mailer", ["func send(_ text: String)"], inherits: ["Equatable"])
    #expect(
      try source(of: "Mailer", in: graph, isPublic: true).text == """
        public import DITesting
        public import Shop

        /// A double of `Mailer`.
        nonisolated public final class MailerDouble: Mailer, TestDouble {
          public init() {}
          public static func asDoubled(_ double: MailerDouble) -> any Mailer { double }

          public let send = Stub<String, Void, Never>("Mailer.send(_:)")
          public func send(_ text: String) { send.call(text) }

          public static func == (left: MailerDouble, right: MailerDouble) -> Bool { left === right }
        }

        """)
  }

  @Test("describes what a Sendable double cannot keep, and makes what it cannot hold")
  func describes() throws {
    var graph = Graph()
    graph.add(type: "class Ledger", isSendable: false)
    graph.add(
      "protocol Books", ["func post(_ ledger: Ledger, page: Int)", "func current() -> Ledger"],
      inherits: ["Sendable"])
    #expect(
      try source(of: "Books", in: graph).text == """
        import DITesting
        import Shop

        /// A double of `Books`.
        nonisolated final class BooksDouble: Books, TestDouble {
          init() {}
          static func asDoubled(_ double: BooksDouble) -> any Books { double }

          let post = Stub<(ledger: Described, page: Int), Void, Never>("Books.post(_:page:)")
          func post(_ ledger: Ledger, page: Int) { post.call((Described(ledger), page)) }

          let currentStub = Stub<Void, @Sendable () -> Ledger, Never>("Books.current()")
          func current() -> Ledger { currentStub.call()() }
        }

        """)
  }

  @Test("of an actor protocol is an actor, and of a main-actor protocol is on the main actor")
  func isIsolated() throws {
    var graph = Graph()
    graph.add("protocol Store", ["func put(_ item: String) async -> Int"], inherits: ["Actor"])
    graph.add(
      "@MainActor protocol Screen",
      ["@MainActor func show(_ page: Int)", "nonisolated func log(_ line: String)"])
    let store = try source(of: "Store", in: graph).text
    #expect(store.contains("\nactor StoreDouble: Store, TestDouble {\n"))
    #expect(
      store.hasSuffix(
        """
          nonisolated let put = AsyncStub<String, Int, Never>("Store.put(_:)")
          func put(_ item: String) async -> Int { await put.call(item) }
        }

        """))
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
    let stubs = try source(of: "Coordinator", in: graph).text.split(separator: "\n")
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
      try source(of: name, in: graph).text.split(separator: "\n")
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

  @Test("has the name of an overload's labels, and where those are equal, of its types")
  func names() throws {
    #expect(
      try stubs("func charge(_ cents: Int)", "func send(to name: String)") == ["charge", "send"])
    #expect(
      try stubs("func charge(_ cents: Int)", "func charge(_ cents: Int, for name: String)")
        == ["charge", "chargeFor"])
    #expect(
      try stubs("func charge(_ cents: Int)", "func charge(_ cents: [String: Double])")
        == ["chargeInt", "chargeStringDouble"])
    #expect(
      try stubs("func find(_ id: Int) -> Int", "func find(_ id: Int) -> String?")
        == ["findIntReturningInt", "findIntReturningString"])
    #expect(
      try stubs("func refresh()", "func refresh(force: Bool)") == ["refreshStub", "refreshForce"])
    #expect(
      try stubs("var charge: Int { get }", "func charge(_ cents: Int)") == [
        "getCharge", "chargeStub",
      ])
    #expect(
      try stubs("var name: Int { get }", "func getName() -> String") == [
        "getNameInt", "getNameStub",
      ])
    #expect(try stubs("init(limit: Int)", "init(_ value: Int)") == ["initLimit", "initStub"])
    #expect(try stubs("func `default`(_ value: Int)") == ["`default`"])
  }

  @Test("has a name for each overload whose types have the same words")
  func exactNames() throws {
    #expect(
      try stubs("func save(_ item: Int)", "func save(_ items: [Int])")
        == ["saveInt", "saveArrayInt"])
    #expect(
      try stubs(
        "func save(_ item: String)", "func save(_ items: String?)", "func save(_ items: String...)")
        == ["saveString", "saveOptionalString", "saveVariadicString"])
    #expect(
      try stubs("func save(_ table: [String: Int])", "func save(_ pairs: [(String, Int)])")
        == ["saveDictionaryStringInt", "saveArrayTupleStringInt"])
    #expect(
      try stubs("func save(_ item: Int)", "func save(_ item: () -> Int)")
        == ["saveInt", "saveFunctionInt"])
  }

  @Test("has the names of a property's accessors with its type where a method is called like one")
  func settersNames() throws {
    #expect(
      try stubs("var volume: Int { get set }", "func setVolume(_ level: Int)")
        == ["getVolumeInt", "setVolumeInt", "setVolume"])
    #expect(
      try stubs("var volume: Int { get set }", "func setVolume()")
        == ["getVolumeInt", "setVolumeInt", "setVolumeStub"])
    #expect(
      try stubs("func setVolume(_ level: Int)", "var volume: Int { get }")
        == ["setVolume", "getVolume"])
  }

  @Test("has a name for the async one of two overloads")
  func asyncNames() throws {
    #expect(
      try stubs(
        "func load(_ page: Int) throws -> Int", "func load(_ page: Int) async throws -> Int")
        == ["load", "loadAsync"])
    #expect(
      try stubs("func load() -> Int", "func load() async -> Int") == ["loadStub", "loadAsync"])
  }

  @Test("has a name for each of two overloads that differ in their constraints")
  func constraintsNames() throws {
    #expect(
      try stubs(
        "func put<T>(_ item: T) where T: Equatable", "func put<T>(_ item: T) where T: Encodable")
        == ["putTWhereTEquatable", "putTWhereTEncodable"])
  }

  @Test("has a name for each operator outside ASCII")
  func operatorsNames() throws {
    #expect(
      try stubs(
        "func ∪ (left: Self, right: Self) -> Self", "func ⊂ (left: Self, right: Self) -> Self")
        == ["unionOperator", "subsetOfOperator"])
    #expect(try stubs("func ∪ (left: Self, right: Self) -> Self") == ["symbolOperator"])
  }

  @Test("leaves requirements to be written by hand whose stubs would have one name")
  func clashingNames() throws {
    var graph = Graph()
    graph.add(
      "protocol P",
      ["func put(_ pair: (Int, Int), _ third: Int)", "func put(_ all: (Int, Int, Int))"])
    #expect(
      try source(of: "P", in: graph).byHand == [
        "`P.put(_:_:)`: its stub would have the name of another: "
          + "extension PDouble { func put(_ pair: (Int, Int), _ third: Int) { … } }",
        "`P.put(_:)`: its stub would have the name of another: "
          + "extension PDouble { func put(_ all: (Int, Int, Int)) { … } }",
      ])
  }

  @Test("has the same names whatever the order of the requirements")
  func namesDoNotDependOnOrder() throws {
    let requirements = [
      "func charge(_ cents: Int)", "func charge(_ cents: Double)", "func charge(by name: String)",
    ]
    let names = try stubs(requirements[0], requirements[1], requirements[2])
    #expect(names == ["chargeInt", "chargeDouble", "chargeBy"])
    #expect(
      try stubs(requirements[2], requirements[1], requirements[0]) == Array(names.reversed()))
  }

  @Test("has what is inherited, and not what is implemented by default, unless that is asked for")
  func inherits() throws {
    var graph = Graph()
    graph.add("protocol Base", ["func base()", "func given()"], defaults: ["func given()"])
    graph.add("protocol Child", ["func own()"], inherits: ["Base"])
    let plain = try source(of: "Child", in: graph).text
    #expect(plain.contains("\n  func base() { baseStub.call() }\n"))
    #expect(plain.contains("\n  func own() { ownStub.call() }\n"))
    #expect(!plain.contains("given"))
    #expect(try source(of: "Child", in: graph, defaults: true).text.contains("func given()"))
  }

  /// The members of a double, without their stubs.
  private func members(of name: String, in graph: Graph) throws -> [String] {
    try source(of: name, in: graph).text.split(separator: "\n")
      .filter { $0.hasPrefix("  func ") || $0.hasPrefix("  var ") }.map(String.init)
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
      try members(of: "Shelf", in: graph) == [
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
      try members(of: "Shelf", in: graph) == [
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
      try source(of: name, in: graph).text.split(separator: "\n").map(String.init)
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
      try members(of: "Search", in: graph) == [
        "  func next() -> Result<Item, any Error>? { nextStub.call() }",
        "  func each(_ body: @escaping (Int, Result<Item, any Error>) -> Void) { each.call(body) }",
      ])
  }

  @Test("calls the closure that makes a generic result with what the stub returns")
  func passesOn() throws {
    var graph = Graph()
    graph.add(
      "protocol Tracer", ["func span<T>(_ name: String, _ body: (Int) throws -> T) rethrows -> T"])
    #expect(
      try source(of: "Tracer", in: graph).text.hasSuffix(
        """
          let span = Stub<String, Int, Never>("Tracer.span(_:_:)")
          // The stub returns what `body` is called with.
          func span<T>(_ name: String, _ body: (Int) throws -> T) rethrows -> T {
            let value = span.call(name)
            return try body(value)
          }
        }

        """))
  }

  @Test("calls a closure with what is not Sendable only where that does not leave an actor")
  func passesOnElsewhere() throws {
    var graph = Graph()
    graph.add("protocol Database", ["func rows() -> Int"])
    let transaction =
      "func transaction<T>(_ body: (any Database) async throws -> T) async rethrows -> T"
    graph.add("protocol Storage", [transaction])
    graph.add("@MainActor protocol MainStorage", ["@MainActor \(transaction)"])
    let storage = try source(of: "Storage", in: graph)
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
      try source(of: "MainStorage", in: graph).byHand == [
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
      try source(of: "Loader", in: graph).text.split(separator: "\n").filter {
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
    let text = try source(of: "Shelf", in: graph).text
    #expect(text.contains("static var put: Stub<Described, Void, Never> {"))
    #expect(text.contains("static var find: Stub<Key, Void, Never> {"))
  }

  @Test("describes optionals and values of Foundation that are not Sendable, without a warning")
  func describesOptionals() throws {
    var graph = Graph()
    graph.add(
      "protocol Center",
      ["var handler: (() -> Void)? { get set }", "func post(_ notification: Notification)"],
      inherits: ["Sendable"])
    #expect(
      try source(of: "Center", in: graph).text.hasSuffix(
        """
          let setHandler = Stub<Described, Void, Never>("Center.handler.set")
          var handler: (() -> Void)? {
            get { getHandler.call()() }
            set { setHandler.call(Described(newValue as Any)) }
          }

          let post = Stub<Described, Void, Never>("Center.post(_:)")
          func post(_ notification: Notification) { post.call(Described(notification)) }
        }

        """))
  }

  @Test("has no property `self`")
  func selfIsNoStub() throws {
    #expect(try stubs("func `self`(_ value: Int) -> Int") == ["selfStub"])
  }

  @Test("cannot be written where an associated type has a name that every double uses")
  func reservedAssociatedTypes() throws {
    for name in ["Doubled", "Stub"] {
      var graph = Graph()
      graph.add("protocol Shelf", ["associatedtype \(name)"])
      let error = #expect(throws: Undoubled.self) { try source(of: "Shelf", in: graph) }
      #expect(
        error?.description == """
          `Shelf` cannot be doubled: its associated type is called `\(name)`, a name that every \
          double uses. Write by hand:
            final class ShelfDouble: Shelf { … }
          """)
    }
  }

  @Test("names what is to be written by hand, with the reason and the line")
  func byHand() throws {
    var graph = Graph()
    graph.add(
      "protocol Parser",
      ["func pairs<each T>(_ value: repeat each T) -> (repeat each T)", "func next() -> Span<Int>"])
    let source = try source(of: "Parser", in: graph)
    #expect(
      source.byHand == [
        "`Parser.pairs(_:)`: its result is made of a parameter pack: "
          + "extension ParserDouble { func pairs<each T>(_ value: repeat each T) -> repeat each T "
          + "{ … } }",
        "`Parser.next()`: its result cannot be copied or kept: "
          + "extension ParserDouble { func next() -> Span<Int> { … } }",
      ])
    #expect(
      source.text.hasSuffix(
        """
          // `next()` is to be written by hand, for its result cannot be copied or kept:
          // extension ParserDouble { func next() -> Span<Int> { … } }
        }

        """))
  }
}
