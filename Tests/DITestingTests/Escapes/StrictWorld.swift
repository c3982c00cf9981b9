import DITesting

// A world with an assembly, a named service and a container of its own, to make exceptions for.

struct PaymentAssembly: Assembly {
  func assemble(container: Container) {
    container.register { LivePayments() as any Payments }
  }
}

let assembledShop = Resolver { r in
  _ = Assembler([PaymentAssembly()], container: r)
}
let strictWarehouse = Resolver { r in r.register { Basket() } }
let strictShop = Resolver(child: strictWarehouse) { r in
  r.register { LivePayments() as any Payments }
  r.register(name: "card") { LivePayments() as any Payments }
  r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
}

/// A service that is declared as a property, in either container.
final class StrictClock: Sendable {}

final class StrictYard: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var clock: Factory<StrictClock> { self { StrictClock() }.singleton }
}

extension Container {
  var strictClock: Factory<StrictClock> { self { StrictClock() }.cached }
}

/// Code of the app whose lines a report names.
final class PayDesk {
  @Injected(container: strictShop) var payments: any Payments
}

let payDeskLine: UInt = #line - 3

func requirePayments() throws -> any Payments { try strictShop.require() }
