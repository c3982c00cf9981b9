import DIContainer
import Testing

/// Containers inside containers.
@Suite("Nesting containers")
struct NestingTests {
  private func container(_ names: String...) -> Resolver {
    let resolver = Resolver()
    for name in names { resolver.register(name: Resolver.Name(name)) { name + "@" + names[0] } }
    return resolver
  }

  private func find(_ name: Resolver.Name, in resolver: Resolver) -> String? {
    resolver.optional(String.self, name: name)
  }

  @Test("Own registrations first, then the children in the order added")
  func order() {
    let parent = container("parent", "x")
    parent.add(child: container("first", "x", "y"))
    parent.add(child: container("second", "x", "y", "z"))
    #expect(find("x", in: parent) == "x@parent")
    #expect(find("y", in: parent) == "y@first")
    #expect(find("z", in: parent) == "z@second")
    #expect(find("none", in: parent) == nil)
  }

  @Test("The search goes depth first: a grandchild comes before the next child")
  func depthFirst() {
    let first = container("first")
    first.add(child: container("grandchild", "x"))
    let parent = Resolver()
    parent.add(child: first)
    parent.add(child: container("second", "x"))
    #expect(find("x", in: parent) == "x@grandchild")
  }

  @Test("init(child:) and init(parent:) nest in the same way")
  func initialisers() {
    let inner = container("inner", "x")
    #expect(find("x", in: Resolver(child: inner)) == "x@inner")
    #expect(find("x", in: Resolver(parent: inner)) == "x@inner")
    #expect(find("x", in: Resolver(child: nil)) == nil)
  }

  @Test("A child is held by its parent, and knows nothing of it")
  func ownership() {
    weak var child: Resolver?
    let parent = Resolver()
    do {
      let strong = container("child", "x")
      child = strong
      parent.add(child: strong)
    }
    #expect(child != nil)
    parent.register(name: "own") { "own" }
    #expect(child.map { find("own", in: $0) } == .some(nil))
  }

  @Test("A container that is nested twice is found by both ways")
  func diamond() {
    let shared = container("shared", "x")
    let left = Resolver(child: shared)
    let right = Resolver(child: shared)
    let top = Resolver()
    top.add(child: left)
    top.add(child: right)
    #expect(find("x", in: top) == "x@shared")
    #expect(top.registrations.count == 2)
  }

  @Test("A nest of containers that share what is below them takes no longer than it has containers")
  func sharedNests() throws {
    let bottom = container("bottom", "x")
    var top = bottom
    for _ in 0..<60 {
      let left = Resolver(child: top)
      let right = Resolver(child: top)
      top = Resolver(child: left)
      // It also makes sure that nothing is nested into itself.
      top.add(child: right)
    }
    #expect(find("x", in: top) == "x@bottom")
    #expect(find("y", in: top) == nil)
    #expect(throws: ResolutionError.self) { try top.require(Int.self) }
    #expect(top.registrations.map(\.key.name) == ["bottom", "x"])
    #expect(top.graph.keys.count == 2)
    #expect(try top.validate().findings.isEmpty)
    #expect(top.resolveMany(String.self) == ["bottom@bottom", "x@bottom"])
    inSandbox {
      top.register(name: "z") { "z@sandbox" }
      bottom.register(name: "x") { "x@sandbox" }
      #expect(find("x", in: top) == "x@sandbox")
      #expect(find("z", in: top) == "z@sandbox")
      #expect(find("y", in: top) == nil)
    }
  }

  @Test("A layer over a nest of containers that share what is below them is asked once")
  func layerOverSharedNest() {
    let bottom = container("bottom", "x")
    var top = bottom
    for _ in 0..<60 {
      let left = Resolver(child: top)
      let right = Resolver(child: top)
      top = Resolver(child: left)
      top.add(child: right)
    }
    let root = ContextFrame(.root, parent: nil, installed: top, caches: .all)
    root.setRoot(top)
    let sandbox = ContextFrame(.sandbox, parent: root, caches: .all)
    let doubles = Resolver(
      core: ContainerCore(label: "layer", location: CodeLocation(), holdsDoubles: true))
    let layer = ContextFrame(.layer, parent: sandbox, installed: doubles, caches: .all)
    let inner = ContextFrame(.sandbox, parent: layer, caches: .all)
    ContextFrame.$bound.withValue(inner) {
      #expect(find("x", in: top) == "x@bottom")
      #expect(find("x", in: bottom) == "x@bottom")
      #expect(find("y", in: top) == nil)
      let other = container("other", "y")
      #expect(find("x", in: other) == nil)
    }
    withExtendedLifetime((root, sandbox, layer)) { inner.end() }
  }

  @Test("A shared child is looked at first by the way that was added first")
  func orderOfSharedNests() {
    let bottom = container("bottom", "x", "y")
    var top = Resolver(child: bottom)
    for index in 0..<60 {
      let right = Resolver(child: bottom)
      right.register(name: "x") { "x@right \(index)" }
      top = Resolver(child: top)
      top.add(child: right)
    }
    #expect(find("x", in: top) == "x@bottom")
    #expect(find("y", in: top) == "y@bottom")
    let above = container("above", "x")
    above.add(child: top)
    #expect(find("x", in: above) == "x@above")
    for resolver in [above, top] {
      resolver.decorate(ServiceKey(String.self, name: "x"), at: CodeLocation()) { inner in
        inner + ", decorated"
      }
    }
    #expect(find("x", in: above) == "x@above, decorated")
    #expect(find("x", in: top) == "x@bottom, decorated")
  }

