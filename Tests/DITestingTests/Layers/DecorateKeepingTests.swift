import DITesting
import Testing

/// How long what a decoration makes is kept: as long as what it wraps.
@Suite("A double that wraps a kept service", .withoutWarnings)
struct DecorateKeepingTests {
  final class Spy: Payments {
    let wrapped: any Payments
    var label: String { "spy(\(wrapped.label))" }
    init(_ wrapped: any Payments) { self.wrapped = wrapped }
  }

  private static func shop(_ label: String, _ scope: Scope) -> Resolver {
    Resolver { $0.register { FakePayments(label) as any Payments }.scope(scope) }
  }
  private func spying(_ container: Resolver) {
    container.decorate((any Payments).self) { Spy($0) }
  }
  private func spy(_ container: Resolver) -> Spy? {
    container.resolve((any Payments).self) as? Spy
  }

  @Test("wraps itself through aliases in a circle, which is an error")
  func circle() {
    let shop = Resolver()
    let payments = shop.register { FakePayments("never") as any Payments }
    let label = shop.register { "never" }
    payments.implements(String.self)
    label.implements((any Payments).self)
    spying(shop)
    let error = #expect(throws: ResolutionError.self) { try shop.require((any Payments).self) }
    let expected = "`any Payments` needs itself.\n\n  chain:      any Payments → any Payments\n"
    #expect(error?.description.hasPrefix(expected) ?? false)
    // Whichever of them is asked for.
    let other = #expect(throws: ResolutionError.self) { try shop.require(String.self) }
    #expect(other?.reason == .cycle)
    withLayer(spying) {
      let below = #expect(throws: ResolutionError.self) { try shop.require(String.self) }
      #expect(below?.reason == .cycle)
    }
  }

  @Test(
    "wraps what the container that is asked has",
    arguments: [Scope.cached, .container, .perContainer(.strong), .single, .graph])
  func asked(scope: Scope) {
    let (one, other) = (Self.shop("one", scope), Resolver())
    other.register { FakePayments("other") as any Payments }.scope(scope)
    let root = Resolver(child: one)
    root.add(child: other)
    withRoot(root) {
      withLayer(spying) {
        #expect(spy(one)?.label == "spy(one)")
        #expect(spy(other)?.label == "spy(other)")
        #expect(spy(root)?.label == "spy(one)")
        if scope !== Scope.graph {
          #expect(spy(one) === spy(one))
          #expect(spy(other) === spy(other))
        }
      }
    }
  }

  @Test("is listed with the scope of what it wraps now")
  func listed() {
    let shop = Self.shop("live", .cached)
    let front = Resolver(child: shop)
    spying(front)
    spying(front)
    func check(_ scope: Scope) {
      let listed = front.registrations.filter { $0.key.type == (any Payments).self }
      #expect(listed.map(\.scope.description) == [scope.description])
      let lines = front.graph.description.split(separator: "\n").filter {
        $0.contains(", \(front.core.label)")
      }
      #expect(lines.count == 2)
      #expect(lines.allSatisfy { $0.contains("— \(scope), ") })
    }
    check(.cached)
    shop.register { LivePayments() }.scope(.unique).implements((any Payments).self)
    check(.unique)
    withSandbox {
      shop.register { FakePayments() as any Payments }.scope(.shared)
      check(.shared)
    }
  }

  @Test("goes with it when it is reset where it is registered, or registered anew below")
  func forgotten() {
    let shop = Self.shop("live", .cached)
    let front = Resolver(child: shop)
    withSandbox {
      spying(front)
      spying(front)
      let first = spy(front)
      #expect(spy(front) === first)
      shop.manager.reset(scope: .cached)
      let second = spy(front)
      #expect(second !== first && second?.wrapped !== first?.wrapped)
      #expect(spy(front) === second)
      shop.register { FakePayments("fake") as any Payments }.scope(.cached)
      #expect(spy(front)?.label == "spy(spy(fake))")
      #expect(spy(front) === spy(front))
      shop.register { FakePayments("unique") as any Payments }.scope(.unique)
      #expect(spy(front) !== spy(front))
    }
  }

  @Test("goes with it when a sandbox inside registers anew in its place")
  func hidden() {
    let shop = Resolver()
    withSandbox {
      shop.register { FakePayments("double") as any Payments }.scope(.cached)
      spying(shop)
      withSandbox {
        weak let kept = spy(shop)
        #expect(kept != nil)
        shop.register { FakePayments("anew") as any Payments }
        #expect(kept == nil)
      }
    }
  }

  @Test("leaves what is kept as it was, in the same place and below")
  func leavesKept() {
    let shop = Self.shop("live", .cached)
    func check() {
      let kept = shop.resolve((any Payments).self)
      spying(shop)
      #expect(spy(shop)?.wrapped === kept)
      spying(shop)
      #expect((spy(shop)?.wrapped as? Spy)?.wrapped === kept)
    }
    withSandbox {
      check()
      withSandbox {
        shop.register { FakePayments("fake") as any Payments }.scope(.cached)
        check()
      }
    }
    check()
  }

  @Test("is another where another double comes between them")
  func between() {
    let shop = Self.shop("live", .cached)
    let front = Resolver(child: shop)
    withSandbox {
      spying(front)
      let first = spy(front)
      #expect(first?.label == "spy(live)")
      spying(shop)
      #expect(spy(front)?.label == "spy(spy(live))")
      #expect((spy(front)?.wrapped as? Spy)?.wrapped === first?.wrapped)
    }
  }

  @Test("waits for an async one that another container owns and keeps")
  func ownedElsewhere() async {
    let shop = Resolver()
    shop.registerAsync(Basket.self, factory: { Basket() }).scope(.perContainer(.strong))
    let front = Resolver(child: shop)
    await withRoot(shop) {
      await withLayer {
        $0.decorate(Basket.self) { $0 }
        $0.decorate(Basket.self) { $0 }
      } operation: {
        await withRoot(front) {
          let basket = await front.optionalAsync(Basket.self)
          let again = await shop.optionalAsync(Basket.self)
          #expect(basket != nil && basket === again)
        }
      }
    }
  }
}
