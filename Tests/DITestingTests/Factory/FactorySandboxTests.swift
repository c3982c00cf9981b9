import DIContainer
import DITesting
import Testing

private final class FreshDepot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
}

@Suite("Key paths in a sandbox")
struct FactorySandboxTests {
  @Test("What a sandbox registers in any container is its own")
  func sandbox() {
    withSandbox {
      Container.shared.courier.register { FakeCourier("sandbox") }
      CourierDepot.shared.courier.register { FakeCourier("sandbox") }
      #expect(Container.shared.dispatch().courier.name == "sandbox")
      #expect(CourierDepot.shared.courier().name == "sandbox")
    }
    #expect(Container.shared.courier().name == "van")
    #expect(CourierDepot.shared.courier().name == "van")
  }

  @Test("A reset in a sandbox hides what a sandbox outside registered, inside a layer, too")
  func resetInLayer() {
    withSandbox {
      withLayer { _ in
      } operation: {
        withSandbox {
          Container.shared.courier.register { FakeCourier("outside") }
          withSandbox {
            Container.shared.courier.reset()
            #expect(Container.shared.courier().name == "van")
          }
          #expect(Container.shared.courier().name == "outside")
        }
      }
    }
  }

  @Test("A sandbox's caches are empty, and what it keeps is its own")
  func sandboxCaches() {
    let live = CourierDepot.shared.kept()
    withSandbox {
      let kept = CourierDepot.shared.kept()
      #expect(kept !== live)
      #expect(CourierDepot.shared.kept() === kept)
      CourierDepot.shared.kept.reset(.scope)
      #expect(CourierDepot.shared.kept() !== kept)
      Scope.cached.reset()
    }
    #expect(CourierDepot.shared.kept() === live)
  }

  @Test("A shared container that a sandbox assigns is its own")
  func assignedShared() {
    let live = CourierDepot.shared
    withSandbox {
      CourierDepot.shared = CourierDepot()
      #expect(CourierDepot.shared !== live)
      Container.shared = Resolver()
      Container.shared.courier.register { FakeCourier("replaced") }
      #expect(Container.shared.courier().name == "replaced")
    }
    #expect(CourierDepot.shared === live)
    #expect(Container.shared.courier().name == "van")
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
      let depot = CourierDepot()
      #expect(depot.automatic().name == "automatic")
      CourierDepot.shared.automatic.register { FakeCourier("double") }
      #expect(CourierDepot.shared.automatic().name == "double")
    }
    #expect(CourierDepot.shared.automatic().name == "automatic")
  }

  @Test("A reset in a sandbox is its own, and autoRegister runs for it again")
  func resetInSandbox() {
    let depot = CourierDepot()
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

  @Test("After a reset in a sandbox, autoRegister runs for it when a sandbox inside asks first")
  func resetAroundSandbox() {
    let depot = CourierDepot()
    #expect(depot.automatic().name == "automatic")
    withSandbox {
      depot.reset()
      withSandbox { #expect(depot.automatic().name == "automatic") }
      #expect(depot.automatic().name == "automatic")
      depot.reset()
      withSandbox {
        depot.automatic.register { FakeCourier("double") }
        #expect(depot.automatic().name == "double")
      }
      #expect(depot.automatic().name == "automatic")
    }
  }

  @Test("A push in a scope leaves what the scopes around it and the process keep")
  func pushInScope() {
    func check(_ depot: CourierDepot) {
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
    check(CourierDepot())
    withSandbox {
      check(CourierDepot())
      withSandbox { check(CourierDepot()) }
    }
    let depot = CourierDepot()
    let live = depot.kept()
    withSandbox { check(depot) }
    #expect(depot.kept() === live)
  }

  @Test("What is first asked for after a push is forgotten by the pop, in a sandbox, too")
  func popOfFirstKept() {
    func check() {
      let depot = CourierDepot()
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
    let depot = CourierDepot()
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
