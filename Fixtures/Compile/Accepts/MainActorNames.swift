// mode: 6; defaults: MainActor
// Names and scopes of a module whose default isolation is the main actor, where no actor is asked.
import DIContainer

final class Session {}

extension Resolver.Name {
  nonisolated static let guest = Self("guest")
}

extension Scope {
  nonisolated static let session = Scope.cache("session")
}

extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    registerMain(name: .guest) { Session() }.scope(.session)
  }
}
