@testable import DITesting
import Testing

enum TillDoubles {
  static let all: [any TestDouble.Type] = [
    GatewayDouble.self, PostboxDouble.self, PriceListDouble.self, DisplayDouble.self,
  ]
}

private let solitaryShop = Resolver.makeCashierShop()

private protocol Bell {}

/// A double that counts how often its properties are read.
private final class CountedDouble: Bell, TestDouble, CustomReflectable, Sendable {
  static func asDoubled(_ double: CountedDouble) -> any Bell { double }
  let ring = Stub<Void, Void, Never>("Bell.ring()")
  let reads = Atomic()

  var customMirror: Mirror {
    reads.increment()
    return Mirror(self, children: ["ring": ring])
  }
}

private final class SolitaryContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var gateway: Factory<any Gateway> { self { LiveGateway() } }
  var prices: AsyncFactory<any PriceList> { self { LivePriceList() } }
  var spare: Factory<(any Gateway)?> { self { LiveGateway() } }
  var later: Factory<(any Gateway)?> { promised() }
  var numbered: ParameterFactory<Int, (any Gateway)?> { self { _ in LiveGateway() } }
}

extension Container {
  fileprivate var spareGateway: Factory<(any Gateway)?> { promised() }
}

@Suite(
  "A test with all doubled but one", .sandbox, .sociable(TillDoubles.all, real: Cashier.self))
struct SociableTests {
  @Test("gets the one live, with doubles")
  func oneIsLive() throws {
    let gateway = double(GatewayDouble.self)
    gateway.charge.returns("ref")
    try solitaryShop.resolve(Cashier.self).buy(650, for: "Ann")
    expectCalled(gateway.charge, times: 1)
  }

  @Test("needs no exception for that one where it is strict", .strict)
  func strict() {
    _ = solitaryShop.resolve(Cashier.self)
  }
}

@Suite(
  "A test with everything doubled", .sandbox, .solitary(TillDoubles.all),
  .sociable(real: Cashier.self))
struct SolitaryTests {
  @Test("gets a double for all that has none, once")
  func all() throws {
    let gateway = double(GatewayDouble.self)
    gateway.charge.returns("ref")
    try solitaryShop.resolve(Cashier.self).buy(650, for: "Ann")
    expectCalled(gateway.charge, times: 1)
    expectCalled(double(PostboxDouble.self).send) { $0 == "Receipt ref" }
    #expect(solitaryShop.resolve((any Gateway).self) as? GatewayDouble === gateway)
  }

  @Test("gets doubles whose properties are read once", .solitary([CountedDouble.self]))
  func readOnce() {
    let counted = double(CountedDouble.self)
    counted.ring.call()
    expectCalled(counted.ring)
    expectNoOtherCalls(counted)
    expectNoOtherCalls(counted)
    counted.lenient()
    #expect(counted.reads.value == 1)
  }

  @Test("gets what it registered itself")
  func registered() throws {
    let gateway = GatewayDouble()
    solitaryShop.register { gateway as any Gateway }
    #expect(solitaryShop.resolve((any Gateway).self) as? GatewayDouble === gateway)
  }

  @Test("gets by its type the double that it registered")
  func registeredDouble() async throws {
    let gateway = double(GatewayDouble())
    #expect(double(GatewayDouble.self) === gateway)
    double(GatewayDouble.self).charge.returns("ref")
    #expect(try Resolver.resolve((any Gateway).self).charge(1, for: "Ann") == "ref")
    let prices = double(PriceListDouble(), for: \SolitaryContainer.prices)
    #expect(double(PriceListDouble.self) === prices)
    #expect(try await SolitaryContainer.shared.prices() as? PriceListDouble === prices)
  }

  @Test("gets doubles by key path, through a lazy wrapper, in a layer, and under a name")
  func ways() {
    let gateway = double(GatewayDouble.self)
    #expect(SolitaryContainer.shared.gateway() as? GatewayDouble === gateway)
    let lazy: LazyInjected<any Gateway> = solitaryShop.resolve()
    #expect(lazy.wrappedValue as? GatewayDouble === gateway)
    withLayer { _ in
    } operation: {
      #expect(solitaryShop.resolve((any Gateway).self) as? GatewayDouble === gateway)
    }
    let shop = Resolver { $0.register(name: "card") { LiveGateway() as any Gateway } }
    let card = shop.resolve((any Gateway).self, name: "card") as? GatewayDouble
    #expect(card === double(GatewayDouble.self, name: "card"))
    #expect(card !== gateway)
  }

