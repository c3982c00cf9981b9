import DITesting
import Testing

extension SharedContainer {
  fileprivate var tillGateway: Factory<any Gateway> { self { LiveGateway() } }
}

extension Container {
  fileprivate var tillPrices: Factory<any PriceList> { self { LivePriceList() } }
  fileprivate var tillPricesLater: AsyncFactory<any PriceList> { self { LivePriceList() } }
  fileprivate var tillPostbox: MainActorFactory<any Postbox> { self { LivePostbox() } }
  fileprivate var tillPricesIn: ParameterFactory<String, any PriceList> {
    self { _ in LivePriceList() }
  }
}

private final class TillContainer: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var gateway: Factory<any Gateway> { self { LiveGateway() } }
  var gatewayOf: ParameterFactory<Int, any Gateway> { self { _ in LiveGateway() } }
}

private protocol Bell {}

@Suite("A double without a sandbox")
struct DoubleWithoutSandboxTests {
  @Test("is not found by its type, which is an issue")
  func missing() {
    let line: UInt = #line
    expectIssue(
      """
      There is no `GatewayDouble` here, for there is no sandbox.

      To fix this:
        - Add the `.sandbox` trait to the test or its suite, or use `withSandbox`, and register the \
      double there: `double(GatewayDouble())`.
        - Or have doubles made for all services: `.solitary(Doubles.all)`.
      """, atLine: line + 10
    ) { _ = double(GatewayDouble.self) }
  }
}

@Suite("A double", .sandbox)
struct TestDoubleTests {
  @Test("is registered for what it doubles, and returned")
  func registers() throws {
    let gateway = double(GatewayDouble())
    gateway.charge.returns("ref")
    #expect(try Resolver.resolve((any Gateway).self).charge(650, for: "Ann") == "ref")
  }

  @Test("is registered under a name")
  func name() throws {
    let card = double(GatewayDouble(), name: "card")
    card.getLimit.returns(5)
    #expect(Resolver.resolve((any Gateway).self, name: "card").limit == 5)
    #expect(Resolver.optional((any Gateway).self) == nil)
    #expect(double(GatewayDouble.self, name: "card") === card)
  }

  @Test("is registered for a property")
  func keyPath() throws {
    let prices = double(PriceListDouble(), for: \.tillPrices)
    #expect(Container.shared.tillPrices() as? PriceListDouble === prices)
    let gateway = double(GatewayDouble(), for: \TillContainer.gateway)
    #expect(TillContainer.shared.gateway() as? GatewayDouble === gateway)
    #expect(double(GatewayDouble.self) === gateway)
  }

  @Test("is registered for an async property, one of the main actor, or one with a parameter")
  @MainActor func keyPathsOfAllKinds() async throws {
    let later = double(PriceListDouble(), for: \.tillPricesLater)
    #expect(try await Container.shared.tillPricesLater() as? PriceListDouble === later)
    let postbox = double(PostboxDouble(), for: \.tillPostbox)
    #expect(Container.shared.tillPostbox() as? PostboxDouble === postbox)
    let prices = double(PriceListDouble(), for: \.tillPricesIn)
    for city in ["Bonn", "Kyoto"] {
      #expect(Container.shared.tillPricesIn(city) as? PriceListDouble === prices)
    }
    let gateway = double(GatewayDouble(), for: \TillContainer.gatewayOf)
    #expect(TillContainer.shared.gatewayOf(1) as? GatewayDouble === gateway)
    #expect(TillContainer().gatewayOf(2) as? GatewayDouble === gateway)
    #expect(double(GatewayDouble.self) === gateway)
  }

  @Test("is found by its type, also from within a scope inside the sandbox")
  func found() {
    let gateway = double(GatewayDouble())
    withSandbox {
      #expect(double(GatewayDouble.self) === gateway)
      let inner = double(GatewayDouble())
      #expect(double(GatewayDouble.self) === inner)
      expectNotCalled(inner.charge)
      _ = Resolver.resolve((any Gateway).self)
    }
    withLayer { _ in
    } operation: {
      #expect(double(GatewayDouble.self) === gateway)
    }
    _ = Resolver.resolve((any Gateway).self)
  }

  @Test("that is not there is an issue")
  func missing() {
    let line: UInt = #line
    expectIssue(
      """
      There is no `GatewayDouble` here.

      To fix this:
        - Register one: `double(GatewayDouble())`.
        - Or have doubles made for all services: `.solitary(Doubles.all)`.
      """, atLine: line + 9
    ) { _ = double(GatewayDouble.self) }
  }

  @Test("that is there under another name only is an issue")
  func missingName() {
    let card = double(GatewayDouble(), name: "card")
    _ = Resolver.resolve((any Gateway).self, name: "card")
    let line: UInt = #line
    expectIssue(
      """
      There is no `GatewayDouble` here with the name "cash".

      To fix this:
        - Register one: `double(GatewayDouble(), name: "cash")`.
        - Or have doubles made for all services: `.solitary(Doubles.all)`.
      """, atLine: line + 9
    ) { #expect(double(GatewayDouble.self, name: "cash") !== card) }
  }

  @Test("names its stubs by its properties where they have no names")
  func labels() {
    struct Quiet: Bell, TestDouble {
      static func asDoubled(_ double: Quiet) -> any Bell { double }
      let ring = Stub<Void, Void, Never>()
    }
    let quiet = double(Quiet())
    _ = Resolver.resolve((any Bell).self)
    #expect(quiet.ring.name == "Quiet.ring")
  }
}
