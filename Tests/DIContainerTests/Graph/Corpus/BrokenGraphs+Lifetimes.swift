@testable import DIContainer

extension Wired {
  static let lifetimes: [GraphCase] = [
    GraphCase("A parent's cached service would get the child's clock or its own") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Clock() }
          base.register { (_: Clock) in Ledger() }.scope(.cached)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Ledger` is built differently, depending on which container resolves it first.

           chain:  Ledger → Clock
           kept:   cached, registered in base (+5)
           holds:  `Clock` of shop (+1) if shop resolves it first
           holds:  `Clock` of base (+4) if base resolves it first

      \(keepItApart)

      \(unseen("`Clock`"))
      """),
    GraphCase("A process-wide site would be built in two ways, by way of others") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Clock() }
          base.register { (_: Clock) in Ledger() }
          base.register { (_: Ledger) in Checkout() }.lifetime(.single)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` is built differently, depending on which container resolves it first.

           chain:  Checkout → Ledger → Clock
           kept:   single, registered in base (+6)
           holds:  `Clock` of shop (+1) if shop resolves it first
           holds:  `Clock` of base (+4) if base resolves it first

      \(keepItApart)

      \(unseen("`Clock`"))
      """),
    GraphCase("A weakly shared service would be built in two ways") { r in
      r.register { LaserPrinter() as Printer }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Printer() }
          base.register { (_: Printer) in LazyCheckout() }.scope(.shared)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `LazyCheckout` is built differently, depending on which container resolves it first.

           chain:  LazyCheckout → Printer
           kept:   shared, registered in base (+5)
           holds:  `Printer` of shop (+1) if shop resolves it first
           holds:  `Printer` of base (+4) if base resolves it first

      \(keepItApart)

      \(unseen("`Printer`"))

      Not seen: what `LazyCheckout` may resolve besides the parameters of its initialiser, by property wrappers or otherwise.
      Check that too with `validate(dryRun: true)`.
      """),
    GraphCase("An application-wide service holds what only the child has") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Clock) in Ledger() }.scope(.application)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Ledger` is kept for everyone, and holds what only shop has.

           chain:  Ledger → Clock
           kept:   application, registered in base (+4)
           holds:  `Clock` of shop (+1)

      \(keepItApart)

      \(unseen("`Clock`"))
      """),
    GraphCase("An application-wide service holds what each container has its own of") { r in
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Printer() }.scope(.container)
          base.register { (_: Printer) in Ledger() }.scope(.application)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Ledger` is kept for everyone, and holds what is kept for each requesting container.

           chain:  Ledger → Printer
           kept:   application, registered in base (+4)
           holds:  `Printer` of base (+3), one for each requesting container

      \(keepItApart)

      \(unseen("`Printer`"))
      """),
    GraphCase("A singleton holds a protocol's implementation of the child") { r in
      r.register { SMTPMailer() }.implements((any Mailer).self)
      r.add(
        child: Resolver(named: "base") { base in
          base.register { SpyMailer() as any Mailer }
          base.register { (_: any Mailer) in Receipts() }.scope(.singleton)
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Receipts` is built differently, depending on which container resolves it first.

           chain:  Receipts → any Mailer
           kept:   singleton, registered in base (+5)
           holds:  `any Mailer` of shop (+1) if shop resolves it first
           holds:  `any Mailer` of base (+4) if base resolves it first

      \(keepItApart)

      \(unseen("`SMTPMailer`"))
      """),
  ]
}
