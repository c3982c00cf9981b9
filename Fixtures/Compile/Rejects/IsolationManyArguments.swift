// expect: 'Sendable'
// Every factory gets the arguments, wherever it runs: they have to be Sendable.
import DIContainer

final class Bag { var count = 0 }
protocol Shelf: Sendable {}

func shelves(_ resolver: Resolver) async -> [any Shelf] {
  await resolver.resolveManyAsync((any Shelf).self, args: Bag())
}
