@testable import DITesting
import TestSupport
import Testing

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
  fileprivate var promisedPayments: Factory<(any Payments)?> { promised() }
}

@Suite("A strict test", .sandbox)
struct StrictTests {
  // Other tests' detached work is none of these.
  init() { _ = threadsAreOurs }

  @Test("reports a live service at the request, with its chain, and goes on")
  func live() {
    let line: UInt = #line + 4
    var label = ""
    expectIssue(text("any Payments", line), atLine: line) {
      label = withStrictness(.fail) {
        strictShop.resolve((any Payments).self).label
      }
    }
    #expect(label == "live")
  }

  @Test("is content with a double at the end of several names for one service")
  func aliases() {
    let shop = Resolver { r in
      r.register { LivePayments() as any Payments }.implements(AnyObject.self)
      r.register { LivePayments() }.implements((any Payments).self)
    }
    withStrictness(.fail) {
      shop.register { LivePayments() }
      #expect(shop.resolve(AnyObject.self) is LivePayments)
    }
  }

  @Test("is content with a promise that no module has kept")
  func promise() {
    withStrictness(.fail) {
      #expect(Container.shared.promisedPayments() == nil)
      #expect(OptionalInjected(\.promisedPayments).wrappedValue == nil)
    }
  }

  @Test("reports the live service that keeps a promise")
  func keptPromise() {
    let issues = findings(in: .plain, policy: .strict(.fail, [])) {
      Resolver.production { Container.shared.promisedPayments.register { LivePayments() } }
      #expect(Container.shared.promisedPayments() != nil)
    }
    #expect(
      issues.map { $0.text.prefix { $0 != "\n" } } == [
        "A live service was resolved: `promisedPayments: (any Payments)?`."
      ])
  }

  @Test("reports each live service of all that are asked for")
  func many() async {
    let expected = [
      "A live service was resolved: `any Payments`.",
      "A live service was resolved: `any Payments \"card\"`.",
    ]
    let issues = await findingsLater(in: .plain, policy: .strict(.fail, [])) {
      let payments = strictShop.resolveMany((any Payments).self)
      #expect(payments.map(\.label) == ["live", "live"])
    }
    #expect(issues.map(\.headline) == expected)
  }

  private func text(_ key: String, _ line: UInt) -> String {
    """
    A live service was resolved: `\(key)`.

      requested:   DITestingTests/StrictTests.swift:\(line)
      registered:  DITestingTests/StrictWorld.swift:16, in container made at \
    DITestingTests/StrictWorld.swift:15

    To fix this:
      - Register a double: `register { … as any Payments }` in the sandbox or a layer.
      - If it may be live here, allow it: \
    `withStrictness(.fail, except: [.type((any Payments).self)])`.
    """
  }

  @Test(
    "is strict with unused doubles of a scope that its test case opened before",
    arguments: [
      (Strictness.fail, IssueSeverity.error), (.warn, .warning), (.off, .warning),
    ])
  func scopeOutside(strictness: Strictness, severity: IssueSeverity) async throws {
    let issues = Issues()
    let test = try #require(Test.current)
    try await ScopeOpener(
      .sandbox, name: test.displayName ?? test.name, isTest: true, location: CodeLocation(),
      report: issues.handler
    ).run {
      try await CaseTrait.strict(strictness).provideScope(for: test, testCase: nil) {
        // A warning comes once a line and name.
        strictShop.register(name: .init("\(strictness)")) { Basket() }
      }
    }
    #expect(issues.all.map(\.severity) == [severity])
  }

  @Test("is not strict with doubles of a scope that a function opened around it")
  func strictnessInside() {
    let issues = findings {
      strictShop.register { Basket() }
      withStrictness(.fail) {}
    }
    #expect(issues.map(\.severity) == [.warning])
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
    let texts = findings(in: .plain, policy: .strict(.fail, [])) {
      _ = shop.resolve(CheckoutPage.Model.self) as CheckoutPage.Model
    }.map(\.text)
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

        requested:   DITestingTests/StrictTests.swift:\(line + 15)
        registered:  DITestingTests/StrictTests.swift:8, in StrictDepot

      To fix this:
        - Register a double: `StrictDepot.shared.payments.register { … }` in the sandbox, or \
      `mock.double(\\StrictDepot.payments) { … }` in a layer.
        - If it may be live here, allow it: \
      `withStrictness(.fail, except: [.type((any Payments).self)])`.
      """, atLine: line + 15
    ) {
      _ = withStrictness(.fail) { StrictDepot.shared.payments() }
    }
  }

  @Test("says the same for a property of the root's type")
  func propertyOfContainer() {
    let issues = findings(in: .plain, policy: .strict(.fail, [])) {
      _ = Container.shared.strictPayments()
    }
    let advice =
      "- Register a double: `Container.shared.strictPayments.register { … }` in the sandbox, or "
      + "`mock.double(\\Container.strictPayments) { … }` in a layer."
    #expect(issues.map { $0.text.contains(advice) } == [true])
  }

  @Test("names the chain that led to a live service")
  func chain() {
    var policy = FramePolicy.strict(.warn, [])
    policy.mayBeLive = [{ $0.key.type == (any Mailer).self }]
    let line: UInt = #line + 1
    let issues = findings(in: .plain, policy: policy) { _ = strictShop.resolve((any Mailer).self) }
    #expect(issues.map(\.severity) == [.warning])
    #expect(
      issues.map(\.text) == [
        """
        A live service was resolved: `any Payments`.

          chain:       any Mailer → any Payments
          from:        DITestingTests/StrictTests.swift:\(line)
          requested:   DITestingTests/StrictWorld.swift:18
          registered:  DITestingTests/StrictWorld.swift:16, in \(strictShop.core.label)

        To fix this:
          - Register a double: `register { … as any Payments }` in the sandbox or a layer.
          - If it may be live here, allow it: `.strict(except: (any Payments).self)`.
        """
      ])
  }

  @Test("names the chain that led to a live service through an async factory")
  func awaitedChain() async throws {
    let shop = Resolver { r in
      r.registerAsync { Basket() }
      r.registerAsync { [try await $0.requireAsync(Basket.self)] }
    }
    let issues = try await findingsLater(in: .plain, policy: .strict(.warn, [])) {
      _ = try await shop.requireAsync([Basket].self)
    }
    let chain = "\n  chain:       Array<Basket> → Basket\n"
    #expect(issues.map { $0.text.contains(chain) } == [false, true])
  }

  @Test("warns, fails or is silent as it says", arguments: [Strictness.warn, .fail, .off])
  func modes(strictness: Strictness) {
    let issues = findings(in: .plain, policy: .strict(strictness, [])) {
      #expect(strictShop.resolve((any Payments).self).label == "live")
    }
    #expect(issues.map(\.severity) == (strictness.severity.map { [$0] } ?? []))
  }

  @Test("is silent about a dry run, which resolves live services")
  func dryRun() throws {
    let issues = try findings(in: .plain, policy: .strict(.fail, [])) {
      _ = try strictShop.validate(dryRun: true)
    }
    #expect(issues.map(\.headline) == [])
  }

  @Test("follows the innermost that says how strict it is")
  func innermost() {
    withStrictness(.fail) {
      withStrictness(.off) { _ = strictShop.resolve((any Payments).self) }
    }
  }

  @Test("holds for an async operation, in the tasks that it starts as well")
  func asynchronous() async {
    let issues = Issues()
    let (label, line) = await withStrictness(.warn) {
      await ScopeOpener(
        .sandbox, name: "checkout", location: CodeLocation(), report: issues.handler
      ).run {
        await Task { [strictShop] in (strictShop.resolve((any Payments).self).label, #line) }.value
      }
    }
    #expect(label == "live")
    #expect(issues.all.map(\.severity) == [.warning])
    #expect(issues.all.map(\.location.line) == [UInt(line)])
  }

  @Test("has nothing to say where nothing is handed out", .strict)
  func absent() {
    let shop = Resolver { r in
      r.register { LivePayments() }.implements((any Payments).self)
      r.decorate(Basket.self) { $0 }
    }
    shop.remove(LivePayments.self)
    #expect(shop.optional((any Payments).self) == nil)
    #expect(shop.optional(Basket.self) == nil)
  }

  @Test("has nothing to say about doubles of all kinds", .strict)
  func doubles() {
    strictShop.register { FakePayments("sandbox") as any Payments }
    #expect(strictShop.resolve((any Payments).self).label == "sandbox")
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
}
