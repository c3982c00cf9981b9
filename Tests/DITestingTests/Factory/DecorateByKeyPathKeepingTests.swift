import DICompatibility
@testable import DIContainer
import DITesting
import TestSupport
import Testing

private final class Spy: Courier {
  let wrapped: any Courier
  var name: String { "spy(\(wrapped.name))" }
  init(_ wrapped: any Courier) { self.wrapped = wrapped }
}

private final class Token {}

private struct Route {
  let courier: any Courier
}

private final class Yard: DefaultSharedContainer {
  let manager = ContainerManager()
  init() {}
  var courier: Factory<any Courier> { self { VanCourier() } }
  var kept: Factory<any Courier> { self { VanCourier() }.cached }
  var single: Factory<any Courier> { self { VanCourier() }.singleton }
  var numbered: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.cached
  }
  var expiring: Factory<any Courier> { self { VanCourier() }.cached.timeToLive(90) }
  var expiringFallback: Factory<(any Courier)?> { self { nil }.cached.timeToLive(90) }
  var expiringByNumber: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.cached.timeToLive(90)
  }
  var onlyOne: ParameterFactory<Int, any Courier> {
    self { FakeCourier("\($0)") }.scopeOnParameters.singleton
  }
}

extension Container {
  fileprivate var yardCourier: Factory<any Courier> { self { VanCourier() }.cached }
  fileprivate var onlyCourier: Factory<any Courier> { self { VanCourier() }.singleton }
}

@Suite("What is kept for a double by key path that wraps")
struct DecorateByKeyPathKeepingTests {
  private let yard = Yard()

  private func live(_ courier: any Courier) -> any Courier {
    (courier as? Spy).map { live($0.wrapped) } ?? courier
  }

  @Test("The closure of a layer goes with the layer")
  func closure() {
    weak var token: Token?
    do {
      let made = Token()
      token = made
      withLayer {
        $0.decorate(\Yard.courier) { [made] live in withExtendedLifetime(made) { Spy(live) } }
      } operation: {
        _ = yard.courier()
      }
    }
    #expect(token == nil)
  }

  @Test("An instance goes with its container")
  func container() {
    weak var spy: AnyObject?
    do {
      let yard = Yard()
      yard.kept.decorate { Spy($0) }
      spy = yard.kept()
    }
    #expect(spy == nil)
  }

  @Test("An instance goes when something else is registered", arguments: [false, true])
  func registered(isInSandbox: Bool) {
    func run() {
      yard.kept.decorate { Spy($0) }
      weak let spy: AnyObject? = yard.kept()
      #expect(spy is Spy?)
      yard.kept.register { FakeCourier("new") }
      #expect(spy == nil)
      #expect(yard.kept().name == "new")
    }
    if isInSandbox { withSandbox { run() } } else { run() }
  }

  @Test("Each container has its own, in a layer and in a sandbox that both wrap")
  func ownOfEach() {
    let (one, two) = (Yard(), Yard())
    withLayer {
      $0.decorate(\Yard.kept) { Spy($0) }
    } operation: {
      withSandbox {
        one.kept.decorate { Spy($0) }
        two.kept.decorate { Spy($0) }
        #expect(one.kept().name == "spy(spy(van))")
        #expect(live(one.kept()) !== live(two.kept()))
      }
    }
  }

  @Test("So has a container that is nested in another which wraps the same")
  func ownOfNested() {
    let main = Container()
    let child = Container(child: main)
    main.yardCourier.decorate { Spy($0) }
    child.yardCourier.decorate { Spy($0) }
    #expect(live(main.yardCourier()) !== live(child.yardCourier()))
  }

