// expect: global actor 'Store'-isolated
// A global actor's closure names the actor: it is what the compiler checks.
import DIContainer

@globalActor actor Store { static let shared = Store() }
@Store final class Stock { init() {} }

func register(_ resolver: Resolver) {
  resolver.register(on: Store.self) { Stock() }
}
