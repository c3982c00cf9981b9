import DITesting
import Testing

// Whatever lists or looks for registrations sees what a request would be answered with: diagnoses,
// `registrations`, the graph, `resolveMany` and recorders agree with `resolve`.

@Suite("What a context sees of a container")
struct WhatIsSeenTests {
  private static func failure(_ shop: Resolver) -> String? {
    do {
      _ = try shop.require(Basket.self)
      return nil
    } catch {
      return error.description
    }
  }

  /// The diagnosis, with what it says about what comes close.
  private static func missing(_ container: Int, close: String = "", fix: String = "") -> String {
    """
    Nothing is registered for `Basket`.

      requested:  DITestingTests/WhatIsSeenTests.swift:11
      asked:      container made at DITestingTests/WhatIsSeenTests.swift:\(container)
    \(close)
    To fix this:
    \(fix)  - Register it: `register { … as Basket }`.
      - If it is optional, resolve it with `optional`, or declare the dependency as `Basket?`.
    """
  }

  @Test("no diagnosis names what was removed in a sandbox")
  func removed() {
    let shop = Resolver()
    shop.register(name: "saved") { Basket() }
    withSandbox {
      shop.remove(Basket.self, name: "saved")
      #expect(Self.failure(shop) == Self.missing(34))
    }
  }

  @Test("no diagnosis names what was reset in a sandbox")
  func reset() {
    withSandbox {
      Resolver.main.register(name: "saved") { Basket() }
      _ = Resolver.resolve(Basket.self, name: "saved")
      withSandbox {
        Resolver.reset()
        #expect(Self.failure(.main)?.contains("saved") == false)
      }
    }
  }