  @Test("What comes close in a child that two share is named once")
  func nearMissInDiamond() {
    let shared = container("Fred")
    let top = Resolver(child: Resolver(child: shared))
    top.add(child: Resolver(child: shared))
    #expect(throws: ResolutionError.self) { try top.require(String.self, name: "fred") }
    do {
      _ = try top.require(String.self, name: "fred")
    } catch {
      #expect(error.description.split(separator: "close:").count == 2)
    }
  }

  @Test("What is registered, replaced or removed later in a child is seen from above at once")
  func laterChanges() {
    let child = container("child", "x")
    let parent = Resolver(child: child)
    #expect(find("x", in: parent) == "x@child")
    child.register(name: "x") { "new" }
    #expect(find("x", in: parent) == "new")
    child.remove(String.self, name: "x")
    #expect(find("x", in: parent) == nil)
    child.register(name: "x") { "back" }
    #expect(find("x", in: parent) == "back")
    parent.register(name: "x") { "parent" }
    #expect(find("x", in: parent) == "parent")
    parent.remove(String.self, name: "x")
    #expect(find("x", in: parent) == "back")
    let other = container("other", "y")
    #expect(find("y", in: parent) == nil)
    child.add(child: other)
    #expect(find("y", in: parent) == "y@other")
  }

  @Test("A mock above main replaces a service for everything that is resolved through it")
  func overriding() {
    final class Checkout {
      let gateway: String
      init(gateway: String) { self.gateway = gateway }
    }
    let live = Resolver { r in
      r.register(name: "gateway") { "live" }
      r.register { r in Checkout(gateway: r.resolve(name: "gateway")) }
    }
    let mock = Resolver(child: live)
    mock.register(name: "gateway") { "mock" }
    #expect(mock.resolve(Checkout.self).gateway == "mock")
    #expect(live.resolve(Checkout.self).gateway == "live")
  }

  @Test("Hundreds of containers in a row are searched to the end")
  func deepNesting() {
    var top = container("bottom", "x")
    for _ in 0..<300 { top = Resolver(child: top) }
    #expect(find("x", in: top) == "x@bottom")
    #expect(find("y", in: top) == nil)
  }

  @Test("What a deinit lets go of is gone before it returns, inside a nest too")
  func releaseInDeinit() {
    final class Worker {}
    final class Desk {
      private var shop: Resolver?
      weak var worker: Worker?
      let isGone: Lock<Bool?>

      init(_ isGone: Lock<Bool?>) {
        self.isGone = isGone
        let room = Resolver { $0.register { Worker() }.scope(.cached) }
        shop = Resolver(child: room)
        worker = room.resolve()
      }

      deinit {
        shop = nil
        isGone.withLock { $0 = worker == nil }
      }
    }
    let isGone = Lock<Bool?>(nil)
    func makeOffices() -> Resolver {
      let office = Resolver { $0.register { Desk(isGone) }.scope(.cached) }
      _ = office.resolve(Desk.self)
      return Resolver(child: Resolver(child: office))
    }
    _ = makeOffices()
    #expect(isGone.withLock { $0 } == true)
  }

  @Test("Containers are let go of from the outside in, one after the other, depth first")
  func orderOfRelease() {
    final class Kept: Sendable {
      let name: String
      init(_ name: String) { self.name = name }
    }
    let released = Lock<[String]>([])
    func container(_ name: String, _ children: Resolver...) -> Resolver {
      let container = Resolver()
      container.register { Kept(name) }.scope(.container)
        .onRelease { kept in released.withLock { $0.append(kept.name) } }
      _ = container.resolve(Kept.self)
      for child in children { container.add(child: child) }
      return container
    }
    let last = container("last")
    do {
      _ = container(
        "top",
        container("one", container("one.one"), container("one.two", container("one.two.one"))),
        container("two"), last)
    }
    #expect(released.withLock { $0 } == ["top", "one", "one.one", "one.two", "one.two.one", "two"])
    withExtendedLifetime(last) {}
  }

  @Test("reset() empties main in place, lets its children go and makes it the root")
  func reset() {
    inSandbox {
      let main = Resolver.main
      let mock = Resolver(child: .main)
      mock.register(name: "mock") { "mock" }
      Resolver.root = mock
      Resolver.register(name: "x") { "x" }
      Resolver.main.add(child: container("child", "y"))
      #expect(find("y", in: mock) == "y@child")
      Resolver.reset()
      #expect(Resolver.main === main && Resolver.root === main)
      #expect(find("x", in: mock) == nil)
      #expect(find("y", in: main) == nil)
      #expect(find("mock", in: mock) == "mock")
      Resolver.register(name: "x") { "again" }
      #expect(find("x", in: mock) == "again")
    }
  }

  @Test("reset() forgets what application, cached and shared keep, and no scope of one's own")
  func resetForgets() {
    final class Service {}
    let session = Scope.cache("session")
    let other = Resolver()
    inSandbox {
      for (name, scope) in [
        ("application", Scope.application), ("cached", .cached), ("shared", .shared),
        ("session", session), ("container", .container), ("singleton", .singleton),
      ] { other.register(name: Resolver.Name(name)) { Service() }.scope(scope) }
      func ask(_ name: Resolver.Name) -> Service { other.resolve(name: name) }
      let names: [Resolver.Name] = [
        "application", "cached", "shared", "session", "container", "singleton",
      ]
      let before = names.map(ask)
      Resolver.reset()
      let after = names.map(ask)
      let isSame = zip(before, after).map { $0 === $1 }
      #expect(isSame == [false, false, false, true, true, true])
    }
  }
}
