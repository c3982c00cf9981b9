// mode: 6; defaults: MainActor
// expect: main actor-isolated static property 'session' can not be referenced from a nonisolated
// A scope that a main-actor module declares belongs to the main actor, unless it says otherwise.
import DIContainer

final class Session {}

extension Scope {
  static let session = Scope.cache("session")
}

extension Resolver: @retroactive ResolverRegistering {
  public static func registerAllServices() {
    registerMain { Session() }.scope(.session)
  }
}
