import DITesting
import Testing

@Suite("withLayer")
struct WithLayerTests {
  let core = Resolver { r in r.register { LivePayments() as any Payments }.scope(.cached) }
  let shop: Resolver
  let elsewhere = Resolver { r in r.register { LivePayments() as any Payments } }

  init() {
    shop = Resolver(child: core) { r in
      r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      r.register(name: "card") { LivePayments() as any Payments }
    }
  }

  @Test("wins over all that the root reaches, however it is asked")
  func wins() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments() as any Payments }
      } operation: {
        #expect(currentLabel() == "fake")
        #expect(shop.resolve((any Payments).self).label == "fake")
        #expect(core.resolve((any Payments).self).label == "fake")
        #expect(Container.shared.resolve((any Payments).self).label == "fake")
        #expect(shop.resolve((any Mailer).self).payments.label == "fake")
      }
      #expect(core.resolve((any Payments).self).label == "live")
    }
  }

  @Test("leaves containers alone that the root does not reach")
  func unreached() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments() as any Payments }
      } operation: {
        #expect(elsewhere.resolve((any Payments).self).label == "live")
        #expect(core.resolve((any Payments).self).label == "fake")
      }
    }
  }

  @Test("lets all else fall through, names included")
  func fallsThrough() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments() as any Payments }
      } operation: {
        #expect(Resolver.resolve((any Mailer).self) is LiveMailer)
        #expect(Resolver.resolve((any Payments).self, name: "card").label == "live")
        #expect(currentLabel() == "fake")
      }
    }
  }

  @Test("wins by name")
  func names() {
    withRoot(shop) {
      withLayer {
        $0.register(name: "card") { FakePayments("card") as any Payments }
      } operation: {
        #expect(Resolver.resolve((any Payments).self, name: "card").label == "card")
        #expect(currentLabel() == "live")
      }
    }
  }

  @Test("lets the innermost of several win")
  func nests() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments("outer") as any Payments }
        $0.register(name: "card") { FakePayments("outer card") as any Payments }
      } operation: {
        withLayer {
          $0.register { FakePayments("inner") as any Payments }
        } operation: {
          #expect(currentLabel() == "inner")
          #expect(core.resolve((any Payments).self).label == "inner")
          #expect(Resolver.resolve((any Payments).self, name: "card").label == "outer card")
        }
        #expect(currentLabel() == "outer")
      }
    }
  }

  @Test("never hands out what was kept below, and keeps nothing after it")
  func caches() {
    withRoot(shop) {
      let below = Resolver.resolve((any Payments).self)
      let above = withLayer { _ in
      } operation: { () -> any Payments in
        let above = Resolver.resolve((any Payments).self)
        #expect(Resolver.resolve((any Payments).self) === above)
        return above
      }
      #expect(above !== below)
      #expect(Resolver.resolve((any Payments).self) === below)
    }
  }

  @Test("keeps a consumer of a double out of the caches below", .withoutWarnings)
  func consumersOfDoubles() {
    withSandbox {
      Resolver.root = shop
      shop.register { r in LiveMailer(payments: r.resolve()) as any Mailer }.scope(.application)
      let below = Resolver.resolve((any Mailer).self)
      withLayer {
        $0.register { FakePayments() as any Payments }
      } operation: {
        #expect(Resolver.resolve((any Mailer).self).payments.label == "fake")
      }
      #expect(Resolver.resolve((any Mailer).self) === below)
    }
  }

  @Test("keeps an instance of its own for as long as it lasts")
  func keeps() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments() as any Payments }.scope(.cached)
      } operation: {
        let double = Resolver.resolve((any Payments).self)
        #expect(core.resolve((any Payments).self) === double)
        #expect(shop.resolve((any Mailer).self).payments === double)
      }
    }
  }

  @Test("returns, throws and restores, sync and async, in configure and in the operation")
  func throwing() async {
    await withRoot(shop) {
      #expect(
        withLayer { _ in
        } operation: {
          7
        } == 7)
      #expect(throws: OutOfStock.self) {
        try withLayer { _ in
          throw OutOfStock()
        } operation: {
        }
      }
      #expect(throws: OutOfStock.self) {
        try withLayer { _ in
        } operation: {
          throw OutOfStock()
        }
      }
      await #expect(throws: OutOfStock.self) {
        try await withLayer { _ in
          await Task.yield()
        } operation: {
          await Task.yield()
          throw OutOfStock()
        }
      }
      #expect(currentLabel() == "live")
    }
  }

  @Test("reaches task groups, and the tasks do not mix their layers")
  func taskGroups() async {
    await withRoot(shop) {
      await withTaskGroup(of: Bool.self) { group in
        for number in 0..<20 {
          group.addTask {
            await withLayer {
              $0.register { FakePayments("\(number)") as any Payments }.scope(.cached)
            } operation: {
              await Task.yield()
              async let child = currentLabel()
              return await child == "\(number)" && currentLabel() == "\(number)"
            }
          }
        }
        for await isOwn in group { #expect(isOwn) }
      }
    }
  }

  @MainActor @Test("registers a double that is not Sendable, on the main actor")
  func onTheMainActor() async {
    let spy = SpyMailer()
    await withRoot(shop) {
      await withLayer {
        $0.register { spy as any Mailer }
      } operation: {
        MainActor.assertIsolated()
        await Task.yield()
        (Resolver.resolve((any Mailer).self) as? SpyMailer)?.send("hello")
      }
    }
    #expect(spy.sent == ["hello"])
  }

  @Test("is not what `Resolver.root` answers")
  func root() {
    withRoot(shop) {
      withLayer { _ in
      } operation: {
        #expect(Resolver.root === shop)
        Resolver.root = elsewhere
        #expect(Resolver.root === elsewhere)
      }
      #expect(Resolver.root === shop)
    }
  }

  @Test("stands before a root that is assigned inside, too")
  func assignedRoot() {
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments() as any Payments }
      } operation: {
        #expect(elsewhere.resolve((any Payments).self).label == "live")
        Resolver.root = elsewhere
        #expect(elsewhere.resolve((any Payments).self).label == "fake")
        #expect(shop.resolve((any Payments).self).label == "live")
      }
    }
  }

  @Test("gives way to what a root or a sandbox inside it holds")
  func scopesInside() {
    let mock = Resolver(child: shop)
    mock.register { FakePayments("mock") as any Payments }
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        withRoot(mock) { #expect(currentLabel() == "mock") }
        withSandbox {
          #expect(currentLabel() == "layer")
          shop.register { FakePayments("sandbox") as any Payments }
          #expect(currentLabel() == "sandbox")
        }
        #expect(currentLabel() == "layer")
      }
    }
  }

  @Test("asked itself, answers as the root does")
  func askedItself() {
    withRoot(shop) {
      withLayer { layer in
        layer.register { Basket() }
      } operation: {
        let layer = Resolver.push { $0.register { FakePayments("top") as any Payments } }
        #expect(layer.container.resolve((any Mailer).self).payments.label == "top")
        #expect(layer.container.optional(Basket.self) != nil)
        Resolver.pop(layer)
      }
    }
  }

  @Test("reports a registration that it hides")
  func hidden() {
    let line: UInt = #line
    expectWarning(
      """
      The registration of `any Payments` has no effect: a layer hides it.

        registered:  DITestingTests/WithLayerTests.swift:\(line + 19), in \(shop.core.label)
        hidden by:   DITestingTests/WithLayerTests.swift:\(line + 16), in layer made at \
      DITestingTests/WithLayerTests.swift:\(line + 15)

      To fix this:
        - Register it in the layer, or pop the layer first.
      """, atLine: line + 19
    ) {
      withSandbox {
        Resolver.root = shop
        withLayer {
          $0.register { FakePayments() as any Payments }
        } operation: {
          _ = currentLabel()
          shop.register { FakePayments("hidden") as any Payments }
          #expect(currentLabel() == "fake")
        }
      }
    }
  }

  @Test("reports a registration that it hides where there is no sandbox, and a recorder is inside")
  func hiddenWithoutSandbox() {
    let container = Resolver()
    let line: UInt = #line
    expectWarning(
      """
      The registration of `any Payments` has no effect: a layer hides it.

        registered:  DITestingTests/WithLayerTests.swift:\(line + 19), in \(container.core.label)
        hidden by:   DITestingTests/WithLayerTests.swift:\(line + 15), in layer made at \
      DITestingTests/WithLayerTests.swift:\(line + 14)

      To fix this:
        - Register it in the layer, or pop the layer first.
      """, atLine: line + 19
    ) {
      withRoot(container) {
        withLayer {
          $0.register { FakePayments() as any Payments }
        } operation: {
          withRecorder(ResolutionRecorder()) {
            _ = currentLabel()
            container.register { FakePayments("hidden") as any Payments }
          }
        }
      }
    }
  }
}
