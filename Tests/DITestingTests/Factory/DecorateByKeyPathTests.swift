import DITesting
import TestSupport
import Testing

private final class Spy: Courier {
  let wrapped: any Courier
  var name: String { "spy(\(wrapped.name))" }
  init(_ wrapped: any Courier) { self.wrapped = wrapped }
}

@MainActor
private final class Sign {
  let text: String
  var isPainted = false
  init(_ text: String = "live") { self.text = text }
}

private final class Depot: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
  var kept: Factory<any Courier> { self { VanCourier() }.cached }
  var held: Factory<any Courier> { self { VanCourier() }.shared }
  var single: Factory<any Courier> { self { VanCourier() }.singleton }
  var cyclic: Factory<any Courier> { self { VanCourier() }.graph }
  var onStage: Factory<any Courier> { self { VanCourier() }.onTest { FakeCourier("stage") } }
  var absent: Factory<(any Courier)?> { self { nil } }
  var sign: MainActorFactory<Sign> { self { Sign() } }
  var later: AsyncFactory<String> { self { await Self.load() }.cached }
  var numbered: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.cached
  }
  var onlyOne: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.singleton
  }

  private static func load() async -> String {
    await Task.yield()
    return "live"
  }
}

@Suite("A double by key path that wraps what it stands in for")
struct DecorateByKeyPathTests {
  private let depot = Depot()

  @Test("gets the live instance in a layer, for whichever container is asked")
  func layer() {
    withLayer { mock in
      mock.decorate(\.courier) { Spy($0) }
      mock.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      #expect(Container.shared.courier().name == "spy(van)")
      #expect(Resolver.main.courier().name == "spy(van)")
      #expect(Container.shared.dispatch().courier.name == "spy(van)")
      #expect(depot.courier().name == "spy(van)")
      #expect(Depot.shared.courier().name == "spy(van)")
    }
    #expect(Container.shared.courier().name == "van")
    #expect(depot.courier().name == "van")
  }

  @Test("gets the live instance in a sandbox")
  func sandbox() {
    withSandbox { root in
      root.decorate(\.courier) { Spy($0) }
    } operation: {
      #expect(Container.shared.courier().name == "spy(van)")
      depot.courier.decorate { Spy($0) }
      #expect(depot.courier().name == "spy(van)")
    }
    #expect(Container.shared.courier().name == "van")
    #expect(depot.courier().name == "van")
  }

  @Test("gets what production code registered for the property")
  func registered() {
    depot.courier.register { FakeCourier("bike") }
    withLayer {
      $0.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      #expect(depot.courier().name == "spy(bike)")
      #expect(Depot().courier().name == "spy(van)")
    }
  }

  @Test("gets what a context makes, which wins over the declaration")
  func context() {
    #expect(depot.onStage().name == "stage")
    withLayer {
      $0.decorate(\Depot.onStage) { Spy($0) }
    } operation: {
      #expect(depot.onStage().name == "spy(stage)")
      depot.onStage.onTest { FakeCourier("tour") }
      #expect(depot.onStage().name == "spy(tour)")
    }
  }

  @Test("gives way to a context that the test sets after it")
  func laterContext() {
    withSandbox {
      depot.onStage.onTest { FakeCourier("first") }
      depot.onStage.decorate { Spy($0) }
      #expect(depot.onStage().name == "spy(first)")
      depot.onStage.onTest { FakeCourier("second") }
      #expect(depot.onStage().name == "second")
    }
  }

  @Test("wraps what is wrapped in the same place and further out, the innermost last")
  func nested() {
    func decorate(_ container: Resolver, _ names: String...) {
      for spy in names {
        container.decorate(\.courier) { FakeCourier("\(spy)(\($0.name))") }
        container.decorate(\Depot.courier) { FakeCourier("\(spy)(\($0.name))") }
      }
    }
    func expectNames(_ name: String) {
      #expect(Container.shared.courier().name == name)
      #expect(depot.courier().name == name)
    }
    withLayer {
      decorate($0, "a", "b")
    } operation: {
      expectNames("b(a(van))")
      withLayer {
        decorate($0, "c", "d")
      } operation: {
        expectNames("d(c(b(a(van))))")
        withSandbox {
          decorate($0, "e", "f")
        } operation: {
          expectNames("f(e(d(c(b(a(van))))))")
        }
      }
      expectNames("b(a(van))")
    }
    expectNames("van")
  }

