import DIContainer
import DITesting
import TestSupport
import Testing

// A service declared by key path, and every way in which a test puts a double in its place.

protocol Courier: AnyObject {
  var name: String { get }
}

private final class VanCourier: Courier {
  let name = "van"
}

private final class FakeCourier: Courier {
  let name: String
  init(_ name: String) { self.name = name }
}

private final class Dispatch {
  let courier: any Courier
  init(_ courier: any Courier) { self.courier = courier }
}

extension Container {
  fileprivate var courier: Factory<any Courier> { self { VanCourier() } }
  fileprivate var cachedCourier: Factory<any Courier> { self { VanCourier() }.cached }
  fileprivate var singleCourier: Factory<any Courier> { self { VanCourier() }.singleton }
  fileprivate var dispatch: Factory<Dispatch> { self { Dispatch(self.courier()) } }
  fileprivate var contextual: Factory<String> {
    self { "declaration" }.onArg("offline") { "declared context" }
  }
  fileprivate var plain: Factory<String> { self { "declaration" } }
  fileprivate var label: ParameterFactory<Int, String> {
    self { "label \($0)" }.onArg("offline") { "context \($0)" }
  }
}

private final class Depot: DefaultSharedContainer, AutoRegistering {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
  var kept: Factory<any Courier> { self { VanCourier() }.cached }
  var automatic: Factory<any Courier> { self { VanCourier() } }
  var contextual: Factory<String> { self { "declaration" }.onArg("offline") { "context" } }
  var numbered: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.cached
  }
  func autoRegister() { automatic.register { FakeCourier("automatic") } }
}

private final class OtherDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
}

private final class FreshDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

private final class Desk {
  @Injected(\.courier) var courier
  @LazyInjected(\.courier) var lazily
  @DynamicInjected(\.courier) var dynamic
  @Injected(\Depot.courier) var depot
}

@Suite("Doubles by key path")
struct FactoryDoublesTests {
  @Test("A container on top of the root overrides a property")
  func childAsRoot() {
    withSandbox {
      let mock = Resolver(child: .main)
      mock.courier.register { FakeCourier("mock") }
      Resolver.root = mock
      #expect(Container.shared.courier().name == "mock")
      #expect(Container.shared.dispatch().courier.name == "mock")
      #expect(Resolver.main.courier().name == "van")
    }
    #expect(Container.shared.courier().name == "van")
  }

  @Test("A layer overrides a property, for the root and for all that it reaches")
  func layer() {
    withLayer {
      $0.courier.register { FakeCourier("layer") }
    } operation: {
      #expect(Container.shared.courier().name == "layer")
      #expect(Resolver.main.courier().name == "layer")
      #expect(Container.shared.dispatch().courier.name == "layer")
      withLayer {
        $0.courier.register { FakeCourier("inner") }
      } operation: {
        #expect(Container.shared.courier().name == "inner")
      }
      #expect(Container.shared.courier().name == "layer")
    }
    #expect(Container.shared.courier().name == "van")
  }

  @Test("A layer hides what was kept before, and what it keeps goes with it")
  func layerCaches() {
    withSandbox {
      let before = (Container.shared.cachedCourier(), Container.shared.singleCourier())
      withLayer {
        $0.courier.register { FakeCourier("layer") }
      } operation: {
        #expect(Container.shared.courier().name == "layer")
        #expect(Container.shared.cachedCourier() !== before.0)
        #expect(Container.shared.singleCourier() !== before.1)
        #expect(Container.shared.cachedCourier() === Container.shared.cachedCourier())
      }
      #expect(Container.shared.cachedCourier() === before.0)
      #expect(Container.shared.singleCourier() === before.1)
    }
  }

  @Test("A layer names a container that the root does not reach")
  func named() {
    withLayer {
      $0.double(\Depot.courier) { FakeCourier("named") }
    } operation: {
      #expect(Depot.shared.courier().name == "named")
      #expect(Depot().courier().name == "named")
      #expect(Container.shared.courier().name == "van")
    }
    #expect(Depot.shared.courier().name == "van")
  }

  @Test("A sandbox's root names such a container too, and a later registration wins over it")
  func namedInSandbox() {
    withSandbox {
      Resolver.root.double(\Depot.courier, FakeCourier("named"))
      #expect(Depot.shared.courier().name == "named")
      Depot.shared.courier.register { FakeCourier("later") }
      #expect(Depot.shared.courier().name == "later")
    }
  }

  @Test("A double for a property of the container itself is a registration")
  func ownDouble() {
    withLayer {
      $0.double(\.courier) { FakeCourier("own") }
    } operation: {
      #expect(Container.shared.courier().name == "own")
    }
    withLayer {
      $0.double(\.courier, FakeCourier("an instance"))
    } operation: {
      #expect(Container.shared.courier().name == "an instance")
    }
  }

