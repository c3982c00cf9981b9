import DITesting

// What the careless tests work with: services that keep state, containers and a scope in static
// lets, and consumers that get what they need in every way there is.

protocol Till: AnyObject {
  var label: String { get }
  var sales: Int { get set }
}

final class LiveTill: Till {
  let label: String
  var sales = 0
  init(_ label: String = "live") { self.label = label }
}

final class Stamp {
  let label: String
  var till: (any Till)?
  init(_ label: String) { self.label = label }
}

final class SalesDesk {
  let till: any Till
  init(till: any Till) { self.till = till }
}

final class InjectedDesk {
  @Injected var till: any Till
  @Injected(name: "spare") var spare: any Till
}

final class LazyDesk {
  @LazyInjected var till: any Till
  @WeakLazyInjected var stamp: Stamp?
}

final class OptionalDesk {
  @OptionalInjected var stamp: Stamp?
}

struct ResolvingDesk: Resolving {
  func sell() -> Int {
    let till: any Till = resolver.resolve()
    till.sales += 1
    return till.sales
  }
}

extension Resolver {
  /// Production's own container: configured where it is made.
  static let tills = Resolver { r in
    r.register { LiveTill() as any Till }.scope(.cached)
    r.register(name: "back") { LiveTill("back") as any Till }.scope(.singleton)
  }
  /// A container that every test fills for itself.
  static let drawer = Resolver()
  /// A mock container above main, as on Resolver's page on containers.
  static let carelessMock = Resolver(child: main)
}

extension Scope {
  static let shift = Scope.cache("shift")
}
