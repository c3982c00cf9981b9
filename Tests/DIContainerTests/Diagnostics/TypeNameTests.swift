@testable import DIContainer
import DITesting
import Testing

private enum Checkout {
  struct ViewModel {
    let cart: Basket.ViewModel
  }
  final class Store {}
}
private enum Basket {
  struct ViewModel {
    let offers: Offers.ViewModel?
    let prices: Prices
  }
}
private enum Offers {
  struct ViewModel {}
  final class Store {}
}
private struct Prices {}
private struct Window<Content> {}
private protocol Stack<Product> {
  associatedtype Product
}
private protocol Shelf<Product, Label> {
  associatedtype Product
  associatedtype Label
}

/// Types of different owners that have one name are told apart, where both stand in one text.
@Suite("Nested types of one name")
struct TypeNameTests {
  private let shop: Resolver = Resolver(named: "shop")

  private let here = "DIContainerTests/TypeNameTests.swift"

  @Test("stand in a chain with their owners")
  func chain() {
    let registered = #line + 1
    shop.register(Checkout.ViewModel.init)
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Checkout.ViewModel.self)
    }
    #expect(
      error?.description == """
        Nothing is registered for `Basket.ViewModel`.

          chain:      Checkout.ViewModel → Basket.ViewModel
          from:       \(here):\(registered + 1)
          requested:  \(here):\(registered)
          asked:      shop
          close:      `Checkout.ViewModel` is registered (\(here):\(registered))

        To fix this:
          - If you meant `Checkout.ViewModel`, request that.
          - Register it: `register { … as Basket.ViewModel }`.
          - If it is optional, resolve it with `optional`, or declare the dependency as \
        `Basket.ViewModel?`.
        """)
  }

  @Test("stand with their owners as optionals and in what is generic, too")
  func wrapped() {
    shop.register(Checkout.ViewModel.init)
    shop.register(Basket.ViewModel.init)
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Checkout.ViewModel.self)
    }
    #expect(
      error?.description.contains(
        "Checkout.ViewModel → Basket.ViewModel → Prices\n") == true)
    #expect(
      shop.graph.description == """
        Checkout.ViewModel  — graph, shop
          Basket.ViewModel  — graph, shop
            optional Offers.ViewModel  — missing
            Prices  — missing
        """)
    let windows = TypeNames.telling([Window<Checkout.Store>.self, Window<Offers.Store>?.self]) {
      [describe(Window<Checkout.Store>.self), describe(Window<Offers.Store>?.self)]
    }
    #expect(windows == ["Window<Checkout.Store>", "Window<Offers.Store>?"])
  }

  @Test("stand by themselves where the other is not in the text")
  func alone() {
    shop.register { Offers.Store() }
    #expect(shop.registrations.map(\.description).allSatisfy { $0.hasPrefix("Store (graph)") })
    #expect(describe(Offers.Store.self) == "Store")
    #expect(ServiceKey(Checkout.Store.self, name: "a").description == #"Store "a""#)
  }

  @Test("stand in pictures, lists and recordings with their owners")
  func pictures() {
    let recorder = ResolutionRecorder()
    shop.register { Offers.Store() }
    shop.register { Checkout.Store() }
    withRecorder(recorder) {
      _ = shop.resolve(Offers.Store.self)
      _ = shop.resolve(Checkout.Store.self)
    }
    let graph = shop.graph
    #expect(
      graph.description == """
        Checkout.Store  — graph, shop, closure
        Offers.Store  — graph, shop, closure
        """)
    for picture in [
      graph.mermaid, graph.dot, recorder.tree, recorder.mermaid, recorder.dot,
      shop.registrations.map(\.description).joined(),
    ] {
      #expect(picture.contains("Checkout.Store"))
      #expect(picture.contains("Offers.Store"))
    }
  }

  @Test("stand in what validating finds with their owners")
  func findings() {
    shop.register(Checkout.ViewModel.init)
    let error = #expect(throws: ValidationError.self) { try shop.validate() }
    let text = error?.description ?? ""
    #expect(text.contains("Nothing is registered for `Basket.ViewModel`."))
    #expect(text.contains("chain:      Checkout.ViewModel → Basket.ViewModel\n"))
    #expect(text.contains("needed by:  `Checkout.ViewModel`"))
    #expect(text.contains("close:      `Checkout.ViewModel` is registered"))
  }

  @Test("of two modules stand with these only where their owners are of one name, too")
  func modules() {
    let types: [Any.Type] = [Int.self, Other.Int.self]
    #expect(TypeNames.telling(types) { types.map { describe($0) } } == ["Int", "Other.Int"])
    let same: [Any.Type] = [Duration.self, Swift.Duration.self]
    #expect(
      TypeNames.telling(same) { same.map { describe($0) } }
        == ["DIContainerTests.Duration", "Swift.Duration"])
  }

  @Test("stand with what a protocol is asked for with, as one writes it")
  func primaryTypes() {
    #expect(describe((any Stack<Window<Int>>).self) == "any Stack<Window<Int>>")
    #expect(
      describe((any Shelf<Int, Window<Int>>).self)
        == "any Shelf<Label == Window<Int>, Product == Int>")
  }
}

private enum Other {
  struct Int {}
}
private struct Duration {}

/// What a text shows of a type is Swift.
@Suite("The name of a type")
struct TypeSpellingTests {
  @Test("says `any` in a list and in a protocol's metatype")
  func protocols() {
    #expect(describe([any Stack].self) == "[any Stack]")
    #expect(describe([any Stack<Int>]?.self) == "[any Stack<Int>]?")
    #expect(describe([(any Stack)?].self) == "[(any Stack)?]")
    #expect(describe([[Prices]].self) == "Array<Array<Prices>>")
    #expect(describe((any Stack).Type.self) == "(any Stack).Type")
    #expect(describe(Prices.Type.self) == "Prices.Type")
  }

  @Test("has parentheses where Swift needs them")
  func parentheses() {
    #expect(metatypeText((any Stack).self) == "(any Stack).self")
    #expect(metatypeText((any Stack)?.self) == "(any Stack)?.self")
    #expect(metatypeText([any Stack].self) == "[any Stack].self")
    #expect(metatypeText((any Stack).Type.self) == "(any Stack).Type.self")
    #expect(metatypeText((() -> Prices).self) == "(() -> Prices).self")
    #expect(describe((() -> Prices)?.self) == "(() -> Prices)?")
    #expect(metatypeText(Dictionary<String, Prices>.self) == "Dictionary<String, Prices>.self")
  }

  @Test("has its owner in a list, too, where two lists would read alike")
  func lists() {
    let names = TypeNames.telling([[Checkout.Store].self, [Offers.Store].self]) {
      [describe([Checkout.Store].self), describe([Offers.Store].self)]
    }
    #expect(names == ["[Checkout.Store]", "[Offers.Store]"])
  }
}
