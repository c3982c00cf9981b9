@testable import DIContainer

extension Wired {
  /// Small wirings with nothing wrong in them.
  static let sound: [GraphCase] = [
    GraphCase("Nothing is registered") { _ in },
    GraphCase("One service") { r in
      r.register(Clock.init)
    },
    GraphCase("A chain") { r in
      r.register { (_: Checkout) in Shop() }
      r.register { (_: Clock) in Checkout() }
      r.register(Clock.init)
    },
    GraphCase("A diamond") { r in
      r.register { (_: Checkout, _: Catalog) in Shop() }
      r.register { (_: Clock) in Checkout() }
      r.register { (_: Clock) in Catalog() }
      r.register(Clock.init)
    },
    GraphCase("A chain that was registered backwards") { r in
      r.register(Clock.init)
      r.register { (_: Clock) in Checkout() }
      r.register { (_: Checkout) in Shop() }
    },
    GraphCase("An optional that nobody registered") { r in
      r.register { (_: Clock?) in Ledger() }
    },
    GraphCase("An optional that somebody registered") { r in
      r.register { (_: Clock?) in Ledger() }
      r.register(Clock.init)
    },
    GraphCase("A lazy circle") { r in
      r.register { (_: LazyInjected<Receipts>) in Checkout() }
      r.register { (_: Checkout) in Receipts() }
    },
    GraphCase("A circle that is lazy on both sides") { r in
      r.register { (_: LazyInjected<Receipts>) in Checkout() }
      r.register { (_: WeakLazyInjected<Checkout>) in Receipts() }
    },
    GraphCase("A lazy circle that a dry run finds", dryRun: true) { r in
      r.register { r in LazyCheckout(container: r) }
      r.register(LazyReceipts.init)
    },
    GraphCase("A protocol and what implements it") { r in
      r.register { (_: any Mailer) in Receipts() }
      r.register(SMTPMailer.init).implements((any Mailer).self)
    },
    GraphCase("A subclass that is registered as its superclass") { r in
      r.register { LaserPrinter() as Printer }.implements(LaserPrinter.self)
    },
    GraphCase("A service that a parent has") { r in
      r.register { (_: Clock) in Ledger() }
      r.add(child: Resolver(named: "base") { $0.register(Clock.init) })
    },
    GraphCase("A parent's service that is built for each asker") { r in
      r.register(Clock.init)
      r.add(
        child: Resolver(named: "base") { base in
          base.register(Clock.init)
          base.register { (_: Clock) in Ledger() }.scope(.unique)
        })
    },
    GraphCase("A parent's service that its owner builds, whatever the child has") { r in
      r.register(Clock.init)
      r.add(
        child: Resolver(named: "base") { base in
          base.register(Clock.init)
          base.register { (_: Clock) in Ledger() }.lifetime(.perContainer(.strong))
        })
    },
    GraphCase("A process-wide service that every asker builds alike") { r in
      r.register(Database.init)
      r.add(
        child: Resolver(named: "base") { base in
          base.register(Clock.init)
          base.register { (_: Clock) in Ledger() }.scope(.application)
        })
    },
    GraphCase("A container that is reached in two ways") { r in
      let base = Resolver(named: "base") { $0.register(Clock.init) }
      r.add(child: Resolver(named: "left") { $0.add(child: base) })
      r.add(child: Resolver(named: "right") { $0.add(child: base) })
      r.register { (_: Clock) in Ledger() }
    },
    GraphCase("All that the roots need", roots: [Shop.self]) { r in
      r.register { (_: any Mailer) in Shop() }
      r.register(SMTPMailer.init).implements((any Mailer).self)
    },
    GraphCase("A double in the place of a live service") { r in
      r.register { (_: any Mailer) in Receipts() }
      r.register(SMTPMailer.init).implements((any Mailer).self)
    } doubles: { r in
      r.register(SpyMailer.init).implements((any Mailer).self)
    },
    GraphCase("Closures that a dry run looks into", dryRun: true) { r in
      r.register { r -> Ledger in
        _ = r.resolve(Clock.self) as Clock
        return Ledger()
      }
      r.register(Clock.init)
    },
  ]
}