  @Test("wraps the double that stands in the same layer, and gives way to one registered after it")
  func sameLayer() {
    withLayer {
      $0.double(\.courier) { FakeCourier("fake") }
      $0.decorate(\.courier) { Spy($0) }
      $0.double(\Depot.courier) { FakeCourier("fake") }
      $0.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      #expect(Container.shared.courier().name == "spy(fake)")
      #expect(depot.courier().name == "spy(fake)")
      withLayer {
        $0.double(\.courier) { FakeCourier("after") }
        $0.double(\Depot.courier) { FakeCourier("after") }
      } operation: {
        #expect(Container.shared.courier().name == "after")
        #expect(depot.courier().name == "after")
      }
    }
    withSandbox {
      depot.courier.decorate { Spy($0) }
      depot.courier.register { FakeCourier("after") }
      #expect(depot.courier().name == "after")
    }
  }

  @Test("is kept for as long as what it wraps")
  func kept() {
    withLayer {
      $0.decorate(\Depot.kept) { Spy($0) }
      $0.decorate(\Depot.held) { Spy($0) }
      $0.decorate(\Depot.single) { Spy($0) }
      $0.decorate(\Depot.cyclic) { Spy($0) }
      $0.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      #expect(depot.kept() === depot.kept())
      #expect(depot.kept() is Spy)
      #expect(Depot().kept() !== depot.kept())
      let held = depot.held()
      #expect(depot.held() === held)
      #expect(depot.single() === Depot().single())
      #expect(depot.single().name == "spy(van)")
      #expect(depot.cyclic() !== depot.cyclic())
      #expect(depot.courier() !== depot.courier())
    }
  }

  @Test("is kept in the scope that its container has for what names none")
  func defaultScope() {
    depot.manager.defaultScope = .cached
    withLayer {
      $0.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      #expect(depot.courier() === depot.courier())
      #expect(Depot().courier().name == "spy(van)")
    }
  }

  @Test("wraps the instance that a container keeps already, outside every scope")
  func keptBefore() {
    let live = depot.kept()
    depot.kept.decorate { Spy($0) }
    #expect((depot.kept() as? Spy)?.wrapped === live)
    #expect(depot.kept() === depot.kept())
    let double = FakeCourier("fake")
    depot.courier.register { double }
    depot.courier.decorate { Spy($0) }
    #expect((depot.courier() as? Spy)?.wrapped === double)
  }

  @Test("is forgotten together with what it wraps", arguments: [true, false])
  func forgotten(isInSandbox: Bool) {
    func run() {
      depot.kept.decorate { Spy($0) }
      var resets: [() -> Void] = [
        { depot.kept.reset(.scope) }, { depot.manager.reset(options: .scope) },
        { depot.manager.reset(scope: .cached) },
      ]
      // Elsewhere it is other tests' too.
      if isInSandbox { resets.append { Scope.cached.reset() } }
      for reset in resets {
        let before = depot.kept() as? Spy
        reset()
        let after = depot.kept() as? Spy
        #expect(before !== after)
        #expect(before?.wrapped !== after?.wrapped)
      }
      depot.kept.reset()
      #expect(depot.kept() is VanCourier)
    }
    if isInSandbox { withSandbox { run() } } else { withSandbox {}; run() }
  }

  @Test("hands on the absence of what it wraps, where the service is an optional")
  func absent() {
    withLayer {
      $0.decorate(\Depot.absent) { live in live.map { Spy($0) } }
    } operation: {
      #expect(depot.absent() == nil)
      depot.absent.register { FakeCourier("here") }
      #expect(depot.absent()?.name == "spy(here)")
    }
  }

  @Test("takes the parameter, and is kept by it like what it wraps")
  func parameter() {
    withLayer {
      $0.decorate(\Depot.numbered) { Spy($0) }
      $0.decorate(\Depot.onlyOne) { Spy($0) }
    } operation: {
      #expect(depot.numbered(1).name == "spy(1)")
      #expect(depot.numbered(1) === depot.numbered(1))
      #expect(depot.numbered(2).name == "spy(2)")
      #expect(depot.onlyOne(1).name == "spy(1)")
      #expect(depot.onlyOne(1) === Depot().onlyOne(1))
    }
    #expect(depot.numbered(1).name == "1")
  }

