@testable import DIContainer

/// Small wirings with a fault or two in them.
let brokenGraphs: [GraphCase] =
  Wired.missing + Wired.cycles + Wired.lifetimes + Wired.promises + Wired.doubles + Wired.rules
  + Wired.dryRuns

extension Wired {
  fileprivate static let missing: [GraphCase] = [
    GraphCase("A parameter is not registered") { r in
      r.register { (_: Clock) in Ledger() }
    },
    GraphCase("The chain leads from the root") { r in
      r.register { (_: Checkout) in Shop() }
      r.register { (_: Ledger) in Checkout() }
      r.register { (_: Clock) in Ledger() }
    },
    GraphCase("Each root has its chain") { r in
      r.register { (_: Ledger) in Shop() }
      r.register { (_: Ledger) in Report() }
      r.register { (_: Clock) in Ledger() }
    },
    GraphCase("One service needs two that are missing") { r in
      r.register { (_: Clock, _: Database) in Ledger() }
    },
    GraphCase("Two services need one that is missing") { r in
      r.register { (_: Clock) in Ledger() }
      r.register { (_: Clock) in Catalog() }
    },
    GraphCase("Only another name is registered") { r in
      r.register(name: "utc") { Clock() }
      r.register { (_: Clock) in Ledger() }
    },
    GraphCase("A conforming type is registered, but not for the protocol") { r in
      r.register { SMTPMailer() }
      r.register { (_: any Mailer) in Receipts() }
    },
    GraphCase("The protocol is registered, but the type is asked for") { r in
      r.register { SMTPMailer() as any Mailer }
      r.register { (_: SMTPMailer) in Receipts() }
    },
    GraphCase("What an alias stands for was removed") { r in
      r.register { SMTPMailer() }.implements((any Mailer).self)
      r.remove(SMTPMailer.self)
    },
    GraphCase("A parent does not see its child") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Clock) in Ledger() }.lifetime(.perContainer(.strong))
        })
    },
    GraphCase("A parent's parent lacks what is needed") { r in
      r.add(
        child: Resolver(named: "core") { core in
          core.register { (_: Ledger) in Catalog() }
          core.add(
            child: Resolver(named: "base") { base in
              base.register { (_: Clock) in Ledger() }
            })
        })
    },
    GraphCase("A root is not registered", roots: [Shop.self]) { r in
      r.register { Clock() }
    },
    GraphCase("What an assembly leaves to others is in none") { r in
      struct LedgerAssembly: Assembly {
        func assemble(container: Container) {
          container.register { (_: Clock) in Ledger() }
        }
      }
      _ = Assembler([LedgerAssembly()], container: r)
    },
    GraphCase("What a lazy parameter asks for") { r in
      r.register { (_: LazyInjected<Clock>) in Ledger() }
    },
  ]

  fileprivate static let cycles: [GraphCase] = [
    GraphCase("A service needs itself") { r in
      r.register { (_: Ledger) in Ledger() }
    },
    GraphCase("Two services need each other") { r in
      r.register { (_: Receipts) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
    },
    GraphCase("Three services in a circle, with a way in") { r in
      r.register { (_: Checkout) in Shop() }
      r.register { (_: Receipts) in Checkout() }
      r.register { (_: Ledger) in Receipts() }
      r.register { (_: Checkout) in Ledger() }
    },
    GraphCase("A circle by way of a protocol") { r in
      r.register { (_: any Mailer) in Receipts() }
      r.register { (_: Receipts) in SMTPMailer() }.implements((any Mailer).self)
    },
    GraphCase("A circle through an optional") { r in
      r.register { (_: Receipts?) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
    },
    GraphCase("Two circles that meet") { r in
      r.register { (_: Receipts, _: Catalog) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
      r.register { (_: Checkout) in Catalog() }
    },
    GraphCase("Two circles apart") { r in
      r.register { (_: Receipts) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
      r.register { (_: Catalog) in Search() }
      r.register { (_: Search) in Catalog() }
    },
    GraphCase("A circle that a child closes") { r in
      r.register { (_: Receipts) in Checkout() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Checkout) in Receipts() }
          base.register { Checkout() }
        })
    },
    GraphCase("Two aliases stand for each other") { r in
      let printer = r.register { Printer() }
      let laser = r.register { LaserPrinter() }
      printer.implements(LaserPrinter.self)
      laser.implements(Printer.self)
    },
    GraphCase("A circle that is kept is a circle too") { r in
      r.register { (_: Receipts) in Checkout() }.scope(.application)
      r.register { (_: Checkout) in Receipts() }.scope(.shared)
    },
  ]

  fileprivate static let lifetimes: [GraphCase] = [
    GraphCase("A parent's cached service would get the child's clock or its own") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Clock() }
          base.register { (_: Clock) in Ledger() }.scope(.cached)
        })
    },
    GraphCase("A process-wide site would be built in two ways, by way of others") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Clock() }
          base.register { (_: Clock) in Ledger() }
          base.register { (_: Ledger) in Checkout() }.lifetime(.single)
        })
    },
    GraphCase("A weakly shared service would be built in two ways") { r in
      r.register { LaserPrinter() as Printer }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Printer() }
          base.register { (_: Printer) in LazyCheckout() }.scope(.shared)
        })
    },
    GraphCase("An application-wide service holds what only the child has") { r in
      r.register { Clock() }
      r.add(
        child: Resolver(named: "base") { base in
          base.register { (_: Clock) in Ledger() }.scope(.application)
        })
    },
    GraphCase("An application-wide service holds what each container has its own of") { r in
      r.add(
        child: Resolver(named: "base") { base in
          base.register { Printer() }.scope(.container)
          base.register { (_: Printer) in Ledger() }.scope(.application)
        })
    },
    GraphCase("A singleton holds a protocol's implementation of the child") { r in
      r.register { SMTPMailer() }.implements((any Mailer).self)
      r.add(
        child: Resolver(named: "base") { base in
          base.register { SpyMailer() as any Mailer }
          base.register { (_: any Mailer) in Receipts() }.scope(.singleton)
        })
    },
  ]

  fileprivate static let promises: [GraphCase] = [
    GraphCase("A structure does not conform") { r in
      r.register { CashBox() }.implements((any Payments).self)
    },
    GraphCase("A class does not conform") { r in
      r.register { Printer() }.as((any Payments).self)
    },
    GraphCase("A class is not the other's subclass") { r in
      r.register { LazyReceipts(checkout: LazyCheckout()) }.implements(Printer.self)
    },
    GraphCase("A structure is no other structure") { r in
      r.register { CashBox() }.implements(Clock.self)
    },
    GraphCase("It conforms to one of two protocols only") { r in
      r.register { CardPayments() }.implements((any Payments & Mailer).self)
    },
  ]

  fileprivate static let doubles: [GraphCase] = [
    GraphCase("A double's name is misspelt") { r in
      r.register(name: "card") { CardPayments() as any Payments }
    } doubles: { r in
      r.register(name: "crad") { CardPayments() as any Payments }
    },
    GraphCase("A double lacks the name") { r in
      r.register(name: "card") { CardPayments() as any Payments }
    } doubles: { r in
      r.register { CardPayments() as any Payments }
    },
    GraphCase("A double needs what is missing") { r in
      r.register { Ledger() }
    } doubles: { r in
      r.register { (_: Clock) in Ledger() }
    },
    GraphCase("A double closes a circle") { r in
      r.register { (_: Receipts) in Checkout() }
      r.register { Receipts() }
    } doubles: { r in
      r.register { (_: Checkout) in Receipts() }
    },
  ]

  fileprivate static let rules: [GraphCase] = [
    GraphCase("A screen needs the database", rules: [.forbid(from: (any Screen).self, to: Database.self)])
    { r in
      r.register { (_: Database) in CartScreen() }
      r.register { Database() }
    },
    GraphCase(
      "A screen needs the database as a protocol",
      rules: [.forbid(from: CartScreen.self, to: SMTPMailer.self)]
    ) { r in
      r.register { (_: any Mailer) in CartScreen() }
      r.register { SMTPMailer() }.implements((any Mailer).self)
    },
    GraphCase(
      "A rule of one's own",
      rules: [
        ValidationRule { graph in
          graph.nodes.filter { $0.scope == "application" }
            .map { WiringFinding("`\($0.key)` must not be kept for ever.", about: $0.key) }
        }
      ]
    ) { r in
      r.register { Clock() }.scope(.application)
    },
  ]

  fileprivate static let dryRuns: [GraphCase] = [
    GraphCase("A closure asks for what is missing", dryRun: true) { r in
      r.register { r -> Ledger in
        _ = r.resolve(Clock.self) as Clock
        return Ledger()
      }
    },
    GraphCase("A closure that is kept asks for what is missing", dryRun: true) { r in
      r.register { r -> Ledger in
        _ = r.resolve(Clock.self) as Clock
        return Ledger()
      }.scope(.cached)
      r.register { r -> Checkout in
        _ = r.resolve(Ledger.self) as Ledger
        return Checkout()
      }
    },
    GraphCase("Closures ask for each other", dryRun: true) { r in
      r.register { r -> Checkout in
        _ = r.resolve(Receipts.self) as Receipts
        return Checkout()
      }
      r.register { r -> Receipts in
        _ = r.resolve(Checkout.self) as Checkout
        return Receipts()
      }
    },
    GraphCase("A factory throws", dryRun: true) { r in
      struct Offline: Error {}
      r.register((any Payments).self) { throw Offline() }
    },
  ]
}
