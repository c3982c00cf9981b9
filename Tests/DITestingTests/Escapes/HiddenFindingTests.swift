@testable import DITesting
import Testing

private final class HiddenDepot: SharedContainer {
  static let shared = HiddenDepot()
  let manager = ContainerManager()
  var basket: Factory<Basket> { self { Basket() }.cached }
}

@Suite("Under a layer")
struct HiddenFindingTests {
  private let shop = Resolver { $0.register { LivePayments() as any Payments } }

  @Test("a registration that a layer hides is one warning, which says why nobody got it")
  func hidden() {
    var label = ""
    let line: UInt = #line
    let issues = findings {
      Resolver.root = shop
      withLayer {
        label = $0.core.label
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        shop.register { FakePayments("shop") as any Payments }
        #expect(Resolver.resolve((any Payments).self).label == "layer")
      }
    }
    let text = """
      The registration of `any Payments` has no effect: a layer hides it.

        registered:  DITestingTests/HiddenFindingTests.swift:\(line + 7), in \(shop.core.label)
        hidden by:   DITestingTests/HiddenFindingTests.swift:\(line + 5), in \(label)

      To fix this:
        - Register it in the layer, or pop the layer first.
      """
    #expect(issues.map(\.text) == [text])
    #expect(issues.map(\.severity) == [.warning])
    #expect(issues.map(\.location.line) == [line + 7])
  }

  @Test("a registration of a property that a layer hides is a warning")
  func hiddenProperty() {
    let issues = Issues()
    let depot = HiddenDepot()
    let line: UInt = #line
    let opener = ScopeOpener(
      .layer, installed: Resolver.layer(at: CodeLocation()), name: "checkout",
      location: CodeLocation(), report: issues.handler)
    opener.run {
      let double = Basket()
      opener.frame.installed?.double(\HiddenDepot.basket) { double }
      depot.basket.register { Basket() }
      #expect(depot.basket() === double)
    }
    let text = """
      The registration of `basket: Basket` has no effect: a layer hides it.

        registered:  DITestingTests/HiddenFindingTests.swift:\(line + 7), in \(depot.manager.core.label)
        hidden by:   DITestingTests/HiddenFindingTests.swift:\(line + 6), in \
      \(opener.frame.installed?.core.label ?? "")

      To fix this:
        - Register it in the layer, or pop the layer first.
      """
    #expect(issues.all.map(\.text) == [text])
  }

  @Test("a hidden registration that is changed afterwards is no second warning")
  func hiddenAndChanged() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        shop.register { FakePayments("shop") as any Payments }.scope(.unique)
        _ = currentLabel()
      }
    }
    #expect(
      issues.map { $0.text.prefix { $0 != ":" } } == [
        "The registration of `any Payments` has no effect"
      ])
  }

  @Test("a registration that a layer's decoration wraps is not hidden")
  func decorated() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.decorate((any Payments).self) { FakePayments("spy around \($0.label)") }
      } operation: {
        shop.register { FakePayments("shop") as any Payments }
        #expect(Resolver.resolve((any Payments).self).label == "spy around shop")
      }
    }
    #expect(issues.map(\.text) == [])
  }

  @Test("a decoration of a layer's double is not hidden by it")
  func decoration() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        withSandbox {
          shop.decorate((any Payments).self) { FakePayments("spy around \($0.label)") }
          #expect(Resolver.resolve((any Payments).self).label == "spy around layer")
        }
      }
    }
    #expect(issues.map(\.text) == [])
  }

  @Test("a registration is hidden by a layer whose double is decorated, there or in another layer")
  func hiddenBelowDecoration() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
        $0.decorate((any Payments).self) { FakePayments("spy around \($0.label)") }
      } operation: {
        withLayer {
          $0.decorate((any Payments).self) { FakePayments("second \($0.label)") }
        } operation: {
          shop.register { FakePayments("shop") as any Payments }
          #expect(Resolver.resolve((any Payments).self).label == "second spy around layer")
        }
      }
    }
    #expect(
      issues.map { $0.text.prefix { $0 != ":" } } == [
        "The registration of `any Payments` has no effect"
      ])
  }
}
