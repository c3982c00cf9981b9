import DIContainer

// The storefront as a typed container declares it.

protocol Payments: AnyObject {
  var name: String { get }
}

final class CardPayments: Payments {
  let name = "card"
}

final class FakePayments: Payments {
  let name: String
  init(_ name: String = "fake") { self.name = name }
}

final class Basket {}

struct Price: Equatable {
  let cents: Int
}

final class Till {
  let payments: any Payments
  init(payments: any Payments) { self.payments = payments }
}

final class Order: Sendable {
  let number: Int
  let customer: String
  init(number: Int, customer: String = "") {
    self.number = number
    self.customer = customer
  }
}

extension Container {
  var payments: Factory<any Payments> { self { CardPayments() } }
  var cachedPayments: Factory<any Payments> { self { CardPayments() }.cached }
  var sharedPayments: Factory<any Payments> { self { CardPayments() }.shared }
  var till: Factory<Till> { self { Till(payments: self.payments()) } }
  var order: ParameterFactory<Int, Order> { self { Order(number: $0) } }
}

/// A container of our own.
final class Warehouse: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Warehouse {
  var payments: Factory<any Payments> { self { FakePayments("warehouse") } }
  var basket: Factory<Basket> { self { Basket() }.cached }
  var counter: Factory<Basket> { makes { Basket() } }
}

extension SharedContainer {
  var common: Factory<Basket> { makes { Basket() } }
}
