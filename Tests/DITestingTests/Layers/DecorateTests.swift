import DITesting
import Testing

private final class Register: SharedContainer, AutoRegistering {
  static let shared = Register()
  let manager = ContainerManager()
  var number: Factory<Int> { self { 7 } }
  func autoRegister() {
    manager.resolver.register { LivePayments() as any Payments }.scope(.cached)
  }
}

@Suite("A double that wraps what it stands in for")
struct DecorateTests {
  final class Spy: Payments {
    let wrapped: any Payments
    var label: String { "spy(\(wrapped.label))" }
    init(_ wrapped: any Payments) { self.wrapped = wrapped }
  }

  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }
    r.register(name: "card") { FakePayments("card") as any Payments }
  }

  func spying(_ container: Resolver) {
    container.decorate((any Payments).self) { Spy($0) }
  }

  @Test("gets the live instance in a layer")
  func layer() {
    withRoot(shop) {
      withLayer(spying) {
        #expect(currentLabel() == "spy(live)")
        #expect(shop.resolve((any Payments).self).label == "spy(live)")
        #expect(Resolver.resolve((any Payments).self, name: "card").label == "card")
      }
      #expect(currentLabel() == "live")
    }
  }

  @Test("gets what autoRegister registers, although nothing was asked for before")
  func autoRegistered() {
    withSandbox {
      let register = Register()
      defer { withExtendedLifetime(register) {} }
      // Known to its registrations from its first use on; then `autoRegister` is to run again.
      _ = register.number()
      register.manager.reset()
      let till = register.manager.resolver
      spying(till)
      #expect(till.resolve((any Payments).self).label == "spy(live)")
      #expect(till.resolve((any Payments).self) === till.resolve((any Payments).self))
    }
  }

  @Test("gets the live instance in a sandbox, in the container itself or one above it")
  func sandbox() {
    withSandbox {
      spying(shop)
      #expect(shop.resolve((any Payments).self).label == "spy(live)")
    }
    withSandbox {
      let above = Resolver(child: shop)
      spying(above)
      #expect(above.resolve((any Payments).self).label == "spy(live)")
      #expect(shop.resolve((any Payments).self).label == "live")
    }
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test("wraps what a layer or a sandbox outside wraps, the innermost last")
  func nested() {
    withRoot(shop) {
      withLayer(spying) {
        withLayer(spying) { #expect(currentLabel() == "spy(spy(live))") }
        withSandbox(spying) { #expect(currentLabel() == "spy(spy(live))") }
        #expect(currentLabel() == "spy(live)")
      }
    }
  }

  @Test("is absent where there is nothing to wrap: asked for as an optional, it is nil")
  func nothingBelow() async {
    let empty = Resolver()
    await withRoot(empty) {
      await withLayer { layer in
        spying(layer)
        layer.decorate(Basket.self) { $0 }
      } operation: {
        #expect(Resolver.optional((any Payments).self) == nil)
        #expect(empty.optional((any Payments).self) == nil)
        let basket = await empty.optionalAsync(Basket.self)
        #expect(basket == nil)
      }
    }
  }

  @Test("is absent where what it would wrap is nil")
  func nilBelow() {
    let shop = Resolver { $0.register { () -> (any Payments)? in nil } }
    withRoot(shop) {
      withLayer(spying) { #expect(Resolver.optional((any Payments).self) == nil) }
    }
  }

  @Test("says where it is when there is nothing to wrap and it is needed")
  func neededNothing() {
    let empty = Resolver()
    let decorated = UInt(#line + 3)
    withRoot(empty) {
      withLayer { layer in
        layer.decorate((any Payments).self) { Spy($0) }
      } operation: {
        let requested = UInt(#line + 1)
        let error = #expect(throws: ResolutionError.self) {
          try empty.require((any Payments).self)
        }
        #expect(
          error?.description == """
            Nothing is registered for `any Payments`.

              requested:  DITestingTests/DecorateTests.swift:\(requested)
              decorated:  DITestingTests/DecorateTests.swift:\(decorated)
              asked:      container made at DITestingTests/DecorateTests.swift:\(decorated - 4)

            To fix this:
              - Register it: `register { … as any Payments }`.
              - If it is optional, resolve it with `optional`, or declare the dependency as \
            `(any Payments)?`.
            """)
      }
    }
  }

  @Test("wraps the double that stands in the same layer")
  func sameLayer() {
    withRoot(shop) {
      withLayer { layer in
        layer.register { FakePayments() as any Payments }
        spying(layer)
        spying(layer)
      } operation: {
        #expect(currentLabel() == "spy(spy(fake))")
      }
    }
  }

  @Test("gives way to what is registered after it in the same place")
  func replaced() {
    withRoot(shop) {
      withSandbox(spying) {
        shop.register { FakePayments() as any Payments }
        #expect(currentLabel() == "fake")
      }
    }
  }

  @Test("applies to the name that it is given")
  func named() {
    withRoot(shop) {
      withLayer {
        $0.decorate((any Payments).self, name: "card") { Spy($0) }
      } operation: {
        #expect(Resolver.resolve((any Payments).self, name: "card").label == "spy(card)")
        #expect(currentLabel() == "live")
      }
    }
  }

  @Test(
    "is kept for as long as what it wraps",
    arguments: [Scope.cached, .application, .shared, .container])
  func kept(scope: Scope) {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(scope) }
    withRoot(shop) {
      withLayer(spying) {
        let spy = Resolver.resolve((any Payments).self)
        #expect(spy is Spy)
        #expect(Resolver.resolve((any Payments).self) === spy)
        #expect(shop.resolve((any Payments).self) === spy)
      }
      #expect(!(Resolver.resolve((any Payments).self) is Spy))
    }
  }

  @Test("is made anew where what it wraps is", arguments: [Scope.unique, .graph])
  func notKept(scope: Scope) {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(scope) }
    withRoot(shop) {
      withLayer(spying) {
        #expect(
          Resolver.resolve((any Payments).self) !== Resolver.resolve((any Payments).self))
      }
    }
  }

  @Test("applies to a protocol that a registration implements, and keeps its scope")
  func alias() {
    let shop = Resolver {
      $0.register { LivePayments() }.implements((any Payments).self).scope(.cached)
    }
    withRoot(shop) {
      withLayer(spying) {
        let spy = Resolver.resolve((any Payments).self)
        #expect(spy.label == "spy(live)")
        #expect(Resolver.resolve((any Payments).self) === spy)
        #expect((spy as? Spy)?.wrapped === Resolver.resolve(LivePayments.self))
      }
    }
  }

  @Test("reaches the protocol through the class that implements it")
  func implementation() {
    let shop = Resolver {
      $0.register { FakePayments("live") }.implements((any Payments).self)
    }
    withRoot(shop) {
      withLayer {
        $0.decorate(FakePayments.self) { FakePayments("not \($0.label)") }
      } operation: {
        #expect(currentLabel() == "not live")
      }
    }
  }

  @Test("wraps one of several that implement a protocol, and leaves the others")
  func oneOfMany() {
    let shop = Resolver {
      $0.register { FakePayments("one") as any Payments }
      $0.register { LivePayments() }.implements((any Payments).self)
    }
    shop.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
    #expect(shop.resolveMany((any Payments).self).map(\.label) == ["one", "spy(live)"])
  }

  @Test("goes with what it wraps when the protocol is implemented anew")
  func implementedAnew() {
    let shop = Resolver { $0.register { LivePayments() }.implements((any Payments).self) }
    shop.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
    shop.register { LivePayments() }.implements((any Payments).self)
    #expect(shop.resolveMany((any Payments).self).map(\.label) == ["live"])
  }

  @Test("stays with the alias that it wraps when something else is registered for the protocol")
  func registeredBeside() {
    let shop = Resolver { $0.register { LivePayments() }.implements((any Payments).self) }
    shop.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
    shop.register { FakePayments("two") as any Payments }
    #expect(shop.resolveMany((any Payments).self).map(\.label) == ["spy(live)", "two"])
    #expect(shop.resolve((any Payments).self).label == "two")
    shop.register { FakePayments("three") as any Payments }
    #expect(shop.resolveMany((any Payments).self).map(\.label) == ["spy(live)", "three"])
    shop.register { LivePayments() }.implements((any Payments).self)
    #expect(shop.resolveMany((any Payments).self).map(\.label) == ["three", "live"])
  }

  @Test("passes the request's arguments on")
  func arguments() {
    let shop = Resolver {
      $0.register { _, args in FakePayments(args.get()) as any Payments }
    }
    withRoot(shop) {
      withLayer(spying) {
        #expect(Resolver.resolve((any Payments).self, args: "mine").label == "spy(mine)")
      }
    }
  }

  @Test("throws what it throws, and the chain names both requests")
  func throwing() {
    let container = Resolver()
    withSandbox {
      container.register { FakePayments() as any Payments }
      container.decorate((any Payments).self) { _ in throw OutOfStock() }
      let error = #expect(throws: ResolutionError.self) {
        try container.require((any Payments).self)
      }
      #expect(error?.reason == .factoryFailed("OutOfStock()"))
    }
  }

  @Test("is missing what it wraps where there is nothing")
  func nothingBelow() {
    withSandbox {
      let container = Resolver()
      let line: UInt = #line + 1
      container.decorate((any Payments).self) { Spy($0) }
      let error = #expect(throws: ResolutionError.self) {
        try container.require((any Payments).self)
      }
      #expect(error?.reason == .notRegistered)
      #expect(error?.requestedAt.line == line)
    }
  }

  @Test("is recorded as a double, made for the request, with what it wraps below it")
  func recorded() {
    let recorder = ResolutionRecorder()
    withSandbox {
      Resolver.root = shop
      withLayer(spying) {
        withRecorder(recorder) { _ = currentLabel() }
      }
    }
    #expect(recorder.events.map(\.isDouble) == [true, false])
    #expect(recorder.events.map(\.depth) == [0, 1])
    #expect(recorder.events.map(\.kind) == [.created, .created])
  }
}