  @Test("What a sandbox registers in any container is its own")
  func sandbox() {
    withSandbox {
      Container.shared.courier.register { FakeCourier("sandbox") }
      Depot.shared.courier.register { FakeCourier("sandbox") }
      #expect(Container.shared.dispatch().courier.name == "sandbox")
      #expect(Depot.shared.courier().name == "sandbox")
    }
    #expect(Container.shared.courier().name == "van")
    #expect(Depot.shared.courier().name == "van")
  }

  @Test("A sandbox's caches are empty, and what it keeps is its own")
  func sandboxCaches() {
    let live = Depot.shared.kept()
    withSandbox {
      let kept = Depot.shared.kept()
      #expect(kept !== live)
      #expect(Depot.shared.kept() === kept)
      Depot.shared.kept.reset(.scope)
      #expect(Depot.shared.kept() !== kept)
      Scope.cached.reset()
    }
    #expect(Depot.shared.kept() === live)
  }

  @Test("A shared container that a sandbox assigns is its own")
  func assignedShared() {
    let live = Depot.shared
    withSandbox {
      Depot.shared = Depot()
      #expect(Depot.shared !== live)
      Container.shared = Resolver()
      Container.shared.courier.register { FakeCourier("replaced") }
      #expect(Container.shared.courier().name == "replaced")
    }
    #expect(Depot.shared === live)
    #expect(Container.shared.courier().name == "van")
  }

  @Test("Wrappers find the double before and after it is registered")
  func wrappers() {
    withSandbox {
      let before = Desk()
      Container.shared.courier.register { FakeCourier("double") }
      let after = Desk()
      #expect(before.courier.name == "van")
      #expect(before.lazily.name == "double")
      #expect(before.dynamic.name == "double")
      #expect(after.courier.name == "double")
    }
    withLayer {
      $0.double(\Depot.courier) { FakeCourier("named") }
    } operation: {
      #expect(Desk().depot.name == "named")
    }
  }

  @Test("A lazy wrapper that resets what it names does so in the context that it remembers")
  func lazyReset() {
    withSandbox {
      Depot.shared.courier.register { FakeCourier("outside") }
      withSandbox {
        Depot.shared.courier.register { FakeCourier("inside") }
        let lazy = Unchecked(LazyInjected(\Depot.courier))
        let name = onThread { [lazy] in
          lazy.value.resolve(reset: .registration)
          return lazy.value.wrappedValue.name
        }
        #expect(name == "van")
      }
      #expect(Depot.shared.courier().name == "outside")
    }
  }

  @Test("A dynamic property asks the context of each access, else the one it was made in")
  func dynamic() async {
    let outside = Desk()
    #expect(outside.dynamic.name == "van")
    await withSandbox {
      Container.shared.courier.register { FakeCourier("first") }
      let desk = Desk()
      #expect(outside.dynamic.name == "first")
      withSandbox {
        Container.shared.courier.register { FakeCourier("second") }
        #expect(desk.dynamic.name == "second")
        #expect(desk.$dynamic().name == "second")
        #expect(outside.dynamic.name == "second")
      }
      let carried = Unchecked(desk)
      // Where there is no context, what it was made in answers: in full, later doubles included.
      #expect(await Task.detached { carried.value.dynamic.name }.value == "first")
      Container.shared.courier.register { FakeCourier("third") }
      #expect(await Task.detached { carried.value.dynamic.name }.value == "third")
      #expect(desk.dynamic.name == "third")
    }
    #expect(outside.dynamic.name == "van")
  }

  @Test("An assigned shared container answers wrappers and generic code, and no other type")
  func sharedInWrappers() {
    func courier<C: DefaultSharedContainer>(
      of type: C.Type, _ path: KeyPath<C, Factory<any Courier>>
    ) -> String {
      C.shared[keyPath: path]().name
    }
    withSandbox {
      let depot = Depot()
      depot.courier.register { FakeCourier("assigned") }
      Depot.shared = depot
      #expect(Desk().depot.name == "assigned")
      #expect(courier(of: Depot.self, \.courier) == "assigned")
      #expect(OtherDepot.shared.courier().name == "van")
      withSandbox {
        #expect(Depot.shared === depot)
        Depot.shared = Depot()
        #expect(Desk().depot.name == "van")
      }
      #expect(Depot.shared === depot)
      withLayer { _ in
      } operation: {
        Depot.shared = Depot()
        #expect(Depot.shared !== depot)
      }
      #expect(Desk().depot.name == "assigned")
    }
    #expect(Desk().depot.name == "van")
  }

