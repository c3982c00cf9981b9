@testable import DIContainer

extension Wired {
  static let rules: [GraphCase] = [
    GraphCase(
      "A screen needs the database",
      rules: [.forbid(from: (any Screen).self, to: Database.self)]
    ) { r in
      r.register { (_: Database) in CartScreen() }
      r.register { Database() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CartScreen` must not need `Database`.

           chain:       CartScreen → Database
           registered:  +4
           rule:        forbid(from: any Screen, to: Database)

      \(unseen("`Database`"))
      """),
    GraphCase(
      "A screen needs the database as a protocol",
      rules: [.forbid(from: CartScreen.self, to: SMTPMailer.self)]
    ) { r in
      r.register { (_: any Mailer) in CartScreen() }
      r.register { SMTPMailer() }.implements((any Mailer).self)
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CartScreen` must not need `SMTPMailer`.

           chain:       CartScreen → any Mailer → SMTPMailer
           registered:  +4
           rule:        forbid(from: CartScreen, to: SMTPMailer)

      \(unseen("`SMTPMailer`"))
      """),
    GraphCase(
      "A screen needs the database as a decorated protocol",
      rules: [.forbid(from: CartScreen.self, to: SMTPMailer.self)]
    ) { r in
      r.register { (_: any Mailer) in CartScreen() }
      r.register(SMTPMailer.init).implements((any Mailer).self)
      r.decorate(ServiceKey((any Mailer).self), at: CodeLocation()) { (live: any Mailer) in live }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CartScreen` must not need `SMTPMailer`.

           chain:       CartScreen → any Mailer → SMTPMailer
           registered:  +4
           rule:        forbid(from: CartScreen, to: SMTPMailer)

      \(unseen("`any Mailer`"))
      """),
    GraphCase(
      "A screen needs another one, and is decorated",
      rules: [.forbid(from: (any Screen).self, to: (any Screen).self)]
    ) { r in
      r.register(name: "framed") { (_: any Screen) in CartScreen() as any Screen }
      r.register { CartScreen() as any Screen }
      r.decorate(ServiceKey((any Screen).self), at: CodeLocation()) { (live: any Screen) in live }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `any Screen "framed"` must not need `any Screen`.

           chain:       any Screen "framed" → any Screen
           registered:  +4
           rule:        forbid(from: any Screen, to: any Screen)

      Not seen, since validating runs no factory: what the closures of `any Screen` resolve.
      Check that too with `validate(dryRun: true)`, or register initialisers.

      Not seen: what `any Screen "framed"` may resolve besides the parameters of its initialiser, by \
      property wrappers or otherwise.
      Check that too with `validate(dryRun: true)`.
      """),
    GraphCase(
      "A screen needs the database twice",
      rules: [.forbid(from: CartScreen.self, to: Database.self)]
    ) { r in
      r.register { (_: Database, _: Database, _: LazyInjected<Database>) in CartScreen() }
      r.register { Database() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `CartScreen` must not need `Database`.

           chain:       CartScreen → Database
           registered:  +4
           rule:        forbid(from: CartScreen, to: Database)

      \(unseen("`Database`"))
      """),
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
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Clock` must not be kept for ever.

      \(unseen("`Clock`"))
      """),
  ]
}
