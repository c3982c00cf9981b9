// mode: 6
// A closure of one expression gives what the expression gives: what ends in a `register` has to be
// accepted where the result of a closure is sent.
import DIContainer

final class Basket {}

func register(_ resolver: Resolver) async {
  _ = await MainActor.run { resolver.register { Basket() } }
  _ = await Task { Resolver.register { Basket() }.scope(.cached) }.value
  _ = await Task.detached { resolver.register(Basket.init) }.value
  async let registered = resolver.register { Basket() }
  _ = await registered
  await withTaskGroup { group in group.addTask { resolver.register { Basket() } } }
}
