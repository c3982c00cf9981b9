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
      - If it may be absent, ask with `optional`, or declare the dependency as `Basket?`.
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
            fix: "  - It is registered under \"saved\", and was asked for under no name: use one.\n"
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
      #expect(Resolver.root.graph.nodes.map(\.key) == [ServiceKey(Basket.self)])
      #expect(throws: Never.self) { try Resolver.root.validate(roots: [Basket.self]) }
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
