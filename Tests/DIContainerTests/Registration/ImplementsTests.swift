import DIContainer
import Testing

private protocol Payments: AnyObject { var currency: String { get } }
private protocol Refunds: AnyObject {}
private class LivePayments: Payments, Refunds {
  let currency: String
  init(currency: String = "EUR") { self.currency = currency }
}
private final class SpecialPayments: LivePayments {}
private protocol Books: AnyObject, Sendable {}
private final class Ledger: Books {}

/// `.implements`: a registration answers for protocols too.
@Suite("Implementing protocols")
struct ImplementsTests {
  private let resolver: Resolver = Resolver()
  private let madeAt = #line - 1

  @Test("One registration answers for several protocols, with one kept instance")
  func chained() {
    resolver.register { LivePayments() }
      .implements((any Payments).self)
      .implements((any Refunds).self)
      .scope(.cached)
    let concrete: LivePayments = resolver.resolve()
    let payments: any Payments = resolver.resolve()
    let refunds: any Refunds = resolver.resolve()
    #expect(payments === concrete && refunds === concrete)
  }

  @Test("The order of implements and scope does not matter")
  func scopeBefore() {
    resolver.register { LivePayments() }.scope(.cached).implements((any Payments).self)
    #expect(resolver.resolve((any Payments).self) === resolver.resolve((any Payments).self))
  }

  @Test("A protocol can be implemented under a name of its own")
  func named() {
    resolver.register { LivePayments(currency: "USD") }
      .implements((any Payments).self, name: "dollar")
    #expect(resolver.resolve((any Payments).self, name: "dollar").currency == "USD")
    #expect(resolver.optional((any Payments).self) == nil)
  }

  @Test("A named registration answers for its protocols by itself, not by the unnamed one")
  func namedConcrete() {
    resolver.register { LivePayments(currency: "EUR") }
    resolver.register(name: "dollar") { LivePayments(currency: "USD") }
      .implements((any Payments).self, name: "default")
    #expect(resolver.resolve((any Payments).self, name: "default").currency == "USD")
  }

  @Test("Registering the concrete type again retargets its protocols")
  func retargets() {
    resolver.register { LivePayments() }.implements((any Payments).self).scope(.cached)
    #expect(resolver.resolve((any Payments).self).currency == "EUR")
    resolver.register { LivePayments(currency: "CHF") }
    #expect(resolver.resolve((any Payments).self).currency == "CHF")
  }

  @Test("A container that overrides the concrete type overrides its protocols")
  func overriddenByParent() {
    resolver.register { LivePayments() }.implements((any Payments).self)
    let parent = Resolver(child: resolver)
    parent.register { LivePayments(currency: "USD") }
    #expect(parent.resolve((any Payments).self).currency == "USD")
    #expect(resolver.resolve((any Payments).self).currency == "EUR")
  }

  @Test("Arguments reach the factory through the protocol")
  func arguments() {
    resolver.register { _, args in LivePayments(currency: args()) }
      .implements((any Payments).self)
    #expect(resolver.resolve((any Payments).self, args: "GBP").currency == "GBP")
  }

  @Test("A superclass can be implemented")
  func superclass() {
    resolver.register { SpecialPayments() }.implements(LivePayments.self)
    #expect(resolver.resolve(LivePayments.self) is SpecialPayments)
  }

  @Test("The protocol can be registered anew on its own")
  func replaced() {
    resolver.register { LivePayments() }.implements((any Payments).self)
    resolver.register { LivePayments(currency: "USD") as any Payments }
    #expect(resolver.resolve((any Payments).self).currency == "USD")
    #expect(resolver.resolve(LivePayments.self).currency == "EUR")
  }

  @Test("Within a resolution cycle the protocol and the type are one instance")
  func oneInGraph() {
    struct Pair {
      let payments: any Payments
      let live: LivePayments
    }
    resolver.register { LivePayments() }.implements((any Payments).self)
    resolver.register { (payments: any Payments, live: LivePayments) in
      Pair(payments: payments, live: live)
    }
    let pair: Pair = resolver.resolve()
    #expect(pair.payments === pair.live)
  }

  @Test("A service that was taken away is not registered under its other names either")
  func takenAway() async {
    resolver.register { LivePayments() }.implements((any Payments).self)
    resolver.remove(LivePayments.self)
    #expect(resolver.optional((any Payments).self) == nil)
    let payments: (any Payments)? = resolver.resolve()
    #expect(payments == nil)
    resolver.registerAsync { _ in Ledger() }.implements((any Books).self)
    resolver.remove(Ledger.self)
    #expect(await resolver.optionalAsync((any Books).self) == nil)
  }

  @Test("A service that was taken away is named where its protocol is required")
  func takenAwayAndRequired() async {
    resolver.register { Ledger() }.implements((any Books).self)
    let line = #line - 1
    resolver.remove(Ledger.self)
    let expected = """
      Nothing is registered for `Ledger`.

        requested:  DIContainerTests/ImplementsTests.swift:\(line)
        asked:      container made at DIContainerTests/ImplementsTests.swift:\(madeAt)

      To fix this:
        - Register it: `register { … as Ledger }`.
        - If it is optional, resolve it with `optional`, or declare the dependency as `Ledger?`.
      """
    let error = #expect(throws: ResolutionError.self) {
      try resolver.require((any Books).self)
    }
    #expect(error?.description == expected)
    let later = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync((any Books).self)
    }
    #expect(later?.description == expected)
  }

  @Test("A factory that answers nil is nil through the protocol")
  func nilFactory() {
    resolver.register { () -> LivePayments? in nil }.implements((any Payments).self)
    #expect(resolver.optional((any Payments).self) == nil)
  }
}
