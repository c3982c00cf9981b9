import DITesting
import Testing

@Suite("Taking a registration away")
struct RemoveTests {
  let core = Resolver { $0.register { LivePayments() as any Payments } }

  @Test("in a sandbox hides it there only, and what lies below it answers")
  func sandbox() {
    let shop = Resolver(child: core) { $0.register { FakePayments("shop") as any Payments } }
    withSandbox {
      shop.remove((any Payments).self)
      #expect(shop.resolve((any Payments).self).label == "live")
      core.remove((any Payments).self)
      #expect(shop.optional((any Payments).self) == nil)
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
    }
    #expect(shop.resolve((any Payments).self).label == "shop")
  }

  @Test("in a sandbox hides what a sandbox outside registered, and not the other way round")
  func nestedSandboxes() {
    withSandbox {
      core.register { FakePayments() as any Payments }
      withSandbox {
        core.remove((any Payments).self)
        #expect(core.optional((any Payments).self) == nil)
      }
      #expect(core.resolve((any Payments).self).label == "fake")
      core.remove((any Payments).self)
      withSandbox {
        #expect(core.optional((any Payments).self) == nil)
        core.register { FakePayments("inner") as any Payments }
        #expect(core.resolve((any Payments).self).label == "inner")
      }
      #expect(core.optional((any Payments).self) == nil)
    }
  }

  @Test("in a sandbox inside a layer hides what a sandbox between them registered")
  func sandboxesInALayer() {
    withRoot(core) {
      withLayer { _ in
      } operation: {
        withSandbox {
          core.register { FakePayments() as any Payments }
          #expect(currentLabel() == "fake")
          withSandbox {
            core.remove((any Payments).self)
            #expect(Resolver.optional((any Payments).self) == nil)
          }
          withSandbox {
            Resolver.reset()
            Resolver.root = core
            #expect(currentLabel() == "fake")
          }
        }
      }
    }
  }

  @Test("in a layer hides it for all that the layer covers")
  func layer() {
    withRoot(core) {
      withLayer {
        $0.remove((any Payments).self)
      } operation: {
        #expect(Resolver.optional((any Payments).self) == nil)
        #expect(core.optional((any Payments).self) == nil)
        #expect(throws: ResolutionError.self) { try core.require((any Payments).self) }
        withLayer {
          $0.register { FakePayments() as any Payments }
        } operation: {
          #expect(currentLabel() == "fake")
        }
      }
      #expect(currentLabel() == "live")
    }
  }

