@testable import DITesting
import TestSupport
import Testing

private struct Depot: Sendable {
  let stock: Resolver
}

/// Found by a request, of which the fallback hears in turn.
private var warehouseOfShop: Resolver {
  Resolver { $0.register { Depot(stock: strictWarehouse) } }.resolve(Depot.self).stock
}

private protocol Counter {}
@MainActor private final class MainCounter: Counter {}
private struct LiveCounter: Counter {}

private final class Kiosk: SharedContainer {
  static let shared = Kiosk()
  let manager = ContainerManager()
  var spare: Factory<(any Payments)?> { self { LivePayments() } }
  var later: Factory<(any Payments)?> { promised() }
  var counter: Factory<(any Counter)?> { self { LiveCounter() } }
}

@Suite("A fallback", .sandbox, .strict)
struct FallbackTests {
  // Other tests' detached work is none of these.
  init() { _ = threadsAreOurs }

  @Test(
    "makes a double where none is registered, and keeps it",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func type() {
    let payments = strictShop.resolve((any Payments).self)
    #expect(payments.label == "fallback")
    #expect(strictShop.resolve((any Payments).self) === payments)
    #expect(strictShop.resolve((any Payments).self, name: "card").label == "fallback")
  }

  @Test(
    "answers for what nothing is registered for, also where an optional is asked for",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func unregistered() throws {
    let empty = Resolver()
    #expect(try empty.require((any Payments).self).label == "fallback")
    let optional: (any Payments)? = empty.resolve()
    #expect(optional?.label == "fallback")
  }

  @Test(
    "answers for properties of a type that are declared as optionals",
    .fallback((any Payments).self) { FakePayments("fallback") },
    .fallbackMain((any Counter).self) { MainCounter() })
  @MainActor func optionalProperties() {
    #expect(Kiosk.shared.spare()?.label == "fallback")
    #expect(Kiosk.shared.later()?.label == "fallback")
    #expect(Kiosk.shared.counter() is MainCounter)
  }

  @Test(
    "leaves a registered double in place",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func registered() {
    strictShop.register { FakePayments() as any Payments }
    #expect(strictShop.resolve((any Payments).self).label == "fake")
  }

  @Test(
    "answers where all that is there decorates what is not, or is another name for it",
    .fallback((any Payments).self) { FakePayments("fallback") })
  func standsForNothing() {
    let shop = Resolver { $0.register { LivePayments() }.implements((any Payments).self) }
    shop.remove(LivePayments.self)
    #expect(shop.resolve((any Payments).self).label == "fallback")
    let empty = Resolver { r in
      r.decorate((any Payments).self) { FakePayments("spy(\($0.label))") }
    }
    #expect(empty.resolve((any Payments).self).label == "fallback")
  }

  @Test(
    "for a whole container covers all that it registers itself",
    .fallback(in: strictWarehouse) { $0.type == Basket.self ? Basket() : nil },
    .strict(except: (any Payments).self))
  func container() {
    #expect(strictShop.resolve(Basket.self) === strictShop.resolve(Basket.self))
    #expect(strictShop.resolve((any Payments).self).label == "live")
  }

  @Test(
    "for a whole container may be told by a request which one that is",
    .fallback(in: warehouseOfShop) { _ in Basket() }, .strict(except: Depot.self))
  func containerThatIsResolved() {
    let basket = strictWarehouse.resolve(Basket.self)
    #expect(strictWarehouse.resolve(Basket.self) === basket)
  }

  @Test(
    "for a whole container covers nothing of the same type that another one registers",
    .fallback(in: strictWarehouse) { _ in Basket() },
    .strict(except: Basket.self))
  func containers() {
    let other = Resolver { $0.register { Basket() }.scope(.cached) }
    let double = strictWarehouse.resolve(Basket.self)
    #expect(other.resolve(Basket.self) !== double)
    #expect(strictWarehouse.resolve(Basket.self) === double)
  }

  @Test(
    "inside wins over one outside, which answers what the inner one leaves",
    .fallback { key in
      if key.type == (any Payments).self { return FakePayments("outer") }
      return LiveMailer(payments: FakePayments("outer"))
    },
    .fallback((any Payments).self) { FakePayments("inner") })
  func nested() {
    #expect(strictShop.resolve((any Payments).self).label == "inner")
    #expect(strictShop.resolve((any Mailer).self).payments.label == "outer")
  }

  @Test(
    "is asked for what a lazy wrapper asks for, not for the wrapper",
    .fallback { key in
      #expect(key.description == "any Payments")
      return FakePayments("fallback")
    })
  func lazy() {
    let wrapper: LazyInjected<any Payments> = strictShop.resolve()
    #expect(wrapper.wrappedValue.label == "fallback")
  }

  @Test(
    "may ask for the very service, and wraps what is live",
    .fallback((any Mailer).self) { LiveMailer(payments: strictShop.resolve((any Payments).self)) },
    .fallback((any Payments).self) {
      FakePayments("wraps \(strictShop.resolve((any Payments).self).label)")
    },
    .strict(.off))
  func wrapping() {
    #expect(strictShop.resolve((any Mailer).self).payments.label == "wraps live")
  }

  @Test(
    "is recorded as a double that is made once",
    .recorded, .fallback((any Payments).self) { FakePayments("fallback") })
  func recorded() throws {
    for _ in 0..<2 { _ = strictShop.resolve((any Payments).self) }
    let events = try #require(ResolutionRecorder.current).resolutions(of: (any Payments).self)
    #expect(events.map(\.kind) == [.created, .kept])
    #expect(events.map(\.isDouble) == [true, true])
  }
}

private final class Ledger: Sendable {}

@Suite("A fallback that opens a layer", .sandbox, .serialized)
struct FallbackLayerTests {
  private static let layer = Lock<Layer?>(nil)

  private static func open() {
    layer.withLock { layer in if layer == nil { layer = Resolver.push { _ in } } }
  }

  private static func close() { layer.withLock { $0.take() }.map { Resolver.pop($0) } }

  @Test(
    "leaves the request to the scope that it was made in, with `await` or without",
    .fallback { key in
      if key.type == Ledger.self { open() }
      return nil
    }, arguments: ["sync", "with await", "async"])
  func layer(way: String) async throws {
    let shop = Resolver { r in
      if way == "async" {
        r.registerAsync { Ledger() }.scope(.cached)
      } else {
        r.register { Ledger() }.scope(.cached)
      }
    }
    let requested = Unchecked(shop)
    let ledger = { () async throws -> Ledger in
      way == "sync"
        ? try requested.value.require() : try await requested.value.requireAsync()
    }
    let first = try await ledger()
    Self.close()
    #expect(try await ledger() === first)
    Self.close()
  }
}
