import DIContainer

// Services that are declared by key path, for tests that put doubles in their place.

protocol Courier: AnyObject {
  var name: String { get }
}

final class VanCourier: Courier {
  let name = "van"
}

final class FakeCourier: Courier {
  let name: String
  init(_ name: String) { self.name = name }
}

final class Dispatch {
  let courier: any Courier
  init(_ courier: any Courier) { self.courier = courier }
}

extension Container {
  var courier: Factory<any Courier> { self { VanCourier() } }
  var cachedCourier: Factory<any Courier> { self { VanCourier() }.cached }
  var singleCourier: Factory<any Courier> { self { VanCourier() }.singleton }
  var dispatch: Factory<Dispatch> { self { Dispatch(self.courier()) } }
  var contextual: Factory<String> {
    self { "declaration" }.onArg("offline") { "declared context" }
  }
  var plain: Factory<String> { self { "declaration" } }
  var label: ParameterFactory<Int, String> {
    self { "label \($0)" }.onArg("offline") { "context \($0)" }
  }
}

final class CourierDepot: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
  var kept: Factory<any Courier> { self { VanCourier() }.cached }
  var single: Factory<any Courier> { self { VanCourier() }.singleton }
  var automatic: Factory<any Courier> { self { VanCourier() } }
  var contextual: Factory<String> { self { "declaration" }.onArg("offline") { "context" } }
  var numbered: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.cached
  }
  func autoRegister() { automatic.register { FakeCourier("automatic") } }
}
