// expect: type 'Basket' does not conform to the 'Sendable' protocol
// What may cross from one actor to another is Sendable.
import DIContainer

final class Basket {}

func ask(_ resolver: Resolver) async {
  _ = await resolver.resolveAsync(Basket.self)
}