  @Test("in a layer hides it from requests for all of its type, too")
  func layerOfMany() {
    let shop = Resolver(child: core)
    for name in ["card", "cash"] {
      shop.register(name: .init(name)) { FakePayments(name) as any Payments }
    }
    withRoot(shop) {
      withLayer {
        $0.remove((any Payments).self, name: "card")
        $0.remove((any Payments).self)
      } operation: {
        #expect(Resolver.root.resolveMany((any Payments).self).map(\.label) == ["cash"])
        withSandbox {
          shop.register(name: "card") { FakePayments("sandbox") as any Payments }
          #expect(
            Resolver.root.resolveMany((any Payments).self).map(\.label) == ["cash", "sandbox"])
        }
      }
    }
  }

  @Test("in a layer takes a double of the same layer away, and what lies below stays hidden")
  func ownDouble() {
    withRoot(core) {
      withLayer { layer in
        layer.register { FakePayments() as any Payments }
        layer.remove((any Payments).self)
      } operation: {
        #expect(Resolver.optional((any Payments).self) == nil)
      }
    }
  }

  @Test("leaves nothing to decorate in its place, only what answers instead")
  func decorated() {
    func decorate(_ container: Resolver, _ spy: String = "spy") {
      container.decorate((any Payments).self) { FakePayments("\(spy)(\($0.label))") }
    }
    let shop = Resolver(child: core) { $0.register { FakePayments("shop") as any Payments } }
    withSandbox {
      core.remove((any Payments).self)
      decorate(core)
      #expect(core.optional((any Payments).self) == nil)
      decorate(core, "second")
      #expect(core.optional((any Payments).self) == nil)
      withSandbox {
        decorate(core, "inner")
        #expect(core.optional((any Payments).self) == nil)
      }
      core.register { FakePayments() as any Payments }
      decorate(core)
      #expect(core.resolve((any Payments).self).label == "spy(fake)")
    }
    withSandbox {
      shop.remove((any Payments).self)
      decorate(shop)
      decorate(shop, "second")
      #expect(shop.resolve((any Payments).self).label == "second(spy(live))")
    }
    withRoot(core) {
      withLayer {
        $0.remove((any Payments).self)
        decorate($0)
        decorate($0, "second")
      } operation: {
        #expect(Resolver.optional((any Payments).self) == nil)
        withLayer {
          decorate($0)
        } operation: {
          #expect(Resolver.optional((any Payments).self) == nil)
        }
        withSandbox {
          #expect(Resolver.optional((any Payments).self) == nil)
          core.register { FakePayments() as any Payments }
          #expect(currentLabel() == "fake")
        }
      }
      withLayer { layer in
        layer.remove((any Payments).self)
        withSandbox {
          decorate(layer)
          #expect(Resolver.optional((any Payments).self) == nil)
        }
      } operation: {
      }
    }
    shop.remove((any Payments).self)
    decorate(shop)
    #expect(shop.resolve((any Payments).self).label == "spy(live)")
    core.remove((any Payments).self)
    decorate(core)
    #expect(core.optional((any Payments).self) == nil)
    #expect(shop.optional((any Payments).self) == nil)
  }

  @Test("in a sandbox inside a layer leaves nothing to decorate for that layer")
  func decoratedOutside() {
    func decorate(_ container: Resolver) {
      container.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
    }
    let shop = Resolver(child: core) { $0.register { FakePayments("shop") as any Payments } }
    withRoot(shop) {
      withLayer(decorate) {
        withSandbox {
          #expect(currentLabel() == "spy(shop)")
          shop.remove((any Payments).self)
          #expect(currentLabel() == "spy(live)")
          withLayer(decorate) { #expect(currentLabel() == "spy(spy(live))") }
          core.remove((any Payments).self)
          #expect(Resolver.optional((any Payments).self) == nil)
          decorate(core)
          #expect(Resolver.optional((any Payments).self) == nil)
          withSandbox {
            decorate(core)
            #expect(Resolver.optional((any Payments).self) == nil)
          }
        }
        #expect(currentLabel() == "spy(shop)")
      }
    }
  }

  @Test("in a sandbox inside a layer leaves the layer's double to decorate in a container below")
  func decoratedBelow() {
    func decorate(_ container: Resolver) {
      container.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
    }
    let shop = Resolver(child: core) { $0.register { FakePayments("shop") as any Payments } }
    withRoot(shop) {
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        withSandbox {
          shop.remove((any Payments).self)
          #expect(currentLabel() == "layer")
          decorate(core)
          #expect(currentLabel() == "spy(layer)")
          decorate(shop)
          #expect(currentLabel() == "spy(spy(layer))")
        }
      }
    }
  }

  @Test("says where the decoration is when it is needed after all")
  func neededNothing() {
    withSandbox {
      core.remove((any Payments).self)
      let line = UInt(#line + 1)
      core.decorate((any Payments).self) { $0 }
      let error = #expect(throws: ResolutionError.self) { try core.require((any Payments).self) }
      #expect(
        error?.description == """
          Nothing is registered for `any Payments`.

            requested:  DITestingTests/RemoveTests.swift:\(line + 1)
            decorated:  DITestingTests/RemoveTests.swift:\(line)
            asked:      container made at DITestingTests/RemoveTests.swift:6

          To fix this:
            - Register it: `register { … as any Payments }`.
            - If it is optional, resolve it with `optional`, or declare the dependency as \
          `(any Payments)?`.
          """)
    }
  }

  @Test("is by name")
  func names() {
    let shop = Resolver {
      $0.register { FakePayments("plain") as any Payments }
      $0.register(name: "card") { FakePayments("card") as any Payments }
    }
    withSandbox {
      shop.remove((any Payments).self, name: "card")
      #expect(shop.optional((any Payments).self, name: "card") == nil)
      #expect(shop.resolve((any Payments).self).label == "plain")
    }
  }

  @Test("hides it from the list of registrations")
  func introspection() {
    withSandbox {
      core.remove((any Payments).self)
      #expect(core.registrations.isEmpty)
    }
    #expect(core.registrations.count == 1)
  }
}
