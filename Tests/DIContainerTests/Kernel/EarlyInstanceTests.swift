@testable import DIContainer
import Testing

private final class Catalog {}

/// Asks for something that is kept when it goes.
private final class Shelf {
  private let shop: Resolver
  init(_ shop: Resolver) { self.shop = shop }
  deinit { _ = shop.resolve(Catalog.self) }
}

@Suite("An instance whose properties are being set")
struct EarlyInstanceTests {
  @Test("may resolve while it goes, where another takes its place in the circle")
  func replaced() throws {
    let shop = Resolver()
    shop.register { Catalog() }.scope(.cached)
    let keeper = Keeper(.cached, Shelf.self)
    weak var first: Shelf?
    let made: Shelf? = try keeper.value(
      cycle: { _ in ResolutionError(.other(""), at: CodeLocation()) }
    ) { build in
      do {
        let shelf = Shelf(shop)
        first = shelf
        build.show(early: Instance(shelf))
      }
      // The build alone holds it.
      #expect(first != nil)
      build.show(early: Instance(Shelf(shop)))
      #expect(first == nil)
      return nil
    }
    #expect(made == nil)
  }
}