  @Test("A shared container is made once, whichever sandboxes are first at once")
  func sharedIsOne() async {
    let made = await withTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<20 {
        group.addTask { withSandbox { ObjectIdentifier(FreshDepot.shared) } }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(made == [ObjectIdentifier(FreshDepot.shared)])
  }

  @Test("autoRegister writes base state, whichever sandbox is first")
  func autoRegister() {
    withSandbox {
      let depot = Depot()
      #expect(depot.automatic().name == "automatic")
      Depot.shared.automatic.register { FakeCourier("double") }
      #expect(Depot.shared.automatic().name == "double")
    }
    #expect(Depot.shared.automatic().name == "automatic")
  }

  @Test("A reset in a sandbox is its own, and autoRegister runs for it again")
  func resetInSandbox() {
    let depot = Depot()
    depot.courier.register { FakeCourier("registered") }
    let kept = depot.kept()
    withSandbox {
      #expect(depot.courier().name == "registered")
      depot.reset()
      #expect(depot.courier().name == "van")
      #expect(depot.automatic().name == "automatic")
      depot.courier.register { FakeCourier("sandbox") }
      #expect(depot.courier().name == "sandbox")
    }
    #expect(depot.courier().name == "registered")
    #expect(depot.kept() === kept)
  }

  @Test("A push in a scope leaves what the scopes around it and the process keep")
  func pushInScope() {
    func check(_ depot: Depot) {
      let kept = (depot.kept(), depot.numbered(7))
      func isKept() -> Bool { depot.kept() === kept.0 && depot.numbered(7) === kept.1 }
      withRoot(Resolver()) {
        let inner = depot.kept()
        depot.manager.push()
        #expect(depot.kept() === inner)
        depot.manager.push()
      }
      #expect(isKept())
      depot.manager.pop()
      #expect(isKept())
      depot.manager.pop()
      #expect(isKept())
    }
    check(Depot())
    withSandbox {
      check(Depot())
      withSandbox { check(Depot()) }
    }
    let depot = Depot()
    let live = depot.kept()
    withSandbox { check(depot) }
    #expect(depot.kept() === live)
  }

  @Test("What is first asked for after a push is forgotten by the pop, in a sandbox, too")
  func popOfFirstKept() {
    func check() {
      let depot = Depot()
      depot.manager.push()
      let kept = (depot.kept(), depot.numbered(7))
      #expect(depot.kept() === kept.0 && depot.numbered(7) === kept.1)
      depot.manager.pop()
      #expect(depot.kept() !== kept.0)
      #expect(depot.numbered(7) !== kept.1)
    }
    check()
    withSandbox { check() }
    withSandbox { withRoot(Resolver()) { check() } }
  }

  @Test("Push, pop and settings in a sandbox are its own", .withoutWarnings)
  func settingsInSandbox() {
    let depot = Depot()
    withSandbox {
      depot.manager.defaultScope = .cached
      #expect(depot.courier() === depot.courier())
      depot.manager.push()
      depot.courier.register { FakeCourier("pushed") }
      #expect(depot.courier().name == "pushed")
      depot.manager.pop()
      #expect(depot.courier().name == "van")
    }
    #expect(depot.courier() !== depot.courier())
    depot.manager.pop()
    #expect(depot.courier().name == "van")
  }
}

@Suite("Who wins by key path")
struct FactoryPrecedenceTests {
  @Test("A double wins over contexts, a context over what production registered")
  func doubleOverContext() {
    let container = Resolver()
    container.plain.register { "registered" }.onTest { "context" }
    #expect(container.plain() == "context")
    withSandbox {
      #expect(container.plain() == "context")
      container.plain.register { "double" }
      #expect(container.plain() == "double")
    }
    #expect(container.plain() == "context")
  }

