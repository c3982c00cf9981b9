import DITesting
import Testing

private final class Cart: Sendable {}

@Suite("Resolver.reset() in a sandbox", .sandbox)
struct ResetAskedTests {
  @Test("forgets what main was asked for and another container owns")
  func ownedByAnother() {
    let shop = Resolver { $0.register { Cart() }.scope(.container) }
    Resolver.main.add(child: shop)
    let before = Resolver.resolve(Cart.self)
    Resolver.reset()
    Resolver.main.add(child: shop)
    #expect(Resolver.resolve(Cart.self) !== before)
  }

  @Test("forgets what main was asked for and a layer around it registers")
  func ownedByLayer() {
    withLayer {
      $0.register { Cart() }.scope(.container)
    } operation: {
      withSandbox {
        let before = Resolver.main.resolve(Cart.self)
        #expect(Resolver.main.resolve(Cart.self) === before)
        Resolver.reset()
        #expect(Resolver.main.resolve(Cart.self) !== before)
      }
    }
  }
}
