import DIContainer
import TestSupport
import Testing

private protocol Priced { var price: Int { get } }
private protocol Shelved: AnyObject { var shelf: String { get } }
private protocol Labelled { var label: String { get } }

private class Item {}
private class Tea: Item, Priced, Shelved, Labelled {
  var price: Int { 4 }
  var shelf: String { "left" }
  var label: String { "tea" }
}
private final class RareTea: Tea {
  override var price: Int { 40 }
  override var shelf: String { "top" }
  override var label: String { "rare tea" }
}
private final class Cup: Item {}

/// What `implements` remembers of one class must not be used for another.
@Suite("An alias for instances of several classes")
struct AliasClassTests {
  private static func shop(_ stock: [Item], _ scope: Scope = .unique) -> Resolver {
    let next = Counter()
    return Resolver {
      $0.register { () -> Item in stock[(next.increment() - 1) % stock.count] }
        .implements((any Priced).self)
        .implements((any Shelved).self)
        .implements((any Labelled & Shelved).self)
        .implements(Tea.self)
        .scope(scope)
    }
  }

  @Test("Each instance is seen as the protocol by way of its own class")
  func protocols() {
    let shop = Self.shop([Tea(), Tea(), RareTea(), Tea()])
    let prices = (0..<8).map { _ in shop.resolve((any Priced).self).price }
    #expect(prices == [4, 4, 40, 4, 4, 4, 40, 4])
  }

  @Test("So it is as a protocol for classes only, and as several protocols at once")
  func otherForms() {
    let shop = Self.shop([Tea(), Tea(), RareTea()])
    #expect((0..<3).map { _ in shop.resolve((any Shelved).self).shelf } == ["left", "left", "top"])
    #expect(
      (0..<3).map { _ in shop.resolve((any Labelled & Shelved).self).label }
        == ["tea", "tea", "rare tea"])
  }

  @Test("A class that an instance inherits from or is stands for it too")
  func classes() {
    let stock = [Tea(), RareTea(), Tea()]
    let shop = Self.shop(stock)
    for tea in stock { #expect(shop.resolve(Tea.self) === tea) }
  }

  @Test(
    "An instance whose class does not conform is refused, after others that did too",
    arguments: [Scope.unique, .graph])
  func refused(scope: Scope) throws {
    let shop = Self.shop([Tea(), Tea(), Cup()], scope)
    _ = try shop.require((any Priced).self)
    _ = try shop.require((any Priced).self)
    let error = #expect(throws: ResolutionError.self) { try shop.require((any Priced).self) }
    #expect(error?.reason == .notImplemented(protocol: "any Priced", by: "Item"))
  }

  @Test(
    "What is kept for the class is what the alias hands out, again and again",
    arguments: [Scope.cached, .container, .shared])
  func kept(scope: Scope) throws {
    let shop = Self.shop([Tea(), RareTea()], scope)
    let first = shop.resolve(Item.self)
    for _ in 0..<3 {
      #expect(shop.resolve((any Shelved).self) === first)
      #expect(shop.resolve(Tea.self) === first)
    }
    shop.reset()
  }

  @Test("An alias follows what is registered later for the class, and for the alias")
  func replaced() {
    let shop = Self.shop([Tea()])
    for _ in 0..<2 { #expect(shop.resolve((any Priced).self).price == 4) }
    shop.register { RareTea() as Item }
    for _ in 0..<2 { #expect(shop.resolve((any Priced).self).price == 40) }
  }

  @Test("A factory that answers nil leaves the alias unanswered")
  func nothing() {
    let answers = Counter()
    let shop = Resolver {
      $0.register { () -> Tea? in answers.increment() <= 2 ? Tea() : nil }
        .implements((any Priced).self)
    }
    let isAnswered = (0..<4).map { _ in shop.optional((any Priced).self) != nil }
    #expect(isAnswered == [true, true, false, false])
  }

  @Test("A cycle through an alias is reported with its chain")
  func cycle() throws {
    let shop = Resolver()
    let isCircular = Counter()
    shop.register { r -> Tea in
      if isCircular.value > 0 { _ = try r.require((any Priced).self) }
      return Tea()
    }.implements((any Priced).self)
    _ = try shop.require((any Priced).self)
    _ = try shop.require((any Priced).self)
    isCircular.increment()
    let error = #expect(throws: ResolutionError.self) { try shop.require((any Priced).self) }
    #expect(error?.reason == .cycle)
    #expect(error?.chain.map(\.description) == ["any Priced", "any Priced"])
  }
}
