import DITesting
import Testing

@Suite("Several doubles that wrap one service in one place")
struct DecorateTwiceTests {
  private let shop = Resolver { r in
    r.register { FakePayments("live") as any Payments }
    r.register(name: "card") { FakePayments("card") as any Payments }
  }

  private func decorate(_ container: Resolver, _ names: String..., for name: Resolver.Name? = nil) {
    for spy in names {
      container.decorate((any Payments).self, name: name) { FakePayments("\(spy)(\($0.label))") }
    }
  }

  @Test("apply in order in a layer", arguments: [false, true])
  func layer(isInSandbox: Bool) {
    func run() {
      withRoot(shop) {
        withLayer {
          decorate($0, "a", "b")
        } operation: {
          #expect(currentLabel() == "b(a(live))")
          #expect(shop.resolve((any Payments).self).label == "b(a(live))")
        }
        withLayer {
          decorate($0, "a", "b", "c")
        } operation: {
          #expect(currentLabel() == "c(b(a(live)))")
        }
      }
    }
    if isInSandbox { withSandbox { run() } } else { run() }
  }

  @Test("apply in order in a sandbox, those of its opening first")
  func sandbox() {
    withSandbox { _ in
      decorate(shop, "a")
    } operation: {
      decorate(shop, "b", "c")
      #expect(shop.resolve((any Payments).self).label == "c(b(a(live)))")
      withSandbox {
        decorate(shop, "d", "e")
        #expect(shop.resolve((any Payments).self).label == "e(d(c(b(a(live)))))")
      }
    }
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test("apply in order in a container above the one that registers the service")
  func above() {
    let above = Resolver(child: shop)
    decorate(above, "a", "b", "c")
    #expect(above.resolve((any Payments).self).label == "c(b(a(live)))")
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test("apply in order where layers and sandboxes have several each")
  func nested() {
    withRoot(shop) {
      withLayer {
        decorate($0, "a", "b")
      } operation: {
        withSandbox {
          decorate(shop, "c", "d")
          withLayer {
            decorate($0, "e", "f")
          } operation: {
            #expect(currentLabel() == "f(e(d(c(b(a(live))))))")
          }
        }
      }
    }
  }

  @Test("apply to the name that they are given")
  func named() {
    withRoot(shop) {
      withLayer {
        decorate($0, "a", "b", for: "card")
      } operation: {
        #expect(Resolver.resolve((any Payments).self, name: "card").label == "b(a(card))")
        #expect(currentLabel() == "live")
      }
    }
  }

  @Test("wrap what was registered between them, which takes the place of those before")
  func registeredBetween() {
    withRoot(shop) {
      withLayer { layer in
        decorate(layer, "a", "b")
        layer.register { FakePayments() as any Payments }
        decorate(layer, "c", "d")
      } operation: {
        #expect(currentLabel() == "d(c(fake))")
      }
    }
  }

  @Test("keep their scopes")
  func scopes() {
    let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(.cached) }
    withRoot(shop) {
      withLayer {
        decorate($0, "a", "b")
      } operation: {
        let spy = Resolver.resolve((any Payments).self)
        #expect(spy.label == "b(a(live))")
        #expect(Resolver.resolve((any Payments).self) === spy)
      }
    }
  }

  @Test(
    "on one line are apart, although what they wrap is kept by the line that registers it",
    arguments: [Scope.single, .perRun(.strong), .perRun(.weak)])
  func sites(scope: Scope) throws {
    let shop = Resolver { r in
      r.register { FakePayments("live") as any Payments }.scope(scope)
      r.register(name: "card") { FakePayments("card") as any Payments }.scope(scope)
    }
    try withRoot(shop) {
      try withLayer {
        decorate($0, "a", "b")
        decorate($0, "a", for: "card")
      } operation: {
        let spies = [
          try shop.require((any Payments).self),
          try shop.require((any Payments).self, name: "card"),
        ]
        #expect(spies.map(\.label) == ["b(a(live))", "a(card)"])
        #expect(shop.resolve((any Payments).self) === spies[0])
      }
    }
  }

  @Test("apply to a service whose factory is async")
  func asyncService() async {
    struct Receipt: Sendable { let text: String }
    let shop = Resolver()
    shop.registerAsync(factory: { Receipt(text: "live") })
    await withRoot(shop) {
      await withLayer { layer in
        for spy in ["a", "b", "c"] {
          layer.decorate(Receipt.self) { Receipt(text: "\(spy)(\($0.text))") }
        }
      } operation: {
        let receipt: Receipt = await shop.resolveAsync()
        #expect(receipt.text == "c(b(a(live)))")
      }
    }
  }

  @Test("are absent once the service, or what wraps it, is removed")
  func removed() {
    withSandbox {
      withRoot(shop) {
        withLayer {
          decorate($0, "a", "b")
        } operation: {
          shop.remove((any Payments).self)
          #expect(Resolver.optional((any Payments).self) == nil)
        }
        withLayer { layer in
          decorate(layer, "a", "b", for: "card")
          layer.remove((any Payments).self, name: "card")
        } operation: {
          #expect(Resolver.optional((any Payments).self, name: "card") == nil)
        }
      }
    }
  }

  @Test("say where the last of them is when there is nothing to wrap and it is needed")
  func nothingBelow() {
    let empty = Resolver()
    withRoot(empty) {
      withLayer { layer in
        decorate(layer, "a", "b")
      } operation: {
        #expect(Resolver.optional((any Payments).self) == nil)
        let error = #expect(throws: ResolutionError.self) {
          try empty.require((any Payments).self)
        }
        #expect(error?.reason == .notRegistered)
      }
    }
  }
}

