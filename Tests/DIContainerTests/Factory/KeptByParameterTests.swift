import DIContainer
import Testing

private struct OutOfParcels: Error {}

/// A parameter whose hash is another one while the factory runs.
private final class Shifting: Hashable {
  var number = 1
  static func == (left: Shifting, right: Shifting) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Scope {
  fileprivate static let shift = Scope.cache("shift")
}

extension Container {
  fileprivate var byContainer: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.scope(.container)
  }
  fileprivate var shifting: ParameterFactory<Shifting, Shipment> {
    self { parameter in
      parameter.number += 1
      throw OutOfParcels()
    }.scopeOnParameters.cached
  }
  fileprivate var sharedByNumber: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.shared
  }
  fileprivate var byShift: ParameterFactory<Int, Shipment> {
    self { Shipment(number: $0) }.scopeOnParameters.scope(.shift)
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
    shop.byContainer.reset(.scope)
    #expect(nest.byContainer(7) !== seven)
  }

  @Test("goes although the parameter's hash changed meanwhile")
  func shifting() {
    let container = Resolver()
    weak var weakly: Shifting?
    do {
      let parameter = Shifting()
      weakly = parameter
      #expect(throws: ResolutionError.self) { try container.shifting.require(parameter) }
    }
    #expect(weakly == nil)
  }

  @Test("takes no room once nobody holds it")
  func releasedByHolders() {
    let container = Resolver()
    let zero = container.sharedByNumber(0)
    for number in 1...1_000 { _ = container.sharedByNumber(number) }
    #expect(container.sharedByNumber.registration.parameterCount <= 64)
    #expect(container.sharedByNumber(0) === zero)
    inSandbox {
      let own = container.sharedByNumber(0)
      for number in 1...1_000 { _ = container.sharedByNumber(number) }
      #expect(container.sharedByNumber.registration.parameterCount <= 64)
      #expect(container.sharedByNumber(0) === own)
    }
  }

  @Test("takes no room once its scope was reset")
  func resetByScope() {
    let container = Resolver()
    func fill() {
      for number in 1...1_000 {
        _ = container.byShift(number)
        Scope.shift.reset()
      }
      let zero = container.byShift(0)
      for number in 1...100 { _ = container.byShift(number) }
      #expect(container.byShift.registration.parameterCount <= 200)
      #expect(container.byShift(0) === zero)
    }
    fill()
    inSandbox { fill() }
  }
}
