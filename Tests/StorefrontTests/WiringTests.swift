import DITesting
import StorefrontKit
import Testing

/// How the shop is wired.
///
/// The file also says which protocols are doubled.
@Suite(.sandbox { _ in Resolver.production { Resolver.wireStorefront() } }) struct WiringTests {
  @Test("The shop is wired as it stands on file")
  func wiring() {
    expectWiring(of: Resolver.main.graph, matches: "storefront")
  }
}
