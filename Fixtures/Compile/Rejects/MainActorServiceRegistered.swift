// expect: call to main actor-isolated initializer 'init()' in a synchronous nonisolated context
// mode: 6; defaults: MainActor
// A service of the main actor is registered with `registerMain`.
import DIContainer

final class LiveMailer {
  private var sent: [String] = []
  init() { sent.append("ready") }
}

extension Resolver: @retroactive ResolverRegistering {
  nonisolated public static func registerAllServices() {
    register { LiveMailer() }
  }
}
