import DIContainer

// The storefront as a typed container declares it.

protocol Courier: AnyObject {
  var name: String { get }
}

final class VanCourier: Courier {
  let name = "van"
}

final class FakeCourier: Courier {
  let name: String
  init(_ name: String = "fake") { self.name = name }
}

final class Parcel {}

struct Weight: Equatable {
  let grams: Int
}

final class Dispatch {
  let courier: any Courier
  init(courier: any Courier) { self.courier = courier }
}

final class Shipment: Sendable {
  let number: Int
  let customer: String
  init(number: Int, customer: String = "") {
    self.number = number
    self.customer = customer
  }
}

extension Container {
  var courier: Factory<any Courier> { self { VanCourier() } }
  var cachedCourier: Factory<any Courier> { self { VanCourier() }.cached }
  var sharedCourier: Factory<any Courier> { self { VanCourier() }.shared }
  var dispatch: Factory<Dispatch> { self { Dispatch(courier: self.courier()) } }
  var shipment: ParameterFactory<Int, Shipment> { self { Shipment(number: $0) } }
}

/// A container of our own.
final class Depot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

extension Depot {
  var courier: Factory<any Courier> { self { FakeCourier("depot") } }
  var parcel: Factory<Parcel> { self { Parcel() }.cached }
  var counter: Factory<Parcel> { makes { Parcel() } }
}

extension SharedContainer {
  var common: Factory<Parcel> { makes { Parcel() } }
}