  @Test("gets doubles of properties that are declared as optionals")
  func optionals() {
    let gateway = double(GatewayDouble.self)
    let container = SolitaryContainer.shared
    #expect(container.spare() as? GatewayDouble === gateway)
    #expect(container.later() as? GatewayDouble === gateway)
    #expect(container.numbered(1) as? GatewayDouble === gateway)
    #expect(solitaryShop.optional((any Gateway).self) as? GatewayDouble === gateway)
  }

  @Test("may register doubles for properties that are declared as optionals")
  func registeredOptionals() {
    let gateway = double(GatewayDouble(), for: \SolitaryContainer.spare)
    #expect(SolitaryContainer.shared.spare() as? GatewayDouble === gateway)
    #expect(double(GatewayDouble.self) === gateway)
    let other = double(GatewayDouble(), for: \.spareGateway)
    #expect(Container.shared.spareGateway() as? GatewayDouble === other)
  }

  @Test("may let optional properties be live", .sociable(real: (any Gateway).self))
  func optionalIsReal() {
    #expect(SolitaryContainer.shared.spare() is LiveGateway)
    #expect(SolitaryContainer.shared.later() == nil)
  }

  @Test("gets doubles of async and of main-actor services")
  func isolated() async throws {
    let prices = try await SolitaryContainer.shared.prices()
    #expect(prices as? PriceListDouble === double(PriceListDouble.self))
    let shop = Resolver { r in
      r.registerAsync { LivePriceList() as any PriceList }
    }
    #expect(
      try await shop.requireAsync((any PriceList).self) as? PriceListDouble
        === double(PriceListDouble.self))
  }

  @Test("may let services be live", .sociable(real: (any Gateway).self))
  func real() {
    #expect(solitaryShop.resolve((any Gateway).self) is LiveGateway)
    #expect(solitaryShop.resolve((any Postbox).self) is PostboxDouble)
  }

  @Test("gives the live service to a decoration")
  func decorated() throws {
    solitaryShop.decorate((any Gateway).self) { live in
      let spy = GatewayDouble()
      spy.charge.forwards(to: live.charge)
      return spy
    }
    #expect(try solitaryShop.resolve((any Gateway).self).charge(1, for: "Ann") == "live-1-Ann")
  }

  @Test("hears of calls that nothing is stubbed for")
  func strict() {
    let gateway = double(GatewayDouble.self)
    withKnownIssue {
      #expect(throws: UnstubbedCall.self) { try gateway.charge(1, for: "Ann") }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("`Gateway.charge(_:for:)` was called") ?? false
    }
  }
}

@Suite("A test with everything doubled, at its end", .sandbox)
struct SolitaryEndTests {
  private static let file = "DITestingTests/DoubleWorld.swift"

  /// The issues of a case that runs with some doubles.
  private func issues(
    _ doubles: [any TestDouble.Type]?, real: [Any.Type] = [], areAllReached: Bool = true,
    _ body: () -> Void
  ) -> [DiagnosticIssue] {
    let issues = Issues()
    let solitary = SolitaryDoubles(doubles, real: real)
    let opener = ScopeOpener(
      .plain, caches: .none, policy: solitary.policy(), name: "buys", isTest: true,
      location: .test(1), report: issues.handler)
    solitary.attach(to: opener.frame)
    opener.run(body)
    solitary.report(to: opener.frame, areAllReached: areAllReached)
    return issues.all
  }

