@testable import DIContainer

extension Wired {
  static let doubles: [GraphCase] = [
    GraphCase("A double's name is misspelt") { r in
      r.register(name: "card") { CardPayments() as any Payments }
    } doubles: { r in
      r.register(name: "crad") { CardPayments() as any Payments }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. The double for `any Payments "crad"` replaces nothing.

           registered:  +3
           close:       `any Payments "card"` is registered (+1)

         To fix this:
           - Register it for the type and name that the live service has, or remove it.

      Not seen, since validating runs no factory: what the closures of `any Payments "card"`, `any Payments "crad"` resolve.
      Check that too with `validate(dryRun: true)`, or register initialisers.
      """),
    GraphCase("A double lacks the name") { r in
      r.register(name: "card") { CardPayments() as any Payments }
    } doubles: { r in
      r.register { CardPayments() as any Payments }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. The double for `any Payments` replaces nothing.

           registered:  +3
           close:       `any Payments "card"` is registered (+1)

         To fix this:
           - Register it for the type and name that the live service has, or remove it.

      Not seen, since validating runs no factory: what the closures of `any Payments`, `any Payments "card"` resolve.
      Check that too with `validate(dryRun: true)`, or register initialisers.
      """),
    GraphCase("A double needs what is missing") { r in
      r.register { Ledger() }
    } doubles: { r in
      r.register { (_: Clock) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           needed by:  `Ledger` (+3)
           asked:      shop

         To fix this:
           - Register it: `register { … as Clock }`.
           - If it may be absent, ask with `optional`, or declare the dependency as `Clock?`.
      """),
    GraphCase("A double closes a circle") { r in
      r.register { (_: Receipts) in Checkout() }
      r.register { Receipts() }
    } doubles: { r in
      r.register { (_: Checkout) in Receipts() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:       Checkout → Receipts → Checkout
           registered:  `Checkout` (+1)
           registered:  `Receipts` (+4)

         To fix this:
           - Let one of them ask later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
           - Or set it once both exist: `.resolveProperties { r, service in … }`, in a scope that shares.
      """),
  ]
}
