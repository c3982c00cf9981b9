@testable import DITesting
import Testing

// A world with an assembly, a named service and a container of its own, to make exceptions for.

private struct PaymentAssembly: Assembly {
  func assemble(container: Container) {
    container.register { LivePayments() as any Payments }
  }
}

private let assembled = Resolver { r in
  _ = Assembler([PaymentAssembly()], container: r)
}
private let warehouse = Resolver { r in r.register { Basket() } }
private let shop = Resolver(child: warehouse) { r in
  r.register { LivePayments() as any Payments }
  r.register(name: "card") { LivePayments() as any Payments }
  r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
}

private final class StrictDepot: SharedContainer {
  static let shared = StrictDepot()
  let manager = ContainerManager()
  var payments: Factory<any Payments> { self { LivePayments() } }
}

private enum CheckoutPage {
  struct Model {}
}
private enum BasketPage {
  struct Model {}
}

extension Container {
  fileprivate var strictPayments: Factory<any Payments> { self { LivePayments() } }
}

@Suite("A strict test", .sandbox)
struct StrictTests {
  @Test("reports a live service at the request, with its chain, and goes on")
  func live() {
    let line: UInt = #line + 4
    var label = ""
    expectIssue(text("any Payments", line), atLine: line) {
      label = withStrictness(.fail) {
        shop.resolve((any Payments).self).label
      }
    }
    #expect(label == "live")
  }

