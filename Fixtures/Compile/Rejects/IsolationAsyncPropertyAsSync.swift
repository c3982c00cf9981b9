// expect: 'async'
// The declared type of a property selects the form; an async closure is no sync factory.
import DIContainer

final class Prices: Sendable {
  static func load() async -> Prices { Prices() }
}

extension Container {
  var prices: Factory<Prices> { self { await Prices.load() } }
}