  @MainActor
  @Test("wraps a service of the main actor there")
  func mainActor() {
    withLayer {
      $0.decorate(\Depot.sign) { Sign("spy(\($0.text))") }
    } operation: {
      #expect(depot.sign().text == "spy(live)")
    }
    #expect(depot.sign().text == "live")
  }

  private nonisolated static func repaint(_ container: Resolver) {
    container.decorate(\Depot.sign) {
      let sign = Sign("spy(\($0.text))")
      sign.isPainted = true
      return sign
    }
  }

  @MainActor
  @Test("wraps a service of the main actor there, though said in code that belongs to no actor")
  func mainActorFromElsewhere() {
    withLayer(Self.repaint) {
      #expect(depot.sign().text == "spy(live)")
      #expect(depot.sign().isPainted)
    }
    withSandbox {
      depot.sign.decorate { live in
        live.isPainted = true
        return live
      }
      #expect(depot.sign().isPainted)
    }
    #expect(!depot.sign().isPainted)
  }

  @Test("wraps an async service, which is made once")
  func async() async throws {
    try await withLayer {
      $0.decorate(\Depot.later) { "spy(\($0))" }
      $0.decorate(\Depot.later) { "outer(\($0))" }
    } operation: {
      let name = try await depot.later()
      #expect(name == "outer(spy(live))")
      depot.later.register { "registered" }
      let registered = try await depot.later()
      #expect(registered == "outer(spy(registered))")
    }
    let registered = try await depot.later()
    #expect(registered == "registered")
  }

  @Test("throws what it throws, with the request that it was made for")
  func throwing() {
    withLayer {
      $0.decorate(\Depot.courier) { _ in throw OutOfStock() }
    } operation: {
      let error = #expect(throws: ResolutionError.self) { try depot.courier.require() }
      #expect(error?.reason == .factoryFailed("OutOfStock()"))
    }
  }

  @Test("that asks for its own property is a cycle, and says so")
  func cycle() {
    withLayer {
      $0.decorate(\Depot.courier) { [depot] _ in try depot.courier.require() }
    } operation: {
      let error = #expect(throws: ResolutionError.self) { try depot.courier.require() }
      #expect(error?.reason == .cycle)
    }
  }

  @Test("is a double that satisfies a strict test, and so is what it wraps", .strict)
  func strict() {
    withLayer {
      $0.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      #expect(depot.courier().name == "spy(van)")
    }
  }

  @Test("is recorded as a double, made for the request, with what it wraps below it")
  func recorded() {
    let recorder = ResolutionRecorder()
    withLayer {
      $0.decorate(\Depot.courier) { Spy($0) }
    } operation: {
      withRecorder(recorder) { _ = depot.courier() }
    }
    #expect(recorder.events.map(\.isDouble) == [true, false])
    #expect(recorder.events.map(\.depth) == [0, 1])
    #expect(recorder.events.map(\.kind) == [.created, .created])
  }

  @Test("calls the container's decorator for both, and the double's own for it alone")
  func decorators() {
    var seen: [String] = []
    withSandbox {
      depot.decorator { seen.append(($0 as? any Courier)?.name ?? "?") }
      depot.courier.decorate { Spy($0) }
      _ = depot.courier()
    }
    #expect(seen == ["van", "spy(van)"])
  }

  @Test("wraps what is registered at the same moment, or gives way to it")
  func registeredMeanwhile() {
    _ = threadsAreOurs
    // ThreadSanitizer sees a race in one round, and takes long to start threads.
    for _ in 0..<(isUnderThreadSanitizer ? 200 : 1_000) {
      let depot = Depot()
      let shop = Resolver()
      onThreads(2) { thread in
        if thread == 0 {
          depot.courier.register { FakeCourier("bike") }
          shop.register { FakePayments() as any Payments }
        } else {
          depot.courier.decorate { Spy($0) }
          shop.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
        }
      }
      #expect(["bike", "spy(bike)"].contains(depot.courier().name))
      #expect(["fake", "spy(fake)"].contains(shop.resolve((any Payments).self).label))
    }
  }
}