  @Test("reports each live service of all that are asked for, with await too")
  func many() async {
    let expected = [
      "A live service was resolved: `any Payments`.",
      "A live service was resolved: `any Payments \"card\"`.",
    ]
    for asksLater in [false, true] {
      let issues = Issues()
      await ScopeOpener(
        .policy, policy: .strict(.fail, []), name: "checkout", location: CodeLocation(),
        report: issues.handler
      ).run {
        let payments =
          asksLater
          ? await shop.resolveManyAsync((any Payments).self, isolation: #isolation)
          : shop.resolveMany((any Payments).self)
        #expect(payments.map(\.label) == ["live", "live"])
      }
      #expect(issues.all.map { $0.text.prefix { $0 != "\n" } } == expected.map { $0[...] })
    }
  }

  private func text(_ key: String, _ line: UInt) -> String {
    """
    A live service was resolved: `\(key)`.

      requested:   DITestingTests/StrictTests.swift:\(line)
      registered:  DITestingTests/StrictTests.swift:17, in container made at \
    DITestingTests/StrictTests.swift:16

    To fix this:
      - Register a double: `register { … as any Payments }` in the sandbox or a layer.
      - If it may be live here, say so: `.strict(except: (any Payments).self)`.
    """
  }

  @Test(
    "is strict with unused doubles of a scope that its test case opened before",
    arguments: [
      (Strictness.fail, DiagnosticIssue.Severity.error), (.warn, .warning), (.off, .warning),
    ])
  func scopeOutside(strictness: Strictness, severity: DiagnosticIssue.Severity) async throws {
    let issues = Issues()
    let test = try #require(Test.current)
    try await ScopeOpener(
      .sandbox, name: test.displayName ?? test.name, isTest: true, location: CodeLocation(),
      report: issues.handler
    ).run {
      try await StrictTrait(strictness, except: []).provideScope(for: test, testCase: nil) {
        shop.register { Basket() }
      }
    }
    #expect(issues.all.map(\.severity) == [severity])
  }

  @Test("is not strict with doubles of a scope that a function opened around it")
  func strictnessInside() {
    let issues = Issues()
    ScopeOpener(
      .sandbox, name: "withSandbox", location: CodeLocation(), report: issues.handler
    ).run {
      shop.register { Basket() }
      withStrictness(.fail) {}
    }
    #expect(issues.all.map(\.severity) == [.warning])
  }

  @Test("tells types of one name apart in the chain that leads to a live service")
  func typesOfOneName() {
    let shop = Resolver { r in
      r.register { r in
        _ = r.resolve() as BasketPage.Model
        return CheckoutPage.Model()
      }
      r.register { BasketPage.Model() }
    }
    let issues = Issues()
    ScopeOpener(
      .policy, policy: .strict(.fail, []), name: "pages", location: CodeLocation(),
      report: issues.handler
    ).run { _ = shop.resolve(CheckoutPage.Model.self) as CheckoutPage.Model }
    let texts = issues.all.map(\.text)
    #expect(texts.first?.hasPrefix("A live service was resolved: `Model`.") == true)
    #expect(texts.last?.hasPrefix("A live service was resolved: `BasketPage.Model`.") == true)
    #expect(texts.last?.contains("CheckoutPage.Model → BasketPage.Model\n") == true)
  }

  @Test("says how to register a double for a property: by its type it would change nothing")
  func property() {
    let line: UInt = #line
    expectIssue(
      """
      A live service was resolved: `payments: any Payments`.

        requested:   DITestingTests/StrictTests.swift:\(line + 14)
        registered:  DITestingTests/StrictTests.swift:25, in StrictDepot

      To fix this:
        - Register a double: `StrictDepot.shared.payments.register { … }` in the sandbox, or \
      `mock.double(\\StrictDepot.payments) { … }` in a layer.
        - If it may be live here, say so: `.strict(except: (any Payments).self)`.
      """, atLine: line + 14
    ) {
      _ = withStrictness(.fail) { StrictDepot.shared.payments() }
    }
  }

  @Test("says the same for a property of the root's type")
  func propertyOfContainer() {
    let issues = Issues()
    ScopeOpener(
      .policy, policy: .strict(.fail, []), name: "receipts", location: CodeLocation(),
      report: issues.handler
    ).run { _ = Container.shared.strictPayments() }
    let advice =
      "- Register a double: `Container.shared.strictPayments.register { … }` in the sandbox, or "
      + "`mock.double(\\Container.strictPayments) { … }` in a layer."
    #expect(issues.all.map { $0.text.contains(advice) } == [true])
  }

  @Test("names the chain that led to a live service")
  func chain() {
    let issues = Issues()
    var policy = ScopePolicy.strict(.warn, [])
    policy.mayBeLive = [{ $0.key.type == (any Mailer).self }]
    ScopeOpener(
      .policy, policy: policy, name: "receipts", location: CodeLocation(), report: issues.handler
    ).run {
      _ = shop.resolve((any Mailer).self)
    }
    #expect(issues.all.map(\.severity) == [.warning])
    #expect(
      issues.all.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          chain:       any Mailer → any Payments
          requested:   DITestingTests/StrictTests.swift:19
          registered:  DITestingTests/StrictTests.swift:17, in \(shop.core.label)

        To fix this:
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, say so: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("warns, fails or is silent as it says", arguments: [Strictness.warn, .fail, .off])
  func modes(strictness: Strictness) {
    let issues = Issues()
    ScopeOpener(
      .policy, policy: .strict(strictness, []), name: "receipts", location: CodeLocation(),
      report: issues.handler
    ).run {
      #expect(shop.resolve((any Payments).self).label == "live")
    }
    #expect(issues.all.map(\.severity) == (strictness.treatment.severity.map { [$0] } ?? []))
  }

  @Test("follows the innermost that says how strict it is")
  func innermost() {
    withStrictness(.fail) {
      withStrictness(.off) { _ = shop.resolve((any Payments).self) }
    }
  }

  @Test("holds for an async operation, in the tasks that it starts as well")
  func asynchronous() async {
    let issues = Issues()
    let (label, line) = await withStrictness(.warn) {
      await ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
      ).run {
        await Task { [shop] in (shop.resolve((any Payments).self).label, #line) }.value
      }
    }
    #expect(label == "live")
    #expect(issues.all.map(\.severity) == [.warning])
    #expect(issues.all.map(\.location.line) == [UInt(line)])
  }

  @Test("has nothing to say about doubles of all kinds", .strict)
  func doubles() {
    shop.register { FakePayments("sandbox") as any Payments }
    #expect(shop.resolve((any Payments).self).label == "sandbox")
    let root = Resolver()
    withRoot(root) {
      root.register { FakePayments("root") as any Payments }
      #expect(Resolver.resolve((any Payments).self).label == "root")
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        #expect(Resolver.resolve((any Payments).self).label == "layer")
      }
    }
  }

  @Test("may except a type", .strict(except: (any Payments).self))
  func exceptType() {
    #expect(shop.resolve((any Payments).self, name: "card").label == "live")
  }

  @Test("may except a name", .strict(except: .name("card")))
  func exceptName() {
    #expect(shop.resolve((any Payments).self, name: "card").label == "live")
  }

  @Test("may except a container", .strict(except: .container(warehouse)))
  func exceptContainer() {
    _ = shop.resolve(Basket.self)
  }

  @Test("may except an assembly", .strict(except: .assembly(PaymentAssembly.self)))
  func exceptAssembly() {
    #expect(assembled.resolve((any Payments).self).label == "live")
  }

  @Test("reports what no exception covers", .strict(except: .name("card"), .container(warehouse)))
  func notExcepted() {
    withKnownIssue {
      _ = shop.resolve((any Payments).self)
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("A live service was resolved: `any Payments`.") ?? false
    }
  }
}

@Suite(
  "A strict suite",
  .sandbox, .strict(except: [.name("card"), .assembly(PaymentAssembly.self)]))
struct StrictSuiteTests {
  @Test("has exceptions for all its tests")
  func suite() {
    #expect(shop.resolve((any Payments).self, name: "card").label == "live")
    #expect(assembled.resolve((any Payments).self).label == "live")
  }

  @Test("has tests that add theirs", .strict(except: [.container(warehouse)]))
  func test() {
    #expect(shop.resolve((any Payments).self, name: "card").label == "live")
    _ = shop.resolve(Basket.self)
  }

  @Test("has tests that are less strict", .strict(.off))
  func off() {
    #expect(shop.resolve((any Payments).self).label == "live")
  }
}

@Suite("A fallback", .sandbox, .strict)
struct FallbackTests {
  @Test(
    "makes a double where none is registered, and keeps it",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func type() {
    let payments = shop.resolve((any Payments).self)
    #expect(payments.label == "fallback")
    #expect(shop.resolve((any Payments).self) === payments)
    #expect(shop.resolve((any Payments).self, name: "card").label == "fallback")
  }

  @Test(
    "answers for what nothing is registered for, also where an optional is asked for",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func unregistered() throws {
    let empty = Resolver()
    #expect(try empty.require((any Payments).self).label == "fallback")
    let optional: (any Payments)? = empty.resolve()
    #expect(optional?.label == "fallback")
  }

  @Test(
    "leaves a registered double in place",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func registered() {
    shop.register { FakePayments() as any Payments }
    #expect(shop.resolve((any Payments).self).label == "fake")
  }

  @Test(
    "for a whole container covers all that it registers itself",
    .fallback(in: warehouse) { $0.type == Basket.self ? Basket() : nil },
    .strict(except: (any Payments).self))
  func container() {
    #expect(shop.resolve(Basket.self) === shop.resolve(Basket.self))
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test(
    "inside wins over one outside, which answers what the inner one leaves",
    .fallback { key in
      if key.type == (any Payments).self { return FakePayments("outer") }
      return LiveMailer(payments: FakePayments("outer"))
    },
    .fallback((any Payments).self) { FakePayments("inner") })
  func nested() {
    #expect(shop.resolve((any Payments).self).label == "inner")
    #expect(shop.resolve((any Mailer).self).payments.label == "outer")
  }

  @Test(
    "is asked for what a lazy wrapper asks for, not for the wrapper",
    .fallback { key in
      #expect(key.description == "any Payments")
      return FakePayments("fallback")
    })
  func lazy() {
    let wrapper: LazyInjected<any Payments> = shop.resolve()
    #expect(wrapper.wrappedValue.label == "fallback")
  }

  @Test(
    "may ask for the very service, and wraps what is live",
    .fallback((any Mailer).self) { LiveMailer(payments: shop.resolve((any Payments).self)) },
    .fallback((any Payments).self) {
      FakePayments("wraps \(shop.resolve((any Payments).self).label)")
    },
    .strict(.off))
  func wrapping() {
    #expect(shop.resolve((any Mailer).self).payments.label == "wraps live")
  }

  @Test(
    "is recorded as a double that is made once",
    .recorded, .fallback((any Payments).self) { FakePayments("fallback") })
  func recorded() throws {
    for _ in 0..<2 { _ = shop.resolve((any Payments).self) }
    let events = try #require(ResolutionRecorder.current).resolutions(of: (any Payments).self)
    #expect(events.map(\.kind) == [.created, .kept])
    #expect(events.map(\.isDouble) == [true, true])
  }
}

@Suite(
  "Doubles of a strict suite", .strict,
  .sandbox { $0.register { FakePayments() as any Payments } })
struct StrictSuiteDoublesTests {
  @Test("may go unused in a single test")
  func unused() { #expect(ResolutionRecorder.current == nil) }
}
