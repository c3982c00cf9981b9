@testable import DITesting

// What tests of findings share: a shop, and a container of its own. Their lines are in the texts
// that tests expect.

let findingShop = Resolver { r in
  r.register { LivePayments() as any Payments }
  r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  r.register { Basket() }.scope(.cached)
}

final class FindingDepot: SharedContainer {
  static let shared = FindingDepot()
  let manager = ContainerManager()
  var basket: Factory<Basket> { self { Basket() }.cached }
  var invoice: Factory<Basket> { self { Basket() } }
  var numbered: ParameterFactory<Int, Basket> {
    self { _ in Basket() }.scopeOnParameters.cached
  }
  var expiring: Factory<Basket> { self { Basket() }.cached }
  var shared: Factory<Basket> { self { Basket() }.shared }
  var sharedNumbered: ParameterFactory<Int, Basket> {
    self { _ in Basket() }.scopeOnParameters.shared
  }
}

/// A helper of several tests' files.
func registerBasket(in shop: Resolver, named name: Resolver.Name) {
  shop.register(name: name) { Basket() }
}

let helperLine: UInt = #line - 3
