// A small shop: what is registered and asked for.

protocol Pricing: AnyObject, Sendable {}
protocol Clock {}

final class Catalog: Pricing, Sendable {
  let items = 3
  let currency = 978
}

final class Prices: Sendable {
  let catalog: Catalog
  init(_ catalog: Catalog) { self.catalog = catalog }
}

final class Basket: Sendable {
  let prices: Prices
  init(_ prices: Prices) { self.prices = prices }
}

final class Payments: Sendable {
  let basket: Basket
  init(_ basket: Basket) { self.basket = basket }
}

final class Checkout: Sendable {
  let payments: Payments
  init(_ payments: Payments) { self.payments = payments }
}

final class Settings: Sendable { let language = 1 }
final class Session: Sendable { let user = 1 }
final class ShopClock: Clock, Sendable { let zone = 1 }
struct StubClock: Clock { let zone = 1 }

@inline(never) func makeCatalog() -> Catalog { Catalog() }
@inline(never) func makePrices(_ catalog: Catalog) -> Prices { Prices(catalog) }
@inline(never) func makeBasket(_ prices: Prices) -> Basket { Basket(prices) }
@inline(never) func makePayments(_ basket: Basket) -> Payments { Payments(basket) }
@inline(never) func makeCheckout(_ payments: Payments) -> Checkout { Checkout(payments) }
