import DICompatibility
@testable import DIContainer

extension Wired {
  static let promises: [GraphCase] = [
    GraphCase("A structure does not conform") { r in
      r.register { CashBox() }.implements((any Payments).self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CashBox` was registered to implement `any Payments`, but does not conform to it.

           registered:  +1

         To fix this:
           - Make `CashBox` conform to `Payments`, or remove the `.implements`.

      \(unseen("`CashBox`"))
      """),
    GraphCase("A class does not conform") { r in
      r.register { Printer() }.as((any Payments).self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Printer` was registered to implement `any Payments`, but does not conform to it.

           registered:  +1

         To fix this:
           - Make `Printer` conform to `Payments`, or remove the `.implements`.

      \(unseen("`Printer`"))
      """),
    GraphCase("A class is not the other's subclass") { r in
      r.register { LazyReceipts(checkout: LazyCheckout()) }.implements(Printer.self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `LazyReceipts` was registered to implement `Printer`, but does not conform to it.

           registered:  +1

         To fix this:
           - Make `LazyReceipts` conform to `Printer`, or remove the `.implements`.

      \(unseen("`LazyReceipts`"))
      """),
    GraphCase("A structure is no other structure") { r in
      r.register { CashBox() }.implements(Clock.self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CashBox` was registered to implement `Clock`, but does not conform to it.

           registered:  +1

         To fix this:
           - Make `CashBox` conform to `Clock`, or remove the `.implements`.

      \(unseen("`CashBox`"))
      """),
    GraphCase("It conforms to one of two protocols only") { r in
      r.register { CardPayments() }.implements((any Payments & Mailer).self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CardPayments` was registered to implement `any Mailer & Payments`, but does not conform to it.

           registered:  +1

         To fix this:
           - Make `CardPayments` conform to `Mailer & Payments`, or remove the `.implements`.

      \(unseen("`CardPayments`"))
      """),
  ]
}