@Suite("A double that wraps a service")
struct DecorateLifetimeTests {
  /// Counts itself while it is alive.
  private final class Token: Sendable {
    private let alive: Lock<Int>

    init(_ alive: Lock<Int>) {
      self.alive = alive
      alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }
  }

  private let alive = Lock(0)
  private let shop = Resolver { $0.register { FakePayments("live") as any Payments } }

  private func decorate(_ container: Resolver) {
    let token = Token(alive)
    container.decorate((any Payments).self) {
      withExtendedLifetime(token) {}
      return $0
    }
  }

  @Test("goes with its layer")
  func layer() {
    withRoot(shop) {
      for _ in 0..<10 {
        withLayer {
          decorate($0)
          decorate($0)
        } operation: {
          #expect(currentLabel() == "live")
        }
      }
    }
    #expect(alive.withLock { $0 } == 0)
  }

  @Test("goes with its container")
  func container() {
    for _ in 0..<10 {
      let above = Resolver(child: shop)
      decorate(above)
      decorate(above)
      #expect(above.resolve((any Payments).self).label == "live")
      let own = Resolver()
      own.register { FakePayments() as any Payments }
      decorate(own)
      #expect(own.resolve((any Payments).self).label == "fake")
    }
    #expect(alive.withLock { $0 } == 0)
  }

  // In a process of its own, as no thread of another test is served by the sandbox there.
  @Test("goes with its sandbox")
  func sandbox() async {
    await #expect(processExitsWith: .success) {
      let suite = Self()
      for _ in 0..<10 {
        withSandbox {
          suite.decorate(suite.shop)
          suite.decorate(suite.shop)
          #expect(suite.shop.resolve((any Payments).self).label == "live")
        }
      }
      #expect(suite.alive.withLock { $0 } == 0)
    }
  }

  @Test("answers as well when its container goes while it is made")
  func goesMeanwhile() async {
    await #expect(processExitsWith: .success) {
      let alive = Lock(0)
      func add() {
        let child = Resolver()
        child.register { () -> any Payments in
          // Lets go of the container's children.
          Resolver.reset()
          return FakePayments("live")
        }
        for _ in 0..<2 {
          let token = Token(alive)
          child.decorate((any Payments).self) {
            withExtendedLifetime(token) {}
            return FakePayments("spy(\($0.label))")
          }
        }
        Resolver.main.add(child: child)
      }
      for _ in 0..<10 {
        add()
        #expect(Resolver.resolve((any Payments).self).label == "spy(spy(live))")
        #expect(alive.withLock { $0 } == 0)
      }
    }
  }
}
