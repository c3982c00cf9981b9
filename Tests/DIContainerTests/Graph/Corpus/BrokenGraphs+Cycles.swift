@testable import DIContainer

extension Wired {
  static let cycles: [GraphCase] = [
    GraphCase("A service needs itself") { r in
      r.register { (_: Ledger) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Ledger` needs itself.

           chain:       Ledger → Ledger
           registered:  `Ledger` (+1)

      \(breakTheCycle)
      """),
    GraphCase("Two services need each other") { r in
      r.register { (_: Receipts) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:       Checkout → Receipts → Checkout
           registered:  `Checkout` (+1)
           registered:  `Receipts` (+2)

      \(breakTheCycle)
      """),
    // The kernel goes by registrations: whoever asks for the report is told the same.
    GraphCase("A service that is needed again for another container") { r in
      r.register { (_: Ledger) in Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Clock) in Report() }.scope(.unique)
          base.register { (_: Report) in Ledger() }.lifetime(.perContainer(.strong))
          base.register(Clock.init)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Report` needs itself.

           chain:       Report → Clock → Ledger → Report
           registered:  `Report` (+4)
           registered:  `Clock` (+1)
           registered:  `Ledger` (+5)

      \(breakTheCycle)
      """),
    GraphCase("Two services need each other, one of which is async") { r in
      r.registerAsync({ (_: Receipts) in Checkout() })
      r.register { (_: Checkout) in Receipts() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:       Checkout → Receipts → Checkout
           registered:  `Checkout` (+1)
           registered:  `Receipts` (+2)

         To fix this:
           - Let one of them resolve later: give it a closure, `{ try await Resolver.root.requireAsync(Checkout.self) }` (a lazy wrapper cannot wait).
           - Or give it the other one once both exist, where they are needed.
      """),
    GraphCase("Three services in a circle, with a way in") { r in
      r.register { (_: Checkout) in Shop() }
      r.register { (_: Receipts) in Checkout() }
      r.register { (_: Ledger) in Receipts() }
      r.register { (_: Checkout) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:       Checkout → Receipts → Ledger → Checkout
           registered:  `Checkout` (+2)
           registered:  `Receipts` (+3)
           registered:  `Ledger` (+4)

      \(breakTheCycle)
      """),
    GraphCase("A circle by way of a protocol") { r in
      r.register { (_: any Mailer) in Receipts() }
      r.register { (_: Receipts) in SMTPMailer() }.implements((any Mailer).self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Receipts` needs itself.

           chain:       Receipts → any Mailer → SMTPMailer → Receipts
           registered:  `Receipts` (+1)
           registered:  `any Mailer` (+2)
           registered:  `SMTPMailer` (+2)

      \(breakTheCycle)
      """),
    GraphCase("A circle through an optional") { r in
      r.register { (_: Receipts?) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:       Checkout → Receipts → Checkout
           registered:  `Checkout` (+1)
           registered:  `Receipts` (+2)

      \(breakTheCycle)
      """),
    GraphCase("Two circles that meet") { r in
      r.register { (_: Receipts, _: Catalog) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
      r.register { (_: Checkout) in Catalog() }
    }
    .says(
      """
      2 things are wrong with the wiring of shop.

      1. `Catalog` needs itself.

           chain:       Catalog → Checkout → Catalog
           registered:  `Catalog` (+3)
           registered:  `Checkout` (+1)

      \(breakTheCycle)

      2. `Receipts` needs itself.

           chain:       Receipts → Checkout → Receipts
           registered:  `Receipts` (+2)
           registered:  `Checkout` (+1)

      \(breakTheCycle)
      """),
    GraphCase("Two circles apart") { r in
      r.register { (_: Receipts) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
      r.register { (_: Catalog) in Search() }
      r.register { (_: Search) in Catalog() }
    }
    .says(
      """
      2 things are wrong with the wiring of shop.

      1. `Catalog` needs itself.

           chain:       Catalog → Search → Catalog
           registered:  `Catalog` (+4)
           registered:  `Search` (+3)

      \(breakTheCycle)

      2. `Checkout` needs itself.

           chain:       Checkout → Receipts → Checkout
           registered:  `Checkout` (+1)
           registered:  `Receipts` (+2)

      \(breakTheCycle)
      """),
    GraphCase("A circle that a child closes") { r in
      r.register { (_: Receipts) in Checkout() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Checkout) in Receipts() }
          base.register { Checkout() }
        })
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
    GraphCase("Two aliases stand for each other") { r in
      let printer = r.register { Printer() }
      let laser = r.register { LaserPrinter() }
      printer.implements(LaserPrinter.self)
      laser.implements(Printer.self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `LaserPrinter` needs itself.

           chain:       LaserPrinter → Printer → LaserPrinter
           registered:  `LaserPrinter` (+3)
           registered:  `Printer` (+4)

      \(breakTheCycle)
      """),
    GraphCase("A circle that is kept is a circle too") { r in
      r.register { (_: Receipts) in Checkout() }.scope(.application)
      r.register { (_: Checkout) in Receipts() }.scope(.shared)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:       Checkout → Receipts → Checkout
           registered:  `Checkout` (+1)
           registered:  `Receipts` (+2)

      \(breakTheCycle)
      """),
  ]
}
