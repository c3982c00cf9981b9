// expect: cannot form main actor-isolated conformance of 'Resolver' to SendableMetatype
// mode: 5; defaults: MainActor
// The same in Swift 5 mode, in which the compiler takes the conformance for one of no actor.
import DIContainer

extension Resolver: @MainActor @retroactive ResolverRegistering {
  public static func registerAllServices() {}
}