  @Test("A container's resets reach what a layer wraps, and no other container's")
  func resets() {
    let other = Yard()
    withLayer {
      $0.decorate(\Yard.kept) { Spy($0) }
      $0.decorate(\Yard.single) { Spy($0) }
    } operation: {
      let others = other.kept()
      let resets: [() -> Void] = [
        { yard.kept.reset(.scope) }, { yard.manager.reset(scope: .cached) },
        { yard.manager.reset(options: .scope) },
      ]
      for reset in resets {
        let before = yard.kept()
        reset()
        #expect(yard.kept() !== before)
      }
      #expect(other.kept() === others)
      let single = yard.single()
      other.single.reset()
      #expect(yard.single() !== single)
    }
  }

  @Test("So do they reach what it keeps by parameter")
  func resetsByParameter() {
    let other = Yard()
    withLayer {
      $0.decorate(\Yard.numbered) { Spy($0) }
      $0.decorate(\Yard.onlyOne) { Spy($0) }
    } operation: {
      let others = other.numbered(1)
      let resets: [() -> Void] = [
        { yard.numbered.reset(.scope) }, { yard.manager.reset(scope: .cached) },
        { yard.manager.reset(options: .scope) },
      ]
      for reset in resets {
        let before = yard.numbered(1)
        #expect(yard.numbered(1) === before)
        reset()
        #expect(yard.numbered(1) !== before)
      }
      #expect(other.numbered(1) === others)
      let single = yard.onlyOne(1)
      #expect(other.onlyOne(1) === single)
      other.onlyOne.reset()
      #expect(yard.onlyOne(1) !== single)
    }
  }

  @Test(
    "A push keeps what is kept, and a pop brings back what was", arguments: [false, true],
    [false, true])
  func push(isRegistered: Bool, isInSandbox: Bool) {
    func run() {
      if isRegistered {
        yard.kept.register { FakeCourier("bike") }
        yard.numbered.register { FakeCourier("bike \($0)") }
      }
      for _ in 0..<2 {
        yard.kept.decorate { Spy($0) }
        yard.numbered.decorate { Spy($0) }
      }
      let (kept, numbered) = (yard.kept(), yard.numbered(1))
      for _ in 0..<2 { yard.manager.push() }
      #expect(yard.kept() === kept)
      #expect(yard.numbered(1) === numbered)
      yard.kept.reset(.scope)
      yard.numbered.reset(.scope)
      #expect(yard.kept() !== kept)
      #expect(yard.numbered(1) !== numbered)
      for _ in 0..<2 {
        yard.manager.pop()
        #expect(yard.kept() === kept)
        #expect(yard.numbered(1) === numbered)
      }
    }
    if isInSandbox { withSandbox { run() } } else { run() }
  }

  @Test("What wraps is kept again once what it wraps has expired, and lives as long as that")
  func expired() {
    func later<Service>(_ minutes: Int, _ request: () -> Service) -> Service {
      ExpiryClock.$ahead.withValue(Lock(.seconds(60 * minutes)), operation: request)
    }
    for _ in 0..<2 {
      yard.expiring.decorate { Spy($0) }
      yard.expiringByNumber.decorate { Spy($0) }
    }
    for request in [{ yard.expiring() }, { yard.expiringByNumber(1) }] {
      let first = later(0, request)
      #expect(later(1, request) === first)
      let second = later(3, request)
      #expect(second !== first && live(second) !== live(first))
      #expect(later(3, request) === second)
      #expect(later(4, request) === second)
    }
  }

  @Test("What a decoration makes of nothing expires, too")
  func expiredFallback() {
    yard.expiringFallback.decorate { $0 ?? FakeCourier("van") }
    func later(_ minutes: Int) -> (any Courier)? {
      ExpiryClock.$ahead.withValue(Lock(.seconds(60 * minutes))) { yard.expiringFallback() }
    }
    let first = later(0)
    #expect(first != nil && later(1) === first)
    #expect(later(3) !== first)
  }

