import DICompatibility
import DIContainer
import DITesting
import Testing

private final class Clock {}
private final class Order {
  let id: Int
  let clock: Clock
  let note: String?
  var items: [String] = []
  var express = false
  init(id: Int, clock: Clock, note: String?) {
    (self.id, self.clock, self.note) = (id, clock, note)
  }
}

@Suite("Arguments of the request among the parameters")
struct PassedArgumentTests {
  private let shop = Resolver()

  private func registerOrder() {
    shop.register(Clock.init)
    shop.register { Order(id: arg($0), clock: $1, note: arg($2)) }
  }

  @Test("A factory gets them in order, and what it needs beside by type")
  func factory() {
    registerOrder()
    let order: Order = shop.resolve(args: 7, "by noon")
    #expect(order.id == 7)
    #expect(order.note == "by noon")
    #expect(shop.resolve(Order.self, arguments: 8, "late").id == 8)
  }

  @Test("The first of them may be the only one, and an optional one may be missing or nil")
  func optional() {
    registerOrder()
    #expect(shop.resolve(Order.self, args: 7).note == nil)
    #expect(shop.resolve(Order.self, argument: 7).id == 7)
    let order: Order? = shop.resolve(args: 7, nil)
    #expect(order?.id == 7)
    #expect(order?.note == nil)
  }

  @Test("Injections get those that follow the factory's, in their order")
  func injections() {
    shop.register(Clock.init)
    shop.register { Order(id: arg($0), clock: $1, note: nil) }
      .injection { $0.items = arg($1) }
      .injection(\.express) { arg($0) }
    let order: Order = shop.resolve(args: 7, ["tea"], true)
    #expect(order.items == ["tea"])
    #expect(order.express)
  }

  @Test("One that is missing, or of another type, is an error that says which")
  func missing() {
    shop.register(Clock.init)
    shop.register { Order(id: arg($0), clock: $1, note: nil) }
      .injection { $0.items = arg($1) }
    let none = #expect(throws: ResolutionError.self) { try shop.require(Order.self) }
    #expect(none?.reason == .missingArgument(key: "1", type: "Int", given: []))
    let one = #expect(throws: ResolutionError.self) { try shop.require(Order.self, args: 7) }
    #expect(one?.reason == .missingArgument(key: "2", type: "Array<String>", given: [""]))
    let wrong = #expect(throws: ResolutionError.self) { try shop.require(Order.self, args: "7") }
    #expect(wrong?.reason == .wrongArgument(key: nil, type: "Int", given: "String"))
  }

  @Test("All services of a type get the arguments that all are asked for with")
  func allServices() {
    registerOrder()
    let orders: [Order] = many(shop.resolve(args: 7, "by noon"))
    #expect(orders.map(\.id) == [7])
  }

  @Test("They are no dependencies: the wiring is right without them")
  func graph() throws {
    registerOrder()
    let order = shop.registrations.first { $0.key == ServiceKey(Order.self) }
    #expect(order?.dependencies == [Dependency(ServiceKey(Clock.self))])
    try shop.validate()
    try order?.check()
  }

  @Test("Asked for anywhere else, they are an error that says so")
  func elsewhere() {
    let error = #expect(throws: ResolutionError.self) {
      try shop.require(Resolver.PassedArgument<Int>.self)
    }
    #expect(
      error?.reason
        == .other(
          "`arg(_:)` takes an argument among the parameters of `register` and `injection` only."))
  }

  @Test("A double that takes them gets them in a sandbox")
  func double() {
    registerOrder()
    withSandbox {
      shop.register { Order(id: -arg($0), clock: $1, note: "double") }
      #expect(shop.resolve(Order.self, args: 7).id == -7)
    }
    #expect(shop.resolve(Order.self, args: 7).id == 7)
  }
}
