// expect: cannot form main actor-isolated conformance of 'Resolver' to SendableMetatype
// mode: 6; defaults: MainActor
// A conformance that belongs to the main actor would not be found off it.
import DIContainer

extension Resolver: @MainActor @retroactive ResolverRegistering {
  public static func registerAllServices() {}
}
