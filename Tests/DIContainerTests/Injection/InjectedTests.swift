import DICompatibility
import DIContainer
import TestSupport
import Testing

private protocol Payments: AnyObject { var name: String { get } }
private final class LivePayments: Payments {
  let name: String
  init(_ name: String = "live") { self.name = name }
}

extension Resolver {
  fileprivate static let shop = Resolver { r in
    r.register { LivePayments("shop") as any Payments }
    r.register(name: "card") { LivePayments("shop card") as any Payments }
  }
}

extension Resolver.Name {
  fileprivate static let card = Self("card")
}

/// Property wrappers.
@Suite("Injected properties")
struct InjectedTests {
  private func inShop(_ body: () -> Void) {
    inSandbox {
      Resolver.register { LivePayments() as any Payments }.scope(.shared)
      Resolver.register(name: .card) { LivePayments("card") as any Payments }
      Resolver.register(name: "args") { _, args in LivePayments(args()) as any Payments }
      body()
    }
  }

  // MARK: @Injected

  @Test("@Injected resolves when its owner is made, by type, name and container")
  func injected() {
    final class Checkout {
      @Injected var payments: any Payments
      @Injected(name: .card) var card: any Payments
      @Injected(container: .shop) var shop: any Payments
      @Injected(name: .card, container: .shop) var shopCard: any Payments
    }
    inShop {
      let checkout = Checkout()
      Resolver.register { LivePayments("later") as any Payments }
      #expect(checkout.payments.name == "live")
      #expect(checkout.card.name == "card")
      #expect(checkout.shop.name == "shop")
      #expect(checkout.shopCard.name == "shop card")
    }
  }

  @Test("@Injected can be assigned, as a whole too")
  func assigning() {
    struct Checkout { @Injected var payments: any Payments }
    inShop {
      var checkout = Checkout()
      let original = checkout.$payments
      checkout.payments = LivePayments("fake")
      #expect(checkout.payments.name == "fake")
      checkout.$payments = original
      #expect(checkout.payments.name == "live")
    }
  }

  // MARK: @OptionalInjected

  @Test("@OptionalInjected is nil for what is missing, and falls back to the root")
  func optional() {
    struct Checkout {
      @OptionalInjected var payments: (any Payments)?
      @OptionalInjected var missing: String?
      @OptionalInjected(container: .shop) var shop: (any Payments)?
      @OptionalInjected(name: "args", container: .shop) var fallback: Int?
      @OptionalInjected(name: "root", container: .shop) var root: Int?
    }
    inShop {
      Resolver.register(name: "root") { 5 }
      var checkout = Checkout()
      #expect(checkout.payments?.name == "live")
      #expect(checkout.missing == nil)
      #expect(checkout.shop?.name == "shop")
      #expect(checkout.fallback == nil)
      #expect(checkout.root == 5)
      checkout.payments = nil
      #expect(checkout.$payments.wrappedValue == nil)
    }
  }

  // MARK: @LazyInjected

  @Test("@LazyInjected resolves on first use, once")
  func lazy() {
    final class Checkout {
      @LazyInjected var payments: any Payments
    }
    inShop {
      let checkout = Checkout()
      #expect(checkout.$payments.isEmpty)
      Resolver.register { LivePayments("later") as any Payments }.scope(.unique)
      let first = checkout.payments
      #expect(first.name == "later")
      #expect(!checkout.$payments.isEmpty)
      #expect(checkout.payments === first)
    }
  }

  @Test("Name, container and arguments of a lazy property can be set before it is used")
  func lazyOptions() {
    final class Checkout {
      @LazyInjected var payments: any Payments
      @LazyInjected(name: .card, container: .shop) var card: any Payments
    }
    inShop {
      let checkout = Checkout()
      checkout.$payments.name = "args"
      checkout.$payments.args = "given"
      #expect(checkout.payments.name == "given")
      #expect(checkout.$payments.args as? String == "given")
      checkout.$payments.release()
      checkout.$payments.name = .card
      checkout.$payments.args = nil
      checkout.$payments.container = .shop
      #expect(checkout.payments.name == "shop card")
      #expect(checkout.$payments.container === Resolver.shop)
      #expect(checkout.card.name == "shop card")
      #expect(checkout.$card.name == .card)
    }
  }

