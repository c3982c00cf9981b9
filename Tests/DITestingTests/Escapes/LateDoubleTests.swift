@testable import DIContainer
@testable import DITesting
import Testing

// What a sandbox says at its end about doubles that came after the live service was handed out.

/// The shared one of its type is never asked for anything.
private final class QuietDepot: SharedContainer {
  static let shared = QuietDepot()
  let manager = ContainerManager()
  var invoice: Factory<Basket> { self { Basket() } }
}

private actor FarBasket {
  init() async {}
}

private final class FarOrder: Sendable {
  let basket: FarBasket
  init(basket: FarBasket) { self.basket = basket }
}

/// The report of a late double: where it was registered, what was resolved before, and what it
/// replaces.
private func lateText(
  _ service: String, _ line: UInt, resolved: String, before: String? = nil
) -> String {
  """
  The double for `\(service)` was registered too late: the live service was resolved before.

    registered:  \(file):\(line)
    resolved:    \(resolved)\(before.map { "\n  before:      `\(service)` \($0)" } ?? "")

  To fix this:
    - Register the double before the service is first resolved.
  """
}

private let file = "DITestingTests/LateDoubleTests.swift"
private let world = "DITestingTests/FindingWorld.swift"

@Suite("At the end of a sandbox,")
struct LateDoubleTests {
  @Test("a double that came after somebody got the live service is named where it is recorded")
  func lateForHolder() {
    let line: UInt = #line + 3
    let issues = findings(recorded: true) {
      let mailer = findingShop.resolve((any Mailer).self)
      findingShop.register { FakePayments() as any Payments }
      #expect(mailer.payments.label == "live")
      #expect(findingShop.resolve((any Payments).self).label == "fake")
    }
    let text = lateText(
      "any Payments", line, resolved: "\(file):\(line - 1), for `any Mailer`",
      before: "(graph), registered at \(world):7")
    #expect(issues.map(\.text) == [text])
    #expect(issues.map(\.location.line) == [line])
  }

