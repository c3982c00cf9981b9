// expect: non-Sendable
// A main-actor service that is not Sendable does not leave the main actor.
import DIContainer

final class Basket {}

func ask(_ resolver: Resolver) async -> Basket {
  await resolver.resolveOnMain(Basket.self)
}
