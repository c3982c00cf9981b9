public import DIContainer
import StorefrontKit

// A package of your own writes `extension Resolver: @retroactive ResolverRegistering`; here, in the
// package that declares both, the attribute would be an error.
extension Resolver: ResolverRegistering {
  /// Wires the storefront, once, before anything is resolved.
  public static func registerAllServices() {
    wireStorefront()
  }
}