  @Test("A lazy wrapper that is assigned to itself, or to another, goes on asking for the same")
  func lazyAssignedWrapper() {
    final class Checkout {
      @LazyInjected(name: .card) var payments: any Payments
      @LazyInjected var other: any Payments
      @WeakLazyInjected(name: .card) var weak: (any Payments)?
    }
    inShop {
      let checkout = Checkout()
      checkout.$payments = checkout.$payments
      checkout.$other = checkout.$payments
      checkout.$weak = checkout.$weak
      #expect(checkout.payments.name == "card")
      #expect(checkout.other.name == "card")
      #expect(checkout.weak?.name == "card")
    }
  }

  @Test("release() lets go, and the next use resolves anew")
  func release() {
    final class Checkout { @LazyInjected var payments: any Payments }
    inShop {
      let checkout = Checkout()
      weak let first = checkout.payments
      #expect(first != nil)
      checkout.$payments.release()
      #expect(first == nil)
      #expect(checkout.$payments.isEmpty)
      #expect(checkout.payments.name == "live")
    }
  }

  @Test("A lazy property can be assigned before it ever resolves")
  func lazyAssigned() {
    struct Checkout { @LazyInjected var payments: any Payments }
    let checkout = Checkout()
    checkout.payments = LivePayments("fake")
    #expect(checkout.payments.name == "fake")
  }

  @Test("Lazy properties are where two services may refer to each other")
  func lazyCycle() {
    final class A {
      let b: B
      init(b: B) { self.b = b }
    }
    final class B {
      @LazyInjected var a: A
    }
    inSandbox {
      Resolver.register(A.init).scope(.cached)
      Resolver.register { B() }.scope(.cached)
      let a: A = Resolver.resolve()
      #expect(a.b.a === a)
    }
  }

  @Test("What a lazy property's arguments held is let go with no lock held")
  func argumentsGo() {
    final class Checkout { @LazyInjected var payments: any Payments }
    final class Token {
      let onDeinit: () -> Void
      init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
      deinit { onDeinit() }
    }
    inShop {
      let checkout = Checkout()
      let ended = Counter()
      checkout.$payments.args = Token {
        _ = checkout.$payments.isEmpty
        ended.increment()
      }
      checkout.$payments.args = nil
      #expect(ended.value == 1)
    }
  }

  // MARK: @WeakLazyInjected

  @Test("@WeakLazyInjected does not keep what it resolves")
  func weakLazy() {
    final class Checkout { @WeakLazyInjected var payments: (any Payments)? }
    inShop {
      let checkout = Checkout()
      var payments: (any Payments)? = Resolver.resolve((any Payments).self)
      #expect(checkout.$payments.isEmpty)
      #expect(checkout.payments === payments)
      #expect(!checkout.$payments.isEmpty)
      payments = nil
      #expect(checkout.payments == nil)
      #expect(checkout.$payments.isEmpty)
      checkout.$payments.release()
      let held = Resolver.resolve((any Payments).self)
      #expect(checkout.payments === held)
    }
  }

  @Test("@WeakLazyInjected takes a name, a container and arguments, and can be assigned")
  func weakLazyOptions() {
    final class Checkout {
      @WeakLazyInjected(name: "keeper") var payments: (any Payments)?
    }
    inShop {
      let checkout = Checkout()
      let kept = LivePayments("kept")
      Resolver.register(name: "kept") { kept as any Payments }
      checkout.$payments.name = "kept"
      checkout.$payments.args = 1
      #expect(checkout.payments === kept)
      #expect(checkout.$payments.name == "kept")
      #expect(checkout.$payments.args as? Int == 1)
      #expect(checkout.$payments.container == nil)
      let other = LivePayments("other")
      checkout.payments = other
      #expect(checkout.payments === other)
      checkout.payments = nil
      #expect(checkout.payments == nil)
    }
  }
}
