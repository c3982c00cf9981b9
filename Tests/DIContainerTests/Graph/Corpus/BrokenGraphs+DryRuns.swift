@testable import DIContainer

extension Wired {
  static let dryRuns: [GraphCase] = [
    GraphCase("A closure asks for what is missing", dryRun: true) { r in
      r.register { r -> Ledger in
        _ = r.resolve(Clock.self) as Clock
        return Ledger()
      }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           from:       +1
           requested:  +2
           asked:      shop

      \(registerIt("Clock"))

      Not seen: what the closures of `Ledger` resolve.
      The dry run left them or a dependency out, or they are async, or failed, or returned nil.
      """),
    GraphCase("A closure that is kept asks for what is missing", dryRun: true) { r in
      r.register { r -> Ledger in
        _ = r.resolve(Clock.self) as Clock
        return Ledger()
      }.scope(.cached)
      r.register { r -> Checkout in
        _ = r.resolve(Ledger.self) as Ledger
        return Checkout()
      }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. Nothing is registered for `Clock`.

           chain:      Ledger → Clock
           from:       +1
           requested:  +2
           asked:      shop

      \(registerIt("Clock"))

      Not seen: what the closures of `Checkout`, `Ledger` resolve.
      The dry run left them or a dependency out, or they are async, or failed, or returned nil.
      """),
    GraphCase("Closures ask for each other", dryRun: true) { r in
      r.register { r -> Checkout in
        _ = r.resolve(Receipts.self) as Receipts
        return Checkout()
      }
      r.register { r -> Receipts in
        _ = r.resolve(Checkout.self) as Checkout
        return Receipts()
      }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. `Checkout` needs itself.

           chain:      Checkout → Receipts → Checkout
           from:       +1
           requested:  +6

         To fix this:
           - Let one of them resolve later: make the dependency `@LazyInjected` or `@WeakLazyInjected`.
           - Or set it once both exist: `.resolveProperties { r, service in … }` with a shared scope, \
      for the one that is requested first.

      Not seen: what the closures of `Checkout`, `Receipts` resolve.
      The dry run left them or a dependency out, or they are async, or failed, or returned nil.
      """),
    GraphCase("A factory throws", dryRun: true) { r in
      struct Offline: Error {}
      r.register((any Payments).self) { throw Offline() }
    }
    .says(
      """
      1 thing is wrong with the wiring of shop.

      1. The factory of `any Payments` threw: Offline()

           requested:   +2
           registered:  +2

         To fix this:
           - Handle the error with `try require`, or in the factory.

      Not seen: what the closures of `any Payments` resolve.
      The dry run left them or a dependency out, or they are async, or failed, or returned nil.
      """),
  ]
}