  @Test("tells all services that have no double, with the command to run")
  func missing() {
    let line: UInt = #line
    let found = issues([PostboxDouble.self]) {
      _ = solitaryShop.resolve(Cashier.self)
      _ = solitaryShop.resolve((any Gateway).self)
      _ = solitaryShop.resolve((any PriceList).self)
      _ = solitaryShop.optional(Int.self)
    }
    #expect(
      found == [
        DiagnosticIssue(
          text: """
            3 services have no double, and were live.

              live:  `Cashier`, registered at \(Self.file):89, requested at \
            DITestingTests/SolitaryTests.swift:\(line + 2)
              live:  `any Gateway`, registered at \(Self.file):86, requested at \
            \(Self.file):89
              live:  `any PriceList`, registered at \(Self.file):88, requested at \
            DITestingTests/SolitaryTests.swift:\(line + 4)

            To fix this:
              - Write the doubles: `swift package --allow-writing-to-package-directory doubles \
            --target DITestingTests --protocol Gateway --protocol PriceList`.
              - Or let them be live: `.sociable(real: Cashier.self, (any Gateway).self, \
            (any PriceList).self)`.
            """, severity: .error, location: .test(1))
      ])
  }

  @Test("tells a class that has no double, for which none can be written")
  func missingClass() {
    let line: UInt = #line
    let found = issues([GatewayDouble.self, PostboxDouble.self]) {
      _ = solitaryShop.resolve(Cashier.self)
    }
    #expect(
      found.map(\.text) == [
        """
        A service has no double, and was live.

          live:  `Cashier`, registered at \(Self.file):89, requested at \
        DITestingTests/SolitaryTests.swift:\(line + 2)

        To fix this:
          - Let it be live: `.sociable(real: Cashier.self)`.
        """
      ])
  }

  @Test("names the service of an optional property that has no double, and takes it for reached")
  func optional() {
    let found = issues([PostboxDouble.self]) {
      _ = SolitaryContainer.shared.spare()
    }
    #expect(
      found.map { $0.text.split(separator: "\n").suffix(2).joined(separator: "\n") } == [
        """
          - Write the doubles: `swift package --allow-writing-to-package-directory doubles \
        --target DITestingTests --protocol Gateway`.
          - Or let it be live: `.sociable(real: (any Gateway).self)`.
        """
      ])
    for real in [(any Gateway).self, (any Gateway)?.self] as [Any.Type] {
      let found = issues([PostboxDouble.self], real: [real]) {
        #expect(SolitaryContainer.shared.spare() is LiveGateway)
      }
      #expect(found.map(\.headline) == [])
    }
  }

  @Test("tells what was to be real and is not reached")
  func unreached() {
    let text = """
      `any Gateway` was to be real, but no live one was resolved.

      To fix this:
        - Remove it from `real:`, or check that the code under test resolves it.
        - A double that is registered for it comes first.
        - Where the test wires the app, have it do so in `Resolver.production { … }`: all else that \
      a test registers is a double.
      """
    let real: [Any.Type] = [(any Gateway).self]
    #expect(issues(TillDoubles.all, real: real) {}.map(\.text) == [text])
    #expect(issues(nil, real: real) {}.map(\.text) == [text])
    #expect(issues(nil, real: real, areAllReached: false) {}.isEmpty)
    let reached = issues(TillDoubles.all, real: real) {
      _ = solitaryShop.resolve((any Gateway).self)
    }
    #expect(reached.isEmpty)
  }

  @Test("is told what was live although the code throws, and not what it did not reach")
  func thrown() async throws {
    let (test, testCase) = (try #require(Test.current), Test.Case.current)
    let trait: CaseTrait = .sociable([PostboxDouble.self], real: (any PriceList).self)
    await withKnownIssue {
      await #expect(throws: Declined.self) {
        try await trait.provideScope(for: test, testCase: testCase) {
          _ = solitaryShop.resolve((any Gateway).self)
          throw Declined()
        }
      }
    } matching: {
      "\($0)".contains("A service has no double, and was live.")
    }
  }

  @Test("takes what a double wraps for reached, and asks for no double of it")
  func wrapped() {
    let found = issues([PostboxDouble.self], real: [(any Gateway).self]) {
      solitaryShop.decorate((any Gateway).self) { $0 }
      solitaryShop.decorate((any PriceList).self) { $0 }
      #expect(solitaryShop.resolve((any Gateway).self) is LiveGateway)
      _ = solitaryShop.resolve((any PriceList).self)
    }
    #expect(found.map(\.headline) == [])
  }

  @Test("takes the property that a double wraps for reached")
  func wrappedProperty() {
    let depot = FindingDepot()
    let found = issues(nil, real: [Basket.self]) {
      depot.invoice.decorate { $0 }
      _ = depot.invoice()
    }
    #expect(found.map(\.headline) == [])
  }
}