  @Test("doubles that came after one line had resolved all their services are named together")
  func lateTogether() {
    let shop = Resolver.makeCashierShop()
    let line: UInt = #line + 2
    let issues = findings {
      _ = shop.resolve(Cashier.self)
      shop.register { GatewayDouble() as any Gateway }
      shop.register { PostboxDouble() as any Postbox }
      shop.register { LivePriceList() as any PriceList }
      _ = shop.resolve((any PriceList).self)
    }
    #expect(
      issues.map(\.text) == [
        """
        The doubles for `any Gateway` and `any Postbox` were registered too late: the live services \
        were resolved before.

          registered:  \(file):\(line + 1)
          registered:  \(file):\(line + 2)
          resolved:    \(file):\(line), for `Cashier`
          before:      `any Gateway` (graph), registered at DITestingTests/DoubleWorld.swift:86
          before:      `any Postbox` (graph), registered at DITestingTests/DoubleWorld.swift:87

        To fix this:
          - Register the doubles before the services are first resolved.
        """
      ])
    #expect(issues.map(\.location.line) == [line + 1])
  }

  @Test("a double that came after a strict test had resolved the live service is named at the end")
  func lateInStrict() {
    let line: UInt = #line + 2
    let issues = findings(policy: .strict(.fail, [])) {
      _ = findingShop.resolve((any Payments).self)
      findingShop.register { FakePayments() as any Payments }
    }
    #expect(issues.first?.headline == "A live service was resolved: `any Payments`.")
    #expect(
      issues.dropFirst().map(\.text) == [
        lateText(
          "any Payments", line + 1, resolved: "\(file):\(line)",
          before: "(graph), registered at \(world):7")
      ])
    #expect(issues.map(\.severity) == [.error, .error])
  }

  @Test("a double that came late is named whatever else was reported of its service")
  func lateBesidesOthers() {
    let issues = findings {
      _ = findingShop.resolve(Basket.self)
      ContextFrame.current?.explain(ServiceKey(Basket.self))
      findingShop.register { Basket() }
    }
    #expect(
      issues.map(\.headline) == [
        "The double for `Basket` was registered too late: the live service was resolved before."
      ])
  }

  @Test("a double that came after a live value was resolved is named, too")
  func lateForValue() {
    let shop = Resolver { $0.register { "live" } }
    let line: UInt = #line + 3
    let issues = findings {
      #expect(shop.resolve(String.self) == "live")
      shop.register { "double" }
      #expect(shop.resolve(String.self) == "double")
    }
    let text = lateText(
      "String", line, resolved: "\(file):\(line - 1)",
      before: "(graph), registered at \(file):\(line - 4)")
    #expect(issues.map(\.text) == [text])
  }

  @Test("a double that came after a scope inside had resolved the live service is not late")
  func notLateForScopeInside() {
    let issues = findings {
      withSandbox { _ = findingShop.resolve(Basket.self) }
      findingShop.register { Basket() }
      _ = findingShop.resolve(Basket.self)
    }
    #expect(issues.map(\.headline) == [])
  }

  @Test("a double that another thread was faster than is named once, when it is there")
  func lateAgain() {
    let issues = findings(recorded: true) {
      let basket = findingShop.resolve(Basket.self)
      let target = RegistrationTarget.current(for: findingShop.core)
      let make = { Registration.late(target.options()) }
      // What was seen is not what is there by now.
      #expect(!target.store(make(), over: make()))
      #expect(target.store(make(), over: nil))
      #expect(findingShop.resolve(Basket.self) !== basket)
    }
    #expect(issues.count == 1)
  }

  @Test("a double that came after an async factory got the live service names who awaited it")
  func lateForAwaiter() async throws {
    let shop = Resolver { r in
      r.registerAsync { await FarBasket() }
      r.registerAsync { FarOrder(basket: try await $0.requireAsync()) }
    }
    let issues = try await findingsLater(recorded: true) {
      let order = try await shop.requireAsync(FarOrder.self)
      shop.registerAsync { await FarBasket() }
      _ = try await shop.requireAsync(FarBasket.self)
      withExtendedLifetime(order) {}
    }
    #expect(issues.map { $0.text.contains(", for `FarOrder`\n") } == [true])
  }

  @Test("a double that came after a live async service was kept is a warning")
  func lateForAwaited() async throws {
    let shop = Resolver { r in
      r.registerAsync { await FarBasket() }.scope(.cached)
    }
    let line: UInt = #line + 2
    let issues = try await findingsLater {
      _ = try await shop.requireAsync(FarBasket.self)
      shop.registerAsync { await FarBasket() }.scope(.cached)
      _ = try await shop.requireAsync(FarBasket.self)
    }
    let resolved = "\n  resolved:    DITestingTests/LateDoubleTests.swift:\(line)\n"
    #expect(issues.map { $0.text.contains(resolved) } == [true])
  }

  @Test(
    "a double that came after the live service was kept is a warning", arguments: [true, false])
  func lateForCache(isRecorded: Bool) {
    let line: UInt = #line + 3
    let issues = findings(recorded: isRecorded) {
      _ = findingShop.resolve(Basket.self)
      findingShop.register { Basket() }.scope(.cached)
      _ = findingShop.resolve(Basket.self)
    }
    let text = lateText(
      "Basket", line, resolved: "\(file):\(line - 1)",
      before: "(cached), registered at \(world):9")
    #expect(issues.map(\.text) == [text])
  }

  @Test(
    "a property's double that came after the live service was kept is a warning",
    arguments: [true, false])
  func lateForProperty(isRecorded: Bool) {
    let line: UInt = #line + 4
    let depot = FindingDepot()
    let issues = findings(recorded: isRecorded) {
      _ = depot.basket()
      depot.basket.register { Basket() }
      _ = depot.basket()
    }
    let text = lateText(
      "basket: Basket", line, resolved: "\(file):\(line - 1)",
      before: "(cached), declared at \(world):15")
    #expect(issues.map(\.text) == [text])
  }

  @Test(
    "a double that came late to a container that the root does not reach is a warning",
    arguments: [true, false])
  func lateForOther(isRecorded: Bool) {
    let line: UInt = #line + 3
    let issues = findings(recorded: isRecorded) {
      _ = FindingDepot.shared.basket()
      Resolver.root.double(\FindingDepot.basket) { Basket() }
      _ = FindingDepot.shared.basket()
    }
    let text = lateText(
      "basket: Basket", line, resolved: "\(file):\(line - 1)",
      before: "(cached), declared at \(world):15")
    #expect(issues.map(\.text) == [text])
  }

  @Test("a double that came late to another container of a type than the shared one is a warning")
  func lateForOtherInstance() {
    let depot = QuietDepot()
    var held: Basket?
    let line: UInt = #line + 3
    let issues = findings(recorded: true) {
      held = depot.invoice()
      Resolver.root.double(\QuietDepot.invoice) { Basket() }
      _ = depot.invoice()
    }
    let text = lateText("invoice: Basket", line, resolved: "\(file):\(line - 1)")
    withExtendedLifetime(held) { #expect(issues.map(\.text) == [text]) }
  }

  @Test(
    "a double that came after an instance was kept by parameter is a warning",
    arguments: [true, false])
  func lateForParameter(isRecorded: Bool) {
    let line: UInt = #line + 4
    let depot = FindingDepot()
    let issues = findings(recorded: isRecorded) {
      _ = depot.numbered(7)
      depot.numbered.register { _ in Basket() }
      _ = depot.numbered(7)
    }
    let text = lateText(
      "numbered: Basket", line, resolved: "\(file):\(line - 1)",
      before: "(cached), declared at \(world):18")
    #expect(issues.map(\.text) == [text])
  }

  @Test("a late double for what is kept by parameter in a container of another type is a warning")
  func lateForOtherParameter() {
    let line: UInt = #line + 3
    let issues = findings {
      _ = FindingDepot.shared.numbered(7)
      Resolver.root.double(\FindingDepot.numbered) { _ in Basket() }
      _ = FindingDepot.shared.numbered(7)
    }
    let text = lateText(
      "numbered: Basket", line, resolved: "\(file):\(line - 1)",
      before: "(cached), declared at \(world):18")
    #expect(issues.map(\.text) == [text])
  }

  @Test("a double of a container that the root does not reach may replace one of the test's own")
  func replacedForOther() {
    let issues = findings(recorded: true) {
      Resolver.root.double(\FindingDepot.basket) { Basket() }
      let first = FindingDepot.shared.basket()
      Resolver.root.double(\FindingDepot.basket) { Basket() }
      #expect(FindingDepot.shared.basket() !== first)
    }
    #expect(issues.isEmpty)
  }

  @Test("a double of a container that is put to use later is not late")
  func notInForceYet() {
    let main = Resolver { r in r.register { LivePayments() as any Payments } }
    let issues = findings(recorded: true) {
      Resolver.root = main
      let live: any Payments = Resolver.resolve()
      let mock = Resolver(child: main)
      mock.register { FakePayments("mock") as any Payments }
      let layer = Resolver.push(mock)
      #expect(currentLabel() == "mock")
      Resolver.pop(layer)
      let other = Resolver(child: main)
      other.register { FakePayments("other") as any Payments }
      withRoot(other) { #expect(currentLabel() == "other") }
      withExtendedLifetime(live) {}
    }
    #expect(issues.isEmpty)
  }

  @Test("a double of a container that was put to use before is late")
  func lateInInstalledContainer() {
    let main = Resolver { r in r.register { LivePayments() as any Payments } }
    var held: (any Payments)?
    let line: UInt = #line + 5
    let issues = findings(recorded: true) {
      let mock = Resolver(child: main)
      Resolver.root = mock
      held = Resolver.resolve((any Payments).self)
      mock.register { FakePayments("mock") as any Payments }
      #expect(currentLabel() == "mock")
    }
    let text = lateText(
      "any Payments", line, resolved: "\(file):\(line - 1)",
      before: "(graph), registered at \(file):\(line - 7)")
    withExtendedLifetime(held) { #expect(issues.map(\.text) == [text]) }
  }

  @Test("a double is not late for an instance that another container made")
  func lateForAnotherContainer() {
    let tenant = Resolver { $0.register { LivePayments() as any Payments } }
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let issues = findings(recorded: true) {
      let held = tenant.resolve((any Payments).self)
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
      withExtendedLifetime(held) {}
    }
    #expect(issues.map(\.headline) == [])
  }

  @Test("a property's double is not late for an instance that another container of its type made")
  func lateForAnotherDepot() {
    let (first, second) = (FindingDepot(), FindingDepot())
    let issues = findings(recorded: true) {
      let held = first.invoice()
      second.invoice.register { Basket() }
      _ = second.invoice()
      withExtendedLifetime(held) {}
    }
    #expect(issues.map(\.headline) == [])
  }

  @Test("a double that came late for a service that production decorates is a warning")
  func lateForDecorated() {
    let shop = Resolver { r in
      r.register { LivePayments() as any Payments }
      r.decorate((any Payments).self) { FakePayments("around \($0.label)") }
    }
    let issues = findings(recorded: true) {
      let held = shop.resolve((any Payments).self)
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
      withExtendedLifetime(held) {}
    }
    #expect(issues.map(\.headline) == [Self.tooLate("any Payments")])
  }

  @Test("a double that came late in a scoped root is one warning of the sandbox around that")
  func lateInScopedRoot() {
    let issues = findings(recorded: true) {
      withRoot(Resolver(child: findingShop)) {
        let held = Resolver.resolve(Basket.self)
        findingShop.register { Basket() }
        withExtendedLifetime(held) {}
      }
    }
    #expect(issues.map(\.headline) == [Self.tooLate("Basket")])
  }

  @Test("a double that came late in a layer is one warning of the sandbox around that")
  func lateInLayer() {
    let issues = findings(recorded: true) {
      withLayer { _ in
      } operation: {
        let held = findingShop.resolve(Basket.self)
        findingShop.register { Basket() }
        withExtendedLifetime(held) {}
      }
    }
    #expect(issues.map(\.headline) == [Self.tooLate("Basket")])
  }

  private static func tooLate(_ service: String) -> String {
    "The double for `\(service)` was registered too late: the live service was resolved before."
  }
}

extension Registration {
  fileprivate static func late(_ options: Options) -> Registration {
    Registration(
      key: ServiceKey(Basket.self), scope: .unique, location: CodeLocation(),
      maker: Maker.plain { Basket() }, options: options)
  }
}
