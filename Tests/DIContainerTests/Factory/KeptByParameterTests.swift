@testable import DIContainer
import DICompatibility
import DITesting
import Testing

private final class Label: Hashable {
  static func == (left: Label, right: Label) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A shipment that asks for another one when it is released.
private final class Chained {
  let number: Int
  private let onRelease: () -> Void
  init(_ number: Int, _ onRelease: @escaping () -> Void) {
    self.number = number
    self.onRelease = onRelease
  }
  deinit { onRelease() }
}

extension Container {
  fileprivate var byContainer: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.scope(.container)
  }
  fileprivate var byObject: ParameterFactory<Label, Shipment> {
    self { _ in Shipment(number: 1) }.scopeOnParameters.cached
  }
  fileprivate var expiringByNumber: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.cached.timeToLive(60)
  }
  fileprivate var chained: ParameterFactory<Int, Chained> {
    self { Chained($0) {} }.scopeOnParameters.cached
  }

  fileprivate var cachedParcel: Factory<Parcel> { self { Parcel() }.cached }
  fileprivate var cachedByNumber: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.cached
  }
}

extension Container {
  /// The same property, without parameters.
  fileprivate var cachedOfAll: ParameterFactory<Int, Shipment> {
    self(key: "cachedByNumber") { Shipment(number: $0) }.cached
  }
}

private final class NumberedDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var byNumber: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.cached
  }
}

@Suite("What is kept by parameter")
struct KeptByParameterTests {
  @Test("is one for each container that asks, where the scope says so")
  func nested() {
    let shop = Resolver()
    shop.byContainer.register { Shipment(number: $0) }
    let nest = Resolver(child: shop)
    let seven = nest.byContainer(7)
    #expect(nest.byContainer(7) === seven)
    #expect(nest.byContainer(8) !== seven)
    #expect(shop.byContainer(7) !== seven)
    inSandbox {
      let own = nest.byContainer(7)
      #expect(own !== seven)
      #expect(nest.byContainer(7) === own)
      #expect(shop.byContainer(7) !== own)
    }
    #expect(nest.byContainer(7) === seven)
  }

  @Test("is never returned for another parameter, if the property is also requested without")
  func mixed() {
    let container = Resolver()
    #expect(container.cachedByNumber(6).number == 6)
    #expect(container.cachedOfAll(7).number == 7)
    #expect(container.cachedByNumber(6).number == 6)
    #expect(container.cachedOfAll(8).number == 8)
  }

  @Test("goes with the layer's double that is replaced in a sandbox")
  func replacedDouble() {
    inSandbox {
      let depot = NumberedDepot()
      Resolver.root.double(\NumberedDepot.byNumber) { Shipment(number: -$0) }
      weak let first = depot.byNumber(7)
      #expect(first?.number == -7)
      Resolver.root.double(\NumberedDepot.byNumber) { Shipment(number: $0 * 10) }
      #expect(first == nil)
      #expect(depot.byNumber(7).number == 70)
    }
  }

  @Test("goes with pop if it came after push, in a sandbox too")
  func popped() {
    let container = Resolver()
    func pushAndPop() {
      let six = container.cachedByNumber(6)
      container.manager.push()
      weak let seven = container.cachedByNumber(7)
      #expect(seven != nil)
      #expect(container.cachedByNumber(6) === six)
      container.manager.pop()
      #expect(seven == nil)
      #expect(container.cachedByNumber(6) === six)
    }
    pushAndPop()
    inSandbox { pushAndPop() }
  }

  @Test("leaves no parameter behind that was first used after the push")
  func poppedParameters() {
    let container = Resolver()
    weak var weakly: Label?
    container.manager.push()
    do {
      let parameter = Label()
      weakly = parameter
      _ = container.byObject(parameter)
    }
    #expect(weakly != nil)
    container.manager.pop()
    #expect(weakly == nil)
  }

  @Test("stays while pop releases what came after push, in a sandbox too")
  func stays() {
    let container = Resolver()
    func pushAndPop() {
      var seen: Chained?
      container.chained.register { [unowned container] number in
        Chained(number) { if number == 7 { seen = container.chained(6) } }
      }
      let six = container.chained(6)
      container.manager.push()
      _ = container.chained(7)
      container.manager.pop()
      #expect(seen === six)
      #expect(container.chained(6) === six)
    }
    pushAndPop()
    inSandbox { pushAndPop() }
  }

  @Test("is restored by pop if it was reset after push, in a sandbox too")
  func resetBetween() {
    let container = Resolver()
    func pushAndPop() {
      let six = container.cachedByNumber(6)
      container.manager.push()
      container.cachedByNumber.reset(.scope)
      #expect(container.cachedByNumber(6) !== six)
      container.cachedByNumber.register { Shipment(number: -$0) }
      container.manager.pop()
      #expect(container.cachedByNumber(6) === six)
    }
    pushAndPop()
    inSandbox { pushAndPop() }
  }

  @Test("lives no longer after a pop than without, in a sandbox too")
  func timeToLiveAfterPop() {
    let container = Resolver()
    func later(_ seconds: Double) -> Shipment {
      ExpiryClock.$ahead.withValue(Lock(.seconds(seconds))) { container.expiringByNumber(6) }
    }
    func pushAndPop(at start: Double) {
      let first = later(start)
      container.manager.push()
      container.manager.pop()
      #expect(later(start + 61) !== first)
    }
    pushAndPop(at: 0)
    inSandbox { pushAndPop(at: 1_000) }
  }

  @Test("goes with what a double hides or pop takes back, without a parameter too")
  func withoutParameter() {
    let container = Resolver()
    _ = container.cachedParcel()
    inSandbox {
      weak let first = container.cachedParcel()
      #expect(first != nil)
      container.cachedParcel.register { Parcel() }
      #expect(first == nil)
      container.manager.push()
      weak let second = container.cachedParcel()
      #expect(second != nil)
      container.manager.pop()
      #expect(second == nil)
    }
  }
}
