import DITesting
import Testing

@Suite("A sandbox")
struct SandboxTests {
  let shop = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }

  @Test("hides a registration made in it from the code outside")
  func registrationsAreHermetic() {
    withSandbox {
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
      #expect(shop.resolve((any Mailer).self).payments.label == "fake")
    }
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test("starts with empty caches, and leaves the caches outside as they were")
  func cachesAreItsOwn() {
    let outside = shop.resolve((any Payments).self)
    let inside = withSandbox { () -> any Payments in
      let inside = shop.resolve((any Payments).self)
      #expect(inside !== outside)
      #expect(shop.resolve((any Payments).self) === inside)
      return inside
    }
    #expect(shop.resolve((any Payments).self) === outside)
    #expect(withSandbox { shop.resolve((any Payments).self) } !== inside)
  }

  @Test("keeps an assigned root to itself, across an await")
  func rootIsHermetic() async {
    let mock = Resolver(child: shop)
    let before = Resolver.root
    await withSandbox {
      Resolver.root = mock
      await Task.yield()
      #expect(Resolver.root === mock)
      #expect(Container.shared === mock)
      #expect(Resolver.resolve((any Payments).self).label == "live")
    }
    #expect(Resolver.root === before)
  }

  @Test(
    "opened by a trait registers its doubles for each case",
    .sandbox { $0.register { FakePayments("trait") as any Payments } }, arguments: [1, 2, 3])
  func traitDoubles(number: Int) {
    #expect(Resolver.resolve((any Payments).self).label == "trait")
    Resolver.main.register { FakePayments("test \(number)") as any Payments }
    #expect(Resolver.resolve((any Payments).self).label == "test \(number)")
  }

  @Test("lets a layer win over what its root reaches, and restores on pop", .sandbox)
  func layers() {
    Resolver.root = shop
    let layer = Resolver.push { $0.register { FakePayments("layer") as any Payments } }
    #expect(shop.resolve((any Mailer).self).payments.label == "layer")
    Resolver.pop(layer)
    #expect(shop.resolve((any Mailer).self).payments.label == "live")
  }

  @Test("records what was resolved for whom", .sandbox, .recorded)
  func recording() {
    _ = shop.resolve((any Mailer).self)
    expectResolved((any Payments).self, times: 1, built: 1)
    expectResolved(inOrder: (any Mailer).self, (any Payments).self)
    expectNotResolved(Basket.self)
    #expect(
      ResolutionRecorder.current?.tree == """
        any Mailer  — created live, graph, \(shop.core.label)
          any Payments  — created live, cached, \(shop.core.label)
        """)
  }

  @Test("decorates the live service with a spy around it")
  func decoration() {
    withSandbox {
      Resolver.root = shop
      withLayer {
        $0.decorate((any Payments).self) { live in FakePayments("spy on \(live.label)") }
      } operation: {
        let payments = shop.resolve((any Payments).self)
        #expect(payments.label == "spy on live")
        #expect(shop.resolve((any Payments).self) === payments)
      }
    }
  }

  @Test("reports a layer that is never popped")
  func openLayer() {
    let line: UInt = #line + 4
    withKnownIssue {
      withSandbox {
        Resolver.root = shop
        _ = Resolver.push { _ in }
      }
    } matching: {
      $0.comments.first?.rawValue == """
        This layer was pushed and never popped.

          pushed:  DITestingTests/SandboxTests.swift:\(line)
          scope:   DITestingTests/SandboxTests.swift:\(line - 2)

        To fix this:
          - Pop it with `Resolver.pop` before the scope ends, or use `withLayer`, which does.
        """
    }
  }

  @Test("that is opened and closed apart needs no doubles")
  func openedEmpty() {
    withSandbox {
      let sandbox = Sandbox.open()
      shop.register { FakePayments() as any Payments }
      #expect(shop.resolve((any Payments).self).label == "fake")
      sandbox.close()
      #expect(shop.resolve((any Payments).self).label == "live")
    }
  }

  @Test("that is opened and closed apart is closed once")
  func closedTwice() {
    withSandbox {
      let line: UInt = #line
      let sandbox = Sandbox.open()
      sandbox.close()
      expectIssue(
        """
        This sandbox was closed before.

          closed:  DITestingTests/SandboxTests.swift:\(line + 13)
          opened:  DITestingTests/SandboxTests.swift:\(line + 1)

        To fix this:
          - Close each once, in the reverse order of opening.
        """, atLine: line + 13
      ) { sandbox.close() }
    }
  }
}
