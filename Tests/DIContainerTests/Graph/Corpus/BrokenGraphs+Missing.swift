@testable import DIContainer

extension Wired {
  static let missing: [GraphCase] = [
    GraphCase("A parameter is not registered") { r in
      r.register { (_: Clock) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           needed by:  `Ledger` (+1)
           asked:      shop

      \(registerIt("Clock"))
      """),
    GraphCase("The chain leads from the root") { r in
      r.register { (_: Checkout) in Shop() }
      r.register { (_: Ledger) in Checkout() }
      r.register { (_: Clock) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Shop → Checkout → Ledger → Clock
           needed by:  `Ledger` (+3)
           asked:      shop

      \(registerIt("Clock"))
      """),
    GraphCase("Each root has its chain") { r in
      r.register { (_: Ledger) in Shop() }
      r.register { (_: Ledger) in Report() }
      r.register { (_: Clock) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Report → Ledger → Clock
           chain:      Shop → Ledger → Clock
           needed by:  `Ledger` (+3)
           asked:      shop

      \(registerIt("Clock"))
      """),
    GraphCase("One service needs two that are missing") { r in
      r.register { (_: Clock, _: Database) in Ledger() }
    }
    .says(
      """
      2 things are wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           needed by:  `Ledger` (+1)
           asked:      shop

      \(registerIt("Clock"))

      2. Nothing is registered for `Database`.

           chain:      Ledger → Database
           needed by:  `Ledger` (+1)
           asked:      shop

      \(registerIt("Database"))
      """),
    GraphCase("Two services need one that is missing") { r in
      r.register { (_: Clock) in Ledger() }
      r.register { (_: Clock) in Catalog() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Catalog → Clock
           chain:      Ledger → Clock
           needed by:  `Catalog` (+2)
           needed by:  `Ledger` (+1)
           asked:      shop

      \(registerIt("Clock"))
      """),
    GraphCase("Only another name is registered") { r in
      r.register(name: "utc") { Clock() }
      r.register { (_: Clock) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           needed by:  `Ledger` (+2)
           asked:      shop
           close:      `Clock "utc"` is registered (+1)

         To fix this:
           - It is registered under "utc", and was requested under no name: use one.
           - Register it: `register { … as Clock }`.
           - If it is optional, resolve it with `optional`, or declare the dependency as `Clock?`.

      \(unseen("`Clock \"utc\"`"))
      """),
    GraphCase("A conforming type is registered, but not for the protocol") { r in
      r.register { SMTPMailer() }
      r.register { (_: any Mailer) in Receipts() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `any Mailer`.

           chain:      Receipts → any Mailer
           needed by:  `Receipts` (+2)
           asked:      shop
           close:      `SMTPMailer` is registered (+1)

         To fix this:
           - Add `.implements((any Mailer).self)` to the registration of `SMTPMailer`.
           - Register it: `register { … as any Mailer }`.
           - If it is optional, resolve it with `optional`, or declare the dependency as `(any Mailer)?`.

      \(unseen("`SMTPMailer`"))
      """),
    GraphCase("The protocol is registered, but the type is asked for") { r in
      r.register { SMTPMailer() as any Mailer }
      r.register { (_: SMTPMailer) in Receipts() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `SMTPMailer`.

           chain:      Receipts → SMTPMailer
           needed by:  `Receipts` (+2)
           asked:      shop
           close:      `any Mailer` is registered (+1)

         To fix this:
           - If you meant `any Mailer`, request that.
           - Register it: `register { … as SMTPMailer }`.
           - If it is optional, resolve it with `optional`, or declare the dependency as `SMTPMailer?`.

      \(unseen("`any Mailer`"))
      """),
    GraphCase("What an alias stands for was removed") { r in
      r.register { SMTPMailer() }.implements((any Mailer).self)
      r.remove(SMTPMailer.self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `SMTPMailer`.

           chain:      any Mailer → SMTPMailer
           needed by:  `any Mailer` (+1)
           asked:      shop

      \(registerIt("SMTPMailer"))
      """),
    GraphCase("A parent does not see its child") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Clock) in Ledger() }.lifetime(.perContainer(.strong))
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           needed by:  `Ledger` (+4)
           asked:      base

      \(registerIt("Clock"))

      \(unseen("`Clock`"))
      """),
    GraphCase("A parent's parent lacks what is needed") { r in
      r.add(
        child: Resolver(named: "core") { core in
          core.register { (_: Ledger) in Catalog() }
          core.add(
            child: Resolver(named: "base") { base in
              base.register { (_: Clock) in Ledger() }
            })
        })
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Catalog → Ledger → Clock
           needed by:  `Ledger` (+6)
           asked:      shop

      \(registerIt("Clock"))
      """),
    GraphCase("A root is not registered", roots: [Shop.self]) { r in
      r.register { Clock() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for the root `Shop`.

      \(registerIt("Shop"))

      \(unseen("`Clock`"))
      """),
    GraphCase("What an assembly leaves to others is in none") { r in
      struct LedgerAssembly: Assembly {
        func assemble(container: Container) {
          container.register { (_: Clock) in Ledger() }
        }
      }
      _ = Assembler([LedgerAssembly()], container: r)
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
    GraphCase("What a lazy parameter asks for") { r in
      r.register { (_: LazyInjected<Clock>) in Ledger() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger ⇢ Clock
           needed by:  `Ledger` (+1)
           asked:      shop

      \(registerIt("Clock"))
      """),
  ]
}