  @Test("A layer's double for a property of any container wins over the declaration's contexts")
  func layerOverDeclaredContext() {
    func check(_ name: String) {
      withLayer {
        $0.double(\Depot.contextual) { "double" }
      } operation: {
        #expect(Depot().contextual() == "double", "in the layer, \(name)")
        withSandbox { #expect(Depot().contextual() == "double", "in a sandbox, \(name)") }
        let depot = Depot()
        withSandbox { #expect(depot.contextual() == "double", "in a sandbox, \(name)") }
      }
    }
    withSandbox {
      check("before")
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(Depot().contextual() == "context")
      check("after")
    }
  }

  @Test("A context that the test sets after its double wins over it")
  func laterContext() {
    withSandbox {
      Container.shared.plain.register { "double" }
      #expect(Container.shared.plain() == "double")
      Container.shared.plain.onTest { "context" }
      #expect(Container.shared.plain() == "context")
      Container.shared.plain.register { "last" }
      #expect(Container.shared.plain() == "last")
    }
  }

  @Test("A context of the declaration wins over the declaration, a double over both")
  func declaredContext() {
    withSandbox {
      #expect(Container.shared.contextual() == "declaration")
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(Container.shared.contextual() == "declared context")
      Container.shared.contextual.register { "double" }
      #expect(Container.shared.contextual() == "double")
    }
    #expect(Container.shared.contextual() == "declaration")
  }

  @Test("The same holds for a service with a parameter")
  func contextWithParameter() {
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      #expect(Container.shared.label(7) == "context 7")
      Container.shared.label.register { "double \($0)" }
      #expect(Container.shared.label(7) == "double 7")
      Container.shared.label.onArg("offline") { "later \($0)" }
      #expect(Container.shared.label(7) == "later 7")
      withSandbox {
        Container.shared.label.onArg("offline") { "inner \($0)" }
        #expect(Container.shared.label(7) == "inner 7")
      }
      #expect(Container.shared.label(7) == "later 7")
    }
    #expect(Container.shared.label(7) == "label 7")
  }

  @Test("Process arguments that a sandbox sets are its own")
  func arguments() {
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      withSandbox {
        #expect(Container.shared.contextual() == "declared context")
        FactoryContext.removeArg(forKey: "mode")
        #expect(Container.shared.contextual() == "declaration")
      }
      #expect(Container.shared.contextual() == "declared context")
    }
    #expect(Container.shared.contextual() == "declaration")
  }

  @Test("Kinds of contexts have an order: arguments, test, debug")
  func kinds() {
    withSandbox {
      FactoryContext.current.isTest = true
      FactoryContext.current.isDebug = true
      let container = Resolver()
      container.plain.onDebug { "debug" }
      #expect(container.plain() == "debug")
      container.plain.onTest { "test" }
      #expect(container.plain() == "test")
      container.plain.onArgs(["offline", "slow"]) { "argument" }
      #expect(container.plain() == "test")
      FactoryContext.setArg("slow", forKey: "mode")
      #expect(container.plain() == "argument")
    }
  }

  @Test("A double's own decorator applies to it, a container-wide one to everything")
  func decorators() {
    withSandbox {
      let depot = Depot()
      var seen: [String] = []
      depot.decorator { seen.append("container: \(($0 as! any Courier).name)") }
      depot.courier.decorator { seen.append("live: \($0.name)") }
      _ = depot.courier()
      depot.courier.register { FakeCourier("double") }
        .decorator { seen.append("double: \($0.name)") }
      _ = depot.courier()
      #expect(seen == ["live: van", "container: van", "double: double", "container: double"])
    }
  }
}

@Suite("Recordings by key path")
struct FactoryRecordingTests {
  @Test("Requests by key path are events, live and double, created and kept")
  func events() {
    let recorder = ResolutionRecorder()
    withSandbox {
      let depot = Depot()
      withRecorder(recorder) {
        _ = depot.courier()
        _ = depot.kept()
        _ = depot.kept()
        depot.courier.register { FakeCourier("double") }
        _ = depot.courier()
        _ = Container.shared.dispatch()
      }
    }
    #expect(
      recorder.events.map(\.description) == [
        "courier: any Courier: created live in Depot (unique)",
        "kept: any Courier: created live in Depot (cached)",
        "kept: any Courier: kept live in Depot (cached)",
        "courier: any Courier: registered double in Depot (unique)",
        "courier: any Courier: created double in Depot (unique)",
        "dispatch: Dispatch: created live in main (unique)",
        "courier: any Courier: created live in main (unique)",
      ])
    #expect(recorder.events.last?.parent == 5)
    #expect(recorder.resolutions(of: (any Courier).self).count == 5)
  }

  @Test("What a test's context makes from a parameter is recorded as a double")
  func contextWithParameter() {
    let recorder = ResolutionRecorder()
    withSandbox {
      FactoryContext.setArg("offline", forKey: "mode")
      withRecorder(recorder) {
        _ = Container.shared.label(7)
        Container.shared.label.onArg("offline") { "outside \($0)" }
        _ = Container.shared.label(7)
      }
    }
    #expect(
      recorder.events.map(\.description) == [
        "label: String: created live in main (unique)",
        "label: String: created double in main (unique)",
      ])
  }

  @Test("A layer's double is recorded where it stands")
  func layer() {
    let recorder = ResolutionRecorder()
    withLayer {
      $0.double(\Depot.courier) { FakeCourier("named") }
    } operation: {
      withRecorder(recorder) { _ = Depot.shared.courier() }
    }
    #expect(recorder.events.map(\.isDouble) == [true])
    #expect(recorder.events.map(\.key.description) == ["courier: any Courier"])
  }
}
