import DITesting
import Testing

private protocol Charges: AnyObject, Sendable {}
private final class LiveCharges: Charges {}
private final class FakeCharges: Charges {}
private final class OtherCharges: Charges {}
private struct Checkout {
  let payments: any Charges
}

@Suite("A container that nests main,", .sandbox)
struct NestingMainTests {
  private let feature: Resolver

  init() {
    let feature = Resolver(child: .main)
    Resolver.production {
      Resolver.register { LiveCharges() as any Charges }
      feature.register { r in Checkout(payments: r.resolve()) }
    }
    self.feature = feature
  }

  @Test("gets a layer's double for what main holds, and so do its factories")
  func layer() {
    withLayer {
      $0.register { FakeCharges() as any Charges }
    } operation: {
      #expect(feature.resolve((any Charges).self) is FakeCharges)
      #expect(feature.resolve(Checkout.self).payments is FakeCharges)
      #expect(feature.resolveMany((any Charges).self).map { $0 is FakeCharges } == [true])
    }
    #expect(feature.resolve((any Charges).self) is LiveCharges)
  }

  @Test("gets a pushed layer's double")
  func push() async {
    let layer = Resolver.push { $0.register { FakeCharges() as any Charges } }
    #expect(feature.resolve(Checkout.self).payments is FakeCharges)
    #expect(await feature.resolveAsync(Checkout.self).payments is FakeCharges)
    Resolver.pop(layer)
  }

  @Test("answers with its own registrations first")
  func own() {
    feature.register { OtherCharges() as any Charges }
    withLayer {
      $0.register { FakeCharges() as any Charges }
    } operation: {
      #expect(feature.resolve((any Charges).self) is OtherCharges)
      #expect(feature.resolve(Checkout.self).payments is OtherCharges)
      #expect(Resolver.resolve((any Charges).self) is FakeCharges)
    }
  }

  @Test("gets a layer's double by key path, and what a layer decorates or takes away")
  func others() {
    withLayer {
      $0.nestedTill.register { "fake" }
      $0.decorate((any Charges).self) { _ in OtherCharges() }
    } operation: {
      #expect(feature.nestedTill() == "fake")
      #expect(feature.resolve((any Charges).self) is OtherCharges)
    }
    withLayer {
      $0.remove((any Charges).self)
    } operation: {
      #expect(feature.optional((any Charges).self) == nil)
    }
  }

  @Test("gets no double for what a container holds that the root does not reach")
  func untouched() {
    let other = Resolver()
    other.register { OtherCharges() as any Charges }
    let outside = Resolver(child: other)
    withLayer {
      $0.register { FakeCharges() as any Charges }
    } operation: {
      #expect(outside.resolve((any Charges).self) is OtherCharges)
    }
  }

  @Test("makes no live service where the layer has a double for all that main holds", .strict)
  func strict() {
    withLayer {
      $0.register { FakeCharges() as any Charges }
    } operation: {
      _ = feature.resolve((any Charges).self)
    }
  }
}

extension Container {
  fileprivate var nestedTill: Factory<String> { self { "live" } }
}
