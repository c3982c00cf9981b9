public import DIContainer

extension Resolver {
  /// The container of all that takes customers' money.
  public static let payments: Resolver = Resolver(child: core) { r in
    r.register(name: .cardLimit) { Money(cents: 500_00) }
    r.register(name: .creditLimit) { Money(cents: 1_000_00) }

    // One ledger a desk: both gateways are resolved in the same go, so they share it.
    r.register(PaymentLedger.init)
      .scope(.graph)
    r.register((any PaymentGateway).self, name: .card) { r in
      CardGateway(limit: r.resolve(name: .cardLimit), ledger: r.resolve())
    }
    r.register((any PaymentGateway).self, name: .invoice) { r in
      InvoiceGateway(
        limit: r.resolve(name: .creditLimit), ledger: r.resolve(), clock: r.resolve())
    }
    r.register { r in
      PaymentDesk(card: r.resolve(name: .card), invoice: r.resolve(name: .invoice))
    }
  }
}
