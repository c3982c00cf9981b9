import DITesting
import Testing

private protocol Payments: AnyObject, Sendable {}
private final class LivePayments: Payments {}
private final class FakePayments: Payments {}
private final class OtherPayments: Payments {}
private struct Checkout {
  let payments: any Payments
}

@Suite("A container that nests main,", .sandbox)
struct NestingMainTests {
  private let feature: Resolver

  init() {
    Resolver.register { LivePayments() as any Payments }
    feature = Resolver(child: .main)
    feature.register { r in Checkout(payments: r.resolve()) }
  }

  @Test("gets a layer's double for what main holds, and so do its factories")
  func layer() {
    withLayer {
      $0.register { FakePayments() as any Payments }
    } operation: {
      #expect(feature.resolve((any Payments).self) is FakePayments)
      #expect(feature.resolve(Checkout.self).payments is FakePayments)
      #expect(feature.resolveMany((any Payments).self).map { $0 is FakePayments } == [true])
    }
    #expect(feature.resolve((any Payments).self) is LivePayments)
  }

  @Test("gets a pushed layer's double")
  func push() async {
    let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
    #expect(feature.resolve(Checkout.self).payments is FakePayments)
    #expect(await feature.resolveAsync(Checkout.self, isolation: nil).payments is FakePayments)
    Resolver.pop(layer)
  }

  @Test("answers with its own registrations first")
  func own() {
    feature.register { OtherPayments() as any Payments }
    withLayer {
      $0.register { FakePayments() as any Payments }
    } operation: {
      #expect(feature.resolve((any Payments).self) is OtherPayments)
      #expect(feature.resolve(Checkout.self).payments is OtherPayments)
      #expect(Resolver.resolve((any Payments).self) is FakePayments)
    }
  }

  @Test("gets a layer's double by key path, and what a layer decorates or takes away")
  func others() {
    withLayer {
      $0.nestedTill.register { "fake" }
      $0.decorate((any Payments).self) { _ in OtherPayments() }
    } operation: {
      #expect(feature.nestedTill() == "fake")
      #expect(feature.resolve((any Payments).self) is OtherPayments)
    }
    withLayer {
      $0.remove((any Payments).self)
    } operation: {
      #expect(feature.optional((any Payments).self) == nil)
    }
  }

  @Test("gets no double for what a container holds that the root does not reach")
  func untouched() {
    let other = Resolver()
    other.register { OtherPayments() as any Payments }
    let outside = Resolver(child: other)
    withLayer {
      $0.register { FakePayments() as any Payments }
    } operation: {
      #expect(outside.resolve((any Payments).self) is OtherPayments)
    }
  }

  @Test("makes no live service where the layer has a double for all that main holds", .strict)
  func strict() {
    withLayer {
      $0.register { FakePayments() as any Payments }
    } operation: {
      _ = feature.resolve((any Payments).self)
    }
  }
}

extension Container {
  fileprivate var nestedTill: Factory<String> { self { "live" } }
}