  @Test("a diagnosis names a double once, and not what it replaces")
  func double() {
    let shop = Resolver()
    shop.register(name: "saved") { Basket() }
    withSandbox {
      shop.register(name: "saved") { Basket() }
      let diagnosis = Self.failure(shop)
      _ = shop.resolve(Basket.self, name: "saved")
      #expect(
        diagnosis
          == Self.missing(
            56,
            close: "  close:      `Basket \"saved\"` is registered "
              + "(DITestingTests/WhatIsSeenTests.swift:59)\n",
            fix: "  - It is registered under \"saved\", and was requested under no name: use one.\n"
          ))
    }
  }

  @Test("a container that nests others, pushed as a layer, shows what these register")
  func nestedInLayer() throws {
    let extra = Resolver()
    extra.register(Basket.init)
    withSandbox {
      let layer = Resolver.push(Resolver(child: extra))
      defer { Resolver.pop(layer) }
      #expect(Resolver.optional(Basket.self) != nil)
      #expect(Resolver.root.registrations.map(\.key) == [ServiceKey(Basket.self)])
      #expect(Resolver.root.graph.keys == [ServiceKey(Basket.self)])
      #expect(throws: Never.self) { try Resolver.root.validate(roots: [Basket.self]) }
    }
  }

  private static func labels(_ shop: Resolver) -> [String] {
    shop.resolveMany((any Payments).self).map(\.label)
  }

  @Test("all of a type are the double of a sandbox inside a layer, as one is", .withoutWarnings)
  func manyInSandboxInLayer() {
    withLayer {
      $0.register { FakePayments("layer") as any Payments }
    } operation: {
      withSandbox {
        Resolver.main.register { FakePayments("sandbox") as any Payments }
        #expect(currentLabel() == "sandbox")
        #expect(Self.labels(.main) == ["sandbox"])
      }
    }
  }

  @Test(
    "all of a type are the double of a pushed container that nests main, as one is",
    .withoutWarnings)
  func manyOverMain() {
    withSandbox {
      Resolver.main.register { FakePayments("main") as any Payments }
      let mock = Resolver(child: .main)
      mock.register { FakePayments("mock") as any Payments }
      let layer = Resolver.push(mock)
      defer { Resolver.pop(layer) }
      #expect(currentLabel() == "mock")
      #expect(Self.labels(.root) == ["mock"])
    }
  }

  @Test("all of a type are those of nested containers too, where one sandbox registered them")
  func manyOfNestedContainers() {
    func shop() -> Resolver {
      let warehouse = Resolver()
      warehouse.register { FakePayments("warehouse") as any Payments }
      let shop = Resolver(child: warehouse)
      shop.register { FakePayments("shop") as any Payments }
      return shop
    }
    #expect(Self.labels(shop()) == ["shop", "warehouse"])
    withSandbox { #expect(Self.labels(shop()) == ["shop", "warehouse"]) }
    let outside = shop()
    withSandbox {
      outside.register { FakePayments("double") as any Payments }
      #expect(Self.labels(outside) == ["double"])
    }
  }

  @Test("all of a type are the double that a layer nests, as one is", .withoutWarnings)
  func manyBelowLayer() {
    withSandbox {
      Resolver.main.register { FakePayments("main") as any Payments }
      let extra = Resolver()
      extra.register { FakePayments("extra") as any Payments }
      let layer = Resolver.push(Resolver(child: extra))
      defer { Resolver.pop(layer) }
      #expect(currentLabel() == "extra")
      #expect(Self.labels(.root) == ["extra"])
    }
  }

  @Test("a diagnosis names the place of the double that would answer", .withoutWarnings)
  func placeOfAnswer() {
    withLayer {
      $0.register(name: "saved") { Basket() }
    } operation: {
      withSandbox {
        let line = #line + 1
        Resolver.main.register(name: "saved") { Basket() }
        let close = "close:      `Basket \"saved\"` is registered"
        #expect(
          Self.failure(.main)?.contains("\(close) (DITestingTests/WhatIsSeenTests.swift:\(line))")
            == true)
        _ = Resolver.resolve(Basket.self, name: "saved")
      }
    }
  }

  @Test("a decoration of what was removed is not listed, for it cannot be had")
  func nothingToDecorate() {
    let shop = Resolver()
    shop.register { LivePayments() as any Payments }
    withSandbox {
      shop.remove((any Payments).self)
      shop.decorate((any Payments).self) { $0 }
      #expect(shop.optional((any Payments).self) == nil)
      #expect(shop.registrations.isEmpty)
      #expect(shop.graph.keys.isEmpty)
    }
  }

  /// Ways to ask whether something is a double.
  enum Witness: CaseIterable {
    case resolve, resolveMany, registered, registrations
  }

  private static func areDoubles(_ witness: Witness, in shop: Resolver) -> [Bool] {
    let recorder = ResolutionRecorder()
    withRecorder(recorder) {
      switch witness {
      case .resolve: _ = shop.resolve(Basket.self)
      case .resolveMany: _ = shop.resolveMany(Basket.self)
      case .registered: shop.register { Basket() }
      case .registrations: break
      }
    }
    return witness == .registrations
      ? shop.registrations.map(\.isDouble) : recorder.events.map(\.isDouble)
  }

  @Test(
    "what an installed container owns is a double, whoever says so", arguments: Witness.allCases)
  func installed(witness: Witness) {
    let shop = Resolver { $0.register { Basket() } }
    withRoot(shop) { #expect(Self.areDoubles(witness, in: shop) == [true]) }
  }

  @Test("what production set up is live, whoever says so", arguments: Witness.allCases)
  func live(witness: Witness) {
    let shop = Resolver { $0.register { Basket() } }
    #expect(Self.areDoubles(witness, in: shop) == [false])
  }

  @Test("what production set up inside a sandbox is live, whoever says so")
  func liveInside() {
    withSandbox {
      let shop = Resolver { $0.register { Basket() } }
      for witness in [Witness.resolve, .resolveMany, .registrations] {
        #expect(Self.areDoubles(witness, in: shop) == [false])
      }
    }
  }

  @Test("what a container made in a sandbox owns is a double once it is the root")
  func installedInside() {
    withSandbox {
      let shop = Resolver { $0.register { Basket() } }
      withRoot(shop) {
        for witness in [Witness.resolve, .resolveMany, .registrations] {
          #expect(Self.areDoubles(witness, in: shop) == [true])
        }
      }
    }
  }
}
