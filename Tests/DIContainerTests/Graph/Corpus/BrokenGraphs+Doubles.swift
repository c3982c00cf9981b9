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

      \(unseen("`any Payments \"card\"`, `any Payments \"crad\"`"))
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

      \(unseen("`any Payments`, `any Payments \"card\"`"))
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

      \(registerIt("Clock"))
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

      \(breakTheCycle)
      """),
  ]
}
