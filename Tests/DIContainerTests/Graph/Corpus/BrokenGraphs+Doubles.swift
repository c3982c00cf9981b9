@testable import DIContainer

extension Wired {
  static let doubles: [GraphCase] = [
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
