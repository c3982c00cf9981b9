import DITesting
import Testing

@Suite("Expectations of a service that a double wraps", .sandbox, .recorded)
struct ExpectationDecorateTests {
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.unique)
  }

  private let layer =
    "layer made at DITestingTests/ExpectationDecorateTests.swift:\(#line + 4 as UInt)"

  private func spied(_ operation: () -> Void) {
    Resolver.root = shop
    withLayer {
      $0.decorate((any Payments).self) { WrappingPayments($0) }
    } operation: {
      operation()
    }
  }

  @Test("count what the code under test asks for, not what the double wraps")
  func counts() {
    spied {
      _ = Resolver.resolve((any Payments).self)
      expectResolved((any Payments).self, times: 1, built: 1)
      _ = Resolver.resolve((any Payments).self)
      expectResolved((any Payments).self, times: 2, built: 2)
    }
  }

  @Test("count one request, however many doubles wrap each other")
  func severalDoubles() {
    spied {
      withLayer {
        $0.decorate((any Payments).self) { WrappingPayments($0) }
      } operation: {
        _ = Resolver.resolve((any Payments).self)
        expectResolved((any Payments).self, times: 1)
      }
    }
  }

  @Test("hold for doubles, as a strict test does: what is wrapped may be live")
  func onlyDoubles() {
    spied {
      _ = Resolver.resolve((any Payments).self)
      expectOnlyDoublesResolved()
    }
  }

  @Test("about doubles fail where what is wrapped asks for a live service")
  func liveNeeds() {
    let line: UInt = #line
    let shop = Resolver { r in
      r.register { LivePayments() as any Payments }.scope(.unique)
      r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }.scope(.unique)
    }
    Resolver.root = shop
    withLayer {
      $0.decorate((any Mailer).self) { WrappingMailer($0) }
    } operation: {
      _ = Resolver.resolve((any Mailer).self)
      let file = "DITestingTests/ExpectationDecorateTests.swift"
      expectIssue(
        """
        Expected only doubles to be resolved, but a live service was.

          live:  `any Payments` in \(shop.core.label), registered at \(file):\(line + 2), \
        requested at \(file):\(line + 3)

        To fix this:
          - Register a double: `register { … as any Payments }`.
          - If it may be live, exclude it: `except: (any Payments).self`.

        Resolved:
          any Mailer  — created double, unique, layer made at \(file):\(line + 6)
            any Mailer  — created live, unique, \(shop.core.label)
              any Payments  — created live, unique, \(shop.core.label)
        """, atLine: line + 27
      ) { expectOnlyDoublesResolved() }
    }
  }

  @Test("see one request in an order")
  func order() {
    let line: UInt = #line
    spied {
      _ = Resolver.resolve((any Payments).self)
      expectResolved(inOrder: (any Payments).self)
      expectIssue(
        """
        Expected to be resolved in this order: any Payments, any Payments. But `any Payments` was \
        not resolved after `any Payments`.

        Resolved:
          any Payments  — created double, unique, \(layer)
            any Payments  — created live, unique, \(shop.core.label)
        """, atLine: line + 13
      ) { expectResolved(inOrder: (any Payments).self, (any Payments).self) }
    }
  }

  @Test("count one request by key path, too")
  func byKeyPath() {
    withLayer {
      $0.decorate(\Container.wrappedPayments) { WrappingPayments($0) }
    } operation: {
      _ = Container.shared.wrappedPayments()
      expectResolved(\.wrappedPayments, times: 1, built: 1)
      expectOnlyDoublesResolved()
    }
  }
}

extension Container {
  fileprivate var wrappedPayments: Factory<any Payments> { self { LivePayments() } }
}

private final class WrappingPayments: Payments {
  let wrapped: any Payments
  var label: String { "spy(\(wrapped.label))" }
  init(_ wrapped: any Payments) { self.wrapped = wrapped }
}

private final class WrappingMailer: Mailer {
  let wrapped: any Mailer
  var payments: any Payments { wrapped.payments }
  init(_ wrapped: any Mailer) { self.wrapped = wrapped }
}
