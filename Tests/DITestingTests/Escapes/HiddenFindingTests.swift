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

  // A double that a scope inside hides, which was opened after the double was registered.

  @Test("a double that is hidden by a later layer is reported as that", arguments: [false, true])
  func hiddenByLaterLayer(isPushed: Bool) {
    var label = ""
    let line: UInt = #line
    let issues = findings(policy: .strict(.fail, [])) {
      Resolver.root = shop
      shop.register { FakePayments("shop") as any Payments }
      let configure: (Resolver) -> Void = {
        label = $0.core.label
        $0.register { FakePayments("layer") as any Payments }
      }
      if isPushed {
        let layer = Resolver.push(configure)
        #expect(currentLabel() == "layer")
        Resolver.pop(layer)
      } else {
        withLayer(configure) { #expect(currentLabel() == "layer") }
      }
    }
    #expect(issues.map(\.text) == [Self.text(line + 3, by: line + 6, in: label)])
    #expect(issues.map(\.location.line) == [line + 3])
  }

  @Test("a double that is hidden by a later sandbox inside is reported as that")
  func hiddenByLaterSandbox() {
    let line: UInt = #line
    let issues = findings {
      Resolver.root = shop
      shop.register { FakePayments("outer") as any Payments }
      withSandbox {
        shop.register { FakePayments("inner") as any Payments }
        #expect(currentLabel() == "inner")
      }
    }
    #expect(issues.map(\.text) == [Self.text(line + 3, by: line + 5, in: shop.core.label)])
  }

  @Test("a double that is hidden by a later scoped root is reported as that")
  func hiddenByLaterRoot() {
    let line: UInt = #line
    var label = ""
    let issues = findings {
      Resolver.root = shop
      shop.register { FakePayments("shop") as any Payments }
      let root = Resolver(child: shop)
      label = root.core.label
      root.register { FakePayments("root") as any Payments }
      withRoot(root) { #expect(currentLabel() == "root") }
    }
    #expect(issues.map(\.text) == [Self.text(line + 4, by: line + 7, in: label)])
  }

  @Test("a property's double that is hidden by a later layer or sandbox is reported as that")
  func hiddenPropertyByLaterScope() {
    for isLayer in [true, false] {
      // A failure is reported each time.
      let issues = findings(policy: .strict(.fail, [])) {
        let depot = HiddenDepot()
        let double = Basket()
        depot.basket.register { Basket() }
        if isLayer {
          withLayer {
            $0.double(\HiddenDepot.basket) { double }
          } operation: {
            #expect(depot.basket() === double)
          }
        } else {
          withSandbox {
            depot.basket.register { double }
            #expect(depot.basket() === double)
          }
        }
        withExtendedLifetime(depot) {}
      }
      #expect(
        issues.map(\.headline) == [
          "The double for `basket: Basket` was never resolved: another one hides it."
        ])
    }
  }

  @Test("a double is not reported as hidden by one that nothing resolved, or that decorates it")
  func notHiddenByLaterScope() {
    let issues = findings {
      Resolver.root = shop
      shop.register { FakePayments("shop") as any Payments }
      withLayer {
        $0.register { FakePayments("layer") as any Payments }.mayBeUnused()
      } operation: {
      }
      withLayer {
        $0.decorate((any Payments).self) { $0 }
      } operation: {
      }
    }
    #expect(Set(issues.map(\.headline)) == ["The double for `any Payments` was never resolved."])
  }

  @Test("a double that is resolved before or after the scope that hides it is not reported")
  func resolvedOutside() {
    for isBefore in [true, false] {
      let issues = findings {
        Resolver.root = shop
        shop.register { FakePayments("shop") as any Payments }
        if isBefore { #expect(currentLabel() == "shop") }
        withLayer {
          $0.register { FakePayments("layer") as any Payments }
        } operation: {
          #expect(currentLabel() == "layer")
        }
        if !isBefore { #expect(currentLabel() == "shop") }
      }
      #expect(issues.map(\.headline) == [])
    }
  }

  private static func text(_ line: UInt, by other: UInt, in label: String) -> String {
    let file = "DITestingTests/HiddenFindingTests.swift"
    return """
      The double for `any Payments` was never resolved: another one hides it.

        registered:  \(file):\(line)
        hidden by:   \(file):\(other), in \(label)

      To fix this:
        - Remove it, or the one that hides it.
        - If it may go unused, mark it: `.mayBeUnused()` on the registration, or \
      `unusedDoubles: .off` for the sandbox.
      """
  }

  private static let headline =
    "The registration of `any Payments` has no effect: a layer hides it."
}
