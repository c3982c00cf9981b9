import DICompatibility
import DITesting
import Testing

private final class Counter {
  @LazyInjected var payments: any Payments
  @WeakLazyInjected var weakPayments: (any Payments)?
}

extension Container {
  fileprivate var card: Factory<any Payments> { self { FakePayments("card") } }
  fileprivate var cash: Factory<any Payments> { self { FakePayments("cash") } }
}

private final class CardTill {
  @LazyInjected(\.card) var payments
}

@Suite("A lazy wrapper that was inspected in a scope, its owner being older,")
struct LazyRequestChangesTests {
  private func inLayer(_ operation: (Counter) -> Void) {
    withSandbox {
      Resolver.register { FakePayments("plain") as any Payments }
      Resolver.register(name: "card") { FakePayments("card") as any Payments }.scope(.cached)
      Resolver.register(name: "order") { _, args in FakePayments(args()) as any Payments }
      let counter = Counter()
      withLayer { _ in
      } operation: {
        #expect(counter.$payments.isEmpty)
        #expect(counter.$weakPayments.resolvedOrNil() == nil)
        operation(counter)
      }
    }
  }

  @Test("resolves by the name that it is given then")
  func name() {
    inLayer {
      $0.$payments.name = "card"
      #expect($0.payments.label == "card")
    }
  }

  @Test("resolves weakly by the name that it is given then")
  func weakName() {
    inLayer {
      $0.$weakPayments.name = "card"
      #expect($0.weakPayments?.label == "card")
    }
  }

  @Test("resolves with the arguments that it is given then")
  func arguments() {
    inLayer {
      $0.$payments.name = "order"
      $0.$payments.args = "by invoice"
      #expect($0.payments.label == "by invoice")
    }
  }

  @Test("resolves from the container that it is given then")
  func container() {
    inLayer {
      $0.$payments.container = Resolver { $0.register { FakePayments("other") as any Payments } }
      #expect($0.payments.label == "other")
    }
  }

  @Test("resolves what another wrapper does that is put in its place then")
  func projectedValue() {
    inLayer {
      $0.$payments = LazyInjected(name: "card")
      #expect($0.payments.label == "card")
    }
  }

  @Test("resolves the property that another wrapper does that is put in its place then")
  func property() {
    let till = CardTill()
    withLayer { _ in
    } operation: {
      #expect(till.$payments.isEmpty)
      till.$payments = LazyInjected(\.cash)
      #expect(till.payments.label == "cash")
    }
  }

  @Test("keeps what it has resolved since, until that is released")
  func release() {
    inLayer {
      $0.$payments.name = "card"
      let first = $0.payments
      $0.$payments.name = nil
      #expect($0.payments === first)
      $0.$payments.release()
      #expect($0.payments.label == "plain")
    }
  }
}
