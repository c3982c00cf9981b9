// expect: non-Sendable
// An async factory runs in other tasks: it captures what is Sendable.
import DIContainer

final class Basket { var lines: [String] = [] }

func register(_ resolver: Resolver, _ basket: Basket) {
  resolver.registerAsync(factory: { basket.lines.count })
}
