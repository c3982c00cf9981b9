import DIContainer
import DITesting
import Testing

private protocol Address {
  var street: String { get }
}
private final class Place: Address {
  let street: String
  init(_ street: String) { self.street = street }
}

@Suite("Two registrations of a service that their aliases tell apart")
struct ToldApartTests {
  private let shop = Resolver()

  private func registerBoth(_ scope: Scope = .graph) {
    shop.register { Place("Home Street") }.scope(scope)
      .implements((any Address).self, name: "home")
    shop.register { Place("Work Street") }.scope(scope)
      .implements((any Address).self, name: "work")
  }

  private func street(_ name: Resolver.Name) -> String {
    shop.resolve((any Address).self, name: name).street
  }

  private func place(_ name: Resolver.Name) -> Place {
    shop.resolve((any Address).self, name: name) as! Place
  }

  @Test(
    "are each returned for their own alias, and the later one for the service",
    arguments: [Scope.unique, .graph, .shared, .cached, .application, .container])
  func each(scope: Scope) {
    registerBoth(scope)
    for _ in 0..<2 {
      #expect(street("home") == "Home Street")
      #expect(street("work") == "Work Street")
      #expect(shop.resolve(Place.self).street == "Work Street")
    }
    #expect(
      shop.resolveMany((any Address).self).map(\.street) == ["Home Street", "Work Street"])
    #expect(Resolver(child: shop).resolve((any Address).self, name: "home").street == "Home Street")
  }

  @Test("keep an instance each", arguments: [Scope.cached, .application])
  func kept(scope: Scope) {
    registerBoth(scope)
    let home = shop.resolve((any Address).self, name: "home") as AnyObject
    #expect(shop.resolve((any Address).self, name: "home") as AnyObject === home)
    #expect(shop.resolve(Place.self) !== home)
  }

  @Test("yield to a double of the service, which wins over both")
  func double() {
    registerBoth()
    inSandbox {
      shop.register { Place("Test Street") }
      #expect(street("home") == "Test Street")
      #expect(street("work") == "Test Street")
    }
    #expect(street("home") == "Home Street")
  }

  @Test("are apart where their container is a test's root", arguments: [Scope.graph, .cached])
  func root(scope: Scope) {
    registerBoth(scope)
    withRoot(shop) {
      for _ in 0..<2 {
        #expect(street("home") == "Home Street")
        #expect(Resolver.resolve((any Address).self, name: "home").street == "Home Street")
        #expect(Resolver.resolve((any Address).self, name: "work").street == "Work Street")
      }
    }
  }

  @Test(
    "stay apart where a test decorates the service, or adds an alias", arguments: [false, true])
  func decoratedInSandbox(isLayer: Bool) {
    registerBoth()
    let later = shop.register { Place("Rest Street") }
      .implements((any Address).self, name: "rest")
    func run() {
      shop.decorate(Place.self) { Place("Test \($0.street)") }
      #expect(street("home") == "Test Home Street")
      #expect(street("rest") == "Test Rest Street")
      later.implements((any Address).self, name: "pub")
      #expect(street("pub") == "Test Rest Street")
    }
    if isLayer {
      withRoot(shop) {
        withLayer {
          $0.decorate(Place.self) { Place("Test \($0.street)") }
        } operation: {
          #expect(street("home") == "Test Home Street")
          #expect(street("rest") == "Test Rest Street")
        }
      }
    } else {
      withSandbox { run() }
    }
    #expect(street("home") == "Home Street")
    #expect(street("work") == "Work Street")
    #expect(street("rest") == "Rest Street")
  }

  @Test("are no finding of the check, and are apart in the graph")
  func graph() throws {
    registerBoth()
    #expect(try shop.validate().findings.isEmpty)
    let lines = shop.graph.description.split(separator: "\n")
    #expect(lines.count { $0.contains("Place  —") } == 2)
  }

  @Test("stay apart where an alias is decorated, or the service before or after")
  func decorated() {
    shop.register { Place("Home Street") }.implements((any Address).self, name: "home")
    shop.decorate(Place.self) { Place("Old \($0.street)") }
    shop.decorate((any Address).self, name: "home") { Place("\($0.street) 1") }
    shop.register { Place("Work Street") }.implements((any Address).self, name: "work")
    shop.decorate(Place.self) { Place("New \($0.street)") }
    #expect(street("home") == "Old Home Street 1")
    #expect(street("work") == "New Work Street")
    #expect(shop.resolve(Place.self).street == "New Work Street")
  }

  @Test("start anew when the later one comes, also what is decorated", arguments: [false, true])
  func startAnew(isDecorated: Bool) {
    shop.register { Place("Home Street") }.scope(.cached)
      .implements((any Address).self, name: "home")
    if isDecorated { shop.decorate(Place.self) { $0 } }
    let first = place("home")
    shop.register { Place("Work Street") }.implements((any Address).self, name: "work")
    let later = place("home")
    #expect(later !== first)
    #expect(place("home") === later)
  }

  @Test("lose their instances with a reset of the container, the earlier one too")
  func reset() {
    registerBoth(.container)
    let first = place("home")
    shop.manager.reset()
    #expect(place("home") !== first)
  }

  @Test("are three where there are three")
  func three() {
    registerBoth()
    shop.register { Place("Beach Street") }.implements((any Address).self, name: "holiday")
    #expect(street("home") == "Home Street")
    #expect(street("work") == "Work Street")
    #expect(street("holiday") == "Beach Street")
  }

  @Test("start anew, both of them, where a third one comes", arguments: [Scope.cached, .single])
  func third(scope: Scope) {
    registerBoth(scope)
    let (home, work) = (place("home"), place("work"))
    shop.register { Place("Beach Street") }.implements((any Address).self, name: "holiday")
    #expect(place("home") !== home)
    #expect(place("work") !== work)
  }

  @Test("start anew where a third one comes, also if the second was kept nowhere")
  func thirdAfterUnique() {
    shop.register { Place("Home Street") }.scope(.cached)
      .implements((any Address).self, name: "home")
    shop.register { Place("Work Street") }.scope(.unique)
      .implements((any Address).self, name: "work")
    let home = place("home")
    #expect(place("home") === home)
    shop.register { Place("Beach Street") }.implements((any Address).self, name: "holiday")
    #expect(place("home") !== home)
  }

  @Test("leave a sandbox what it has of the earlier one, where production registers the later one")
  func besideSandbox() {
    shop.register { Place("Home Street") }.scope(.cached)
      .implements((any Address).self, name: "home")
    withSandbox {
      let home = place("home")
      _ = Resolver { _ in
        shop.register { Place("Work Street") }.implements((any Address).self, name: "work")
      }
      #expect(place("home") === home)
      #expect(street("work") == "Work Street")
    }
  }

  @Test("are one where the later has no alias, or the same one: it replaces the earlier")
  func replaced() {
    shop.register { Place("Home Street") }.implements((any Address).self, name: "home")
    shop.register { Place("New Street") }
    #expect(street("home") == "New Street")
    shop.register { Place("Newer Street") }.implements((any Address).self, name: "home")
    #expect(street("home") == "Newer Street")
  }

  @Test("release what the earlier one holds, where the later has no alias, or the same one")
  func released() {
    final class Lease: Sendable {}
    for hasAlias in [false, true] {
      weak var lease: Lease?
      do {
        let held = Lease()
        lease = held
        shop.register { withExtendedLifetime(held) { Place("Home Street") } }
          .implements((any Address).self, name: "home")
      }
      #expect(lease != nil)
      let options = shop.register { Place("New Street") }
      if hasAlias { options.implements((any Address).self, name: "home") }
      _ = consume options
      #expect(lease == nil)
    }
  }
}
