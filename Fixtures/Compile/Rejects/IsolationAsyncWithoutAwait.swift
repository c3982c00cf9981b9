// expect: 'async' call in a function that does not support concurrency
// An async service cannot be asked for by a sync factory or function.
import DIContainer

final class Prices: Sendable {}

func register(_ resolver: Resolver) {
  resolver.register { r in [r.resolveAsync(Prices.self)] }
}

func ask(_ resolver: Resolver) -> Prices {
  resolver.resolveAsync(Prices.self)
}
