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

  @Test("a live service of production's set-up is not hidden: doubles come before it anyway")
  func production() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        Resolver.production { shop.register { LivePayments() as any Payments } }
        #expect(currentLabel() == "layer")
      }
    }
    #expect(issues.map(\.headline) == [])
  }

  @Test("a registration that is resolved once the layer is gone had its effect")
  func usedAfterwards() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        shop.register { FakePayments("shop") as any Payments }
        #expect(currentLabel() == "layer")
      }
      #expect(currentLabel() == "shop")
    }
    #expect(issues.map(\.headline) == [])
  }

  @Test("a line that registers several times what a layer hides is one warning")
  func loop() {
    let issues = findings {
      Resolver.root = shop
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        for _ in 0..<3 { shop.register { FakePayments("shop") as any Payments } }
        #expect(currentLabel() == "layer")
      }
    }
    #expect(issues.map(\.headline) == [Self.headline])
  }

  @Test("a registration in a layer that an inner layer hides is one warning")
  func hiddenInLayer() {
    var (outer, inner) = (Resolver(), "")
    let line: UInt = #line
    let issues = findings {
      Resolver.root = shop
      withLayer {
        outer = $0
      } operation: {
        withLayer {
          inner = $0.core.label
          $0.register { FakePayments("inner") as any Payments }
        } operation: {
          outer.register { FakePayments("outer") as any Payments }
          #expect(currentLabel() == "inner")
        }
      }
    }
    let text = """
      \(Self.headline)

        registered:  DITestingTests/HiddenFindingTests.swift:\(line + 10), in \(outer.core.label)
        hidden by:   DITestingTests/HiddenFindingTests.swift:\(line + 8), in \(inner)

      To fix this:
        - Register it in the layer, or pop the layer first.
      """
    #expect(issues.map(\.text) == [text])
  }

  @Test("a registration in an outer layer that an inner one decorates is not hidden")
  func decoratedInLayer() {
    var outer = Resolver()
    let issues = findings {
      Resolver.root = shop
      withLayer {
        outer = $0
      } operation: {
        withLayer {
          $0.decorate((any Payments).self) { FakePayments("spy around \($0.label)") }
        } operation: {
          outer.register { FakePayments("outer") as any Payments }
          #expect(currentLabel() == "spy around outer")
        }
      }
    }
    #expect(issues.map(\.headline) == [])
  }

  private static let headline =
    "The registration of `any Payments` has no effect: a layer hides it."
}