  @Test("So do they where a layer wraps")
  func pushInLayer() {
    withLayer {
      $0.decorate(\Yard.kept) { Spy($0) }
    } operation: {
      let kept = yard.kept()
      yard.manager.push()
      #expect(yard.kept() === kept)
      yard.kept.reset(.scope)
      #expect(yard.kept() !== kept)
      yard.manager.pop()
      #expect(yard.kept() === kept)
    }
  }

  @Test("A push keeps what wraps what is registered further out, until a reset")
  func pushOverOutside() {
    let main = Container()
    let child = Container(child: main)
    main.yardCourier.register { FakeCourier("bike") }
    child.yardCourier.decorate { Spy($0) }
    let kept = child.yardCourier()
    child.manager.push()
    #expect(child.yardCourier() === kept)
    main.yardCourier.reset(.scope)
    #expect(child.yardCourier() !== kept)
  }

  @Test("What was kept is not taken over once it was reset", arguments: [0, 1, 2])
  func resetAfterPush(way: Int) {
    yard.kept.decorate { Spy($0) }
    let kept = yard.kept()
    yard.manager.push()
    switch way {
    case 0: yard.kept.reset(.scope)
    case 1: yard.manager.reset(scope: .cached)
    default: yard.kept.register { FakeCourier("new") }
    }
    #expect(yard.kept() !== kept)
    yard.manager.pop()
    #expect(yard.kept() === kept)
  }

  @Test("A scope that is said afterwards is that of what a registration makes, too")
  func scopeAfterwards() {
    yard.courier.register { FakeCourier("bike") }
    yard.courier.decorate { Spy($0) }
    yard.manager.defaultScope = .cached
    #expect(yard.courier() === yard.courier())
    yard.manager.defaultScope = nil
    #expect(yard.courier() !== yard.courier())
  }

  @Test("What a sandbox took back is wrapped as it is answered without")
  func takenBack() {
    let main = Container()
    main.yardCourier.register { FakeCourier("bike") }
    let root = Container(child: main)
    root.yardCourier.register { FakeCourier("van of the root") }
    withSandbox {
      root.yardCourier.reset()
      #expect(root.yardCourier().name == "bike")
      root.yardCourier.decorate { Spy($0) }
      #expect(root.yardCourier().name == "spy(bike)")
    }
  }

  @Test("It is listed, can be checked and is part of the graph", arguments: [false, true])
  func listed(isOverDouble: Bool) throws {
    try withSandbox {
      let root = Container.shared
      if isOverDouble { root.double(\.yardCourier) { FakeCourier("fake") } }
      root.decorate(\.yardCourier) { Spy($0) }
      let listed = root.registrations.filter { "\($0.key)".contains("yardCourier") }
      #expect(listed.count == 1)
      for registration in listed { try registration.check() }
      try root.validate()
    }
  }

  @Test("A decorated singleton is no circle in a dry run", arguments: [false, true])
  func dryRunOfSingleton(isRegistered: Bool) throws {
    try withSandbox {
      let root = Container.shared
      if isRegistered { root.onlyCourier.register { FakeCourier("bike") } }
      root.onlyCourier.decorate { Spy($0) }
      root.register { Route(courier: root.onlyCourier()) }
      let report = try root.validate(roots: [Route.self], dryRun: true)
      #expect(report.findings.map(\.description) == [])
      #expect(root.resolve(Route.self).courier.name == (isRegistered ? "spy(bike)" : "spy(van)"))
    }
  }

  @Test("A reset is not undone by who sets the default scope, or pushes, at the same time")
  func resetMeanwhile() {
    _ = threadsAreOurs
    for round in 0..<1_000 {
      let yard = Yard()
      yard.courier.register { FakeCourier("bike") }
      onThreads(2) { thread in
        if thread == 0 {
          yard.courier.reset()
        } else if round.isMultiple(of: 2) {
          yard.manager.defaultScope = .shared
        } else {
          yard.manager.push()
        }
      }
      #expect(yard.courier().name == "van")
    }
  }
}
