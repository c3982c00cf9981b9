import DITesting
import Foundation
import TestSupport
import Testing

@testable import DIContainer

private protocol Seller: AnyObject {}
private final class Checkout: Seller {}

private final class Shop {
  let checkout: Checkout
  init(_ checkout: Checkout) { self.checkout = checkout }
}

private final class Store: SharedContainer {
  static let shared = Store()
  let manager = ContainerManager()
}

extension Store {
  fileprivate var checkout: Factory<Checkout> { self { Checkout() } }
  fileprivate var shop: Factory<Shop> { self { Shop(self.checkout()) } }
}

/// What a factory captured: gone if nobody refers to the factory.
private final class Prices: Sendable {
  private let onDeinit: @Sendable () -> Void
  init(onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
  deinit { onDeinit() }
}

/// Whoever runs a factory keeps it alive.
@Suite("Concurrency: factories that are taken away while they run")
struct RunningFactoryConcurrencyTests {
  enum Form: CaseIterable { case unique, graph, shared, named, alias, property, sharedProperty }
  enum Place: CaseIterable { case container, sandbox, recorder }
  enum End: CaseIterable { case replaced, removed, reset }

  /// A container whose checkout is made in one of the forms.
  private struct Case: Sendable {
    let form: Form
    let resolver = Resolver()
    let store = Store()

    func register(_ make: @escaping @Sendable () -> Checkout) {
      switch form {
      case .unique: resolver.register { make() }
      case .graph: resolver.register { make() }.scope(.graph)
      case .named: resolver.register(name: "main") { make() }
      case .alias: resolver.register { make() }.implements((any Seller).self)
      case .shared:
        resolver.register { Shop($0.resolve()) }
        resolver.register { make() }.scope(.graph)
      case .property: store.checkout.register { make() }
      case .sharedProperty: store.checkout.graph.register { make() }
      }
    }

    func ask() {
      switch form {
      case .unique, .graph: _ = resolver.resolve(Checkout.self)
      case .named: _ = resolver.resolve(Checkout.self, name: "main")
      case .alias: _ = resolver.resolve((any Seller).self)
      case .shared: _ = resolver.resolve(Shop.self)
      case .property: _ = store.checkout()
      case .sharedProperty: _ = store.shop()
      }
    }

    func takeAway(_ end: End) {
      switch (form, end) {
      case (.property, .reset), (.sharedProperty, .reset):
        store.manager.reset(options: .registration)
      case (.property, _), (.sharedProperty, _): store.checkout.register { Checkout() }
      case (_, .reset):
        resolver.core.registry.removeAll()
        // What a sandbox registered is not the container's.
        resolver.remove(Checkout.self, name: form == .named ? "main" : nil)
      case (.named, .replaced): resolver.register(name: "main") { Checkout() }
      case (.named, .removed): resolver.remove(Checkout.self, name: "main")
      case (_, .replaced): resolver.register { Checkout() }
      case (_, .removed): resolver.remove(Checkout.self)
      }
    }
  }

  private static func frame(_ place: Place) -> ContextFrame {
    switch place {
    case .container: .base
    case .sandbox: ContextFrame(.sandbox, parent: nil, caches: .all)
    case .recorder: ContextFrame(.plain, parent: nil, recorder: ResolutionRecorder())
    }
  }

  /// Registers a factory that captures prices and runs `whileRunning`, has the rest of the test
  /// done, and expects the prices to have been there until the factory returned, and no longer.
  private static func expectHeld(
    by shop: Case, in place: Place, _ end: End, whileRunning: @escaping @Sendable () -> Void,
    _ test: (ContextFrame) -> Void
  ) {
    let prices = Counter()
    prices.increment()
    let seen = Lock<[Int]>([])
    let frame = frame(place)
    ContextFrame.$bound.withValue(frame) {
      shop.register { [held = Prices { prices.decrement() }] in
        whileRunning()
        seen.withLock { $0.append(prices.value) }
        return withExtendedLifetime(held) { Checkout() }
      }
    }
    test(frame)
    #expect(seen.withLock { $0 } == [1], "\(end)")
    #expect(prices.value == 0, "\(end)")
  }

  @Test(arguments: Form.allCases, Place.allCases)
  func `What a factory captured stays until it has returned, although it takes itself away`(
    form: Form, place: Place
  ) {
    let shop = Case(form: form)
    for end in End.allCases {
      Self.expectHeld(by: shop, in: place, end) {
        shop.takeAway(end)
      } _: { frame in
        ContextFrame.$bound.withValue(frame) { shop.ask() }
      }
    }
  }

  @Test(arguments: Form.allCases, Place.allCases)
  func `What a factory captured stays until it has returned, although others take it away`(
    form: Form, place: Place
  ) {
    let shop = Case(form: form)
    for end in End.allCases {
      let (hasBegun, isTaken) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Self.expectHeld(by: shop, in: place, end) {
        hasBegun.signal()
        isTaken.wait()
      } _: { frame in
        onOwnThreads(2) { thread in
          ContextFrame.$bound.withValue(frame) {
            if thread == 0 { return shop.ask() }
            hasBegun.wait()
            shop.takeAway(end)
            isTaken.signal()
          }
        }
      }
    }
  }

  @Test func `What a factory captured goes with the factory if nobody runs it`() {
    let shop = Resolver()
    let prices = Counter()
    prices.increment()
    shop.register { [held = Prices { prices.decrement() }] in
      withExtendedLifetime(held) { Checkout() }
    }
    _ = shop.resolve(Checkout.self)
    shop.register { Shop($0.resolve()) }
    shop.register { Checkout() }
    #expect(prices.value == 0)
  }

  @Test func `A factory that throws after it was taken away lets go of what it captured`() throws {
    struct SoldOut: Error {}
    let shop = Resolver()
    let prices = Counter()
    prices.increment()
    shop.register { [held = Prices { prices.decrement() }] () throws -> Checkout in
      shop.remove(Checkout.self)
      #expect(prices.value == 1)
      return try withExtendedLifetime(held) { throw SoldOut() }
    }
    #expect(throws: ResolutionError.self) { try shop.require(Checkout.self) }
    #expect(prices.value == 0)
  }

  @Test func `Factories that are replaced all the time by threads that ask all go in the end`() {
    let rounds = isUnderThreadSanitizer ? 300 : 2_000
    let shop = Resolver()
    let made = Counter()
    let gone = Counter()
    @Sendable func register(_ scope: Scope) {
      made.increment()
      shop.register { [held = Prices { gone.increment() }] in
        withExtendedLifetime(held) { Checkout() }
      }.scope(scope)
    }
    register(.unique)
    shop.register { Shop($0.resolve()) }
    onOwnThreads(8) { thread in
      for round in 0..<rounds {
        if (round + thread) % 8 == 0 { register(round % 3 == 0 ? .graph : .unique) }
        _ = shop.resolve(Shop.self)
      }
    }
    shop.remove(Checkout.self)
    #expect(made.value == gone.value)
  }
}
