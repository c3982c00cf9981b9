import DICompatibility
@testable import DIContainer
import Synchronization
import Testing

private final class Cart {}
private protocol Ledger: AnyObject {}
private final class BookLedger: Ledger {}

extension Container {
  fileprivate var siteCart: Factory<Cart> { self { Cart() }.scope(.perRun(.strong)) }
}

extension Scope {
  fileprivate static let session = Scope.cache("session")
}

@Suite struct LifetimeTests {
  @Test(arguments: [Scope.perContainer(.strong), .container])
  func `Resetting a container's scope forgets what it keeps itself, and nobody else`(
    scope: Scope
  ) {
    let parent = Resolver()
    parent.register { Cart() }.scope(scope)
    let shop = Resolver(parent: parent)
    shop.register(name: "own") { Cart() }.scope(scope)
    func carts() -> [Cart] { [shop.resolve(), parent.resolve(), shop.resolve(name: "own")] }
    func same(_ one: [Cart], _ other: [Cart]) -> [Bool] { zip(one, other).map { $0 === $1 } }
    let isAsked = scope === Scope.container

    let first = carts()
    #expect(same(carts(), first) == [true, true, true])
    shop.manager.reset(scope: .cached)
    #expect(same(carts(), first) == [true, true, true])
    shop.manager.reset(scope: scope)
    let second = carts()
    // What `.container` keeps, it keeps for the container that is asked.
    #expect(same(second, first) == [!isAsked, true, false])
    shop.manager.reset(options: .scope)
    let third = carts()
    #expect(same(third, second) == [!isAsked, true, false])
    parent.manager.reset(options: .scope)
    #expect(same(carts(), third) == [isAsked, false, true])
  }

  @Test func `Resetting a container leaves a site's instance to its scope`() {
    let shop = Container()
    let cart = shop.siteCart()
    shop.manager.reset(scope: .perRun(.strong))
    #expect(shop.siteCart() === cart)
    shop.manager.reset(options: .scope)
    #expect(shop.siteCart() === cart)
    Scope.perRun(.strong).reset()
    #expect(shop.siteCart() !== cart)
  }

  @Test func `Resetting a scope lets go of a weakly kept instance that somebody still holds`() {
    let shop = Resolver()
    shop.register { Cart() }.scope(.perContainer(.weak))
    let cart: Cart = shop.resolve()
    #expect(shop.resolve(Cart.self) === cart)
    shop.manager.reset(scope: .perContainer(.weak))
    #expect(shop.resolve(Cart.self) !== cart)
  }

  @Test(arguments: [Scope.perContainer(.strong), .container])
  func `Resetting a container's scope in a sandbox leaves what production keeps`(scope: Scope) {
    let parent = Resolver()
    parent.register { Cart() }.scope(scope)
    let shop = Resolver(parent: parent)
    shop.register(name: "own") { Cart() }.scope(scope)
    let (cart, own): (Cart, Cart) = (shop.resolve(), shop.resolve(name: "own"))
    inSandbox {
      let sandboxed: Cart = shop.resolve(name: "own")
      let below: Cart = parent.resolve()
      #expect(sandboxed !== own)
      shop.manager.reset(scope: scope)
      #expect(shop.resolve(Cart.self, name: "own") !== sandboxed)
      #expect(parent.resolve(Cart.self) === below)
    }
    #expect(shop.resolve(Cart.self) === cart)
    #expect(shop.resolve(Cart.self, name: "own") === own)
  }

  @Test func `A prototype is new for each request`() {
    let shop = Resolver()
    shop.register { Cart() }.lifetime(.prototype)
    let (one, other): (Cart, Cart) = (shop.resolve(), shop.resolve())
    #expect(one !== other)
  }

  @Test func `An object graph shares within one request only`() {
    final class Pair {
      let one: Cart
      let other: Cart
      init(one: Cart, other: Cart) { (self.one, self.other) = (one, other) }
    }
    let shop = Resolver()
    shop.register { Cart() }.lifetime(.objectGraph)
    shop.register(Pair.init).lifetime(.prototype)
    let (first, second): (Pair, Pair) = (shop.resolve(), shop.resolve())
    #expect(first.one === first.other)
    #expect(first.one !== second.one)
  }

  @Test func `A weak lifetime ends with its last user`() {
    for lifetime in [Scope.perRun(.weak), .perContainer(.weak)] {
      let shop = Resolver()
      shop.register { BookLedger() as any Ledger }.lifetime(lifetime)
      var ledger: (any Ledger)? = shop.resolve((any Ledger).self)
      weak let first = ledger
      #expect(shop.resolve((any Ledger).self) === first)
      ledger = nil
      #expect(first == nil)
    }
  }

  @Test func `A lifetime of one's own lasts until it is reset`() {
    let shop = Resolver()
    shop.register { Cart() }.lifetime(.custom(.session))
    let first: Cart = shop.resolve()
    #expect(shop.resolve(Cart.self) === first)
    Scope.session.reset()
    #expect(shop.resolve(Cart.self) !== first)
  }

  @Test func `Lifetimes print as they are written`() {
    #expect(Scope.single.description == "single")
    #expect(Scope.perRun(.strong).description == "perRun(.strong)")
    #expect(Scope.perRun(.weak).description == "perRun(.weak)")
    #expect(Scope.perContainer(.strong).description == "perContainer(.strong)")
    #expect(Scope.perContainer(.weak).description == "perContainer(.weak)")
  }

  @Test func `Per container, an instance goes with the container that owns it`() {
    weak var kept: Cart?
    do {
      let shop = Resolver()
      shop.register { Cart() }.lifetime(.perContainer(.strong))
      do {
        let asker = Resolver(parent: shop)
        kept = asker.resolve(Cart.self)
      }
      #expect(kept != nil)
    }
    #expect(kept == nil)
  }

  @Test func `A site's instance goes with the last container that holds the site`() {
    func wire(_ container: Resolver) {
      container.register { Cart() }.lifetime(.single)
    }
    var one: Resolver? = Resolver()
    var other: Resolver? = Resolver()
    wire(one!)
    wire(other!)
    weak let kept = one?.resolve(Cart.self)
    #expect(kept != nil)
    one = nil
    #expect(other?.resolve(Cart.self) === kept)
    other = nil
    #expect(kept == nil)
  }

  @Test func `A container that re-registers a site drops its link, and the instance stays`() {
    func wire(_ container: Resolver) {
      container.register { Cart() }.lifetime(.single)
    }
    let (one, other) = (Resolver(), Resolver())
    wire(one)
    wire(other)
    let first: Cart = one.resolve()
    wire(one)
    #expect(one.resolve(Cart.self) === first)
    #expect(other.resolve(Cart.self) === first)
  }

  @Test func `Re-registering a site's only link forgets its instance`() {
    func wire(_ container: Resolver) {
      container.register { Cart() }.lifetime(.single)
    }
    let shop = Resolver()
    wire(shop)
    let first: Cart = shop.resolve()
    wire(shop)
    #expect(shop.resolve(Cart.self) !== first)
  }
}

@Suite struct DefaultSiteTests {
  private static func wire(_ container: Resolver) { container.register { Cart() } }

  private static func wireTwice() -> Bool {
    Resolver.defaultScope = .single
    let shop = Resolver()
    wire(shop)
    let first: Cart = shop.resolve()
    wire(shop)
    return shop.resolve(Cart.self) !== first
  }

  @Test func `Re-registering a site's only link forgets its instance`() async {
    ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      #expect(Self.wireTwice())
    }
    await #expect(processExitsWith: .success) { precondition(Self.wireTwice()) }
  }

  @Test func `A container that re-registers a site drops its link, and the instance stays`() {
    ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      Resolver.defaultScope = .single
      let (one, other) = (Resolver(), Resolver())
      Self.wire(one)
      Self.wire(other)
      let first: Cart = one.resolve()
      Self.wire(one)
      #expect(one.resolve(Cart.self) === first)
    }
  }
}

@Suite struct OnReleaseTests {
  private final class Log: Sendable {
    let entries = Mutex<[String]>([])
    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  @Test func `Re-registering tears the kept instance down`() {
    let log = Log()
    let shop = Resolver()
    shop.register { Cart() }.scope(.cached).onRelease { _ in log.add("first") }
    _ = shop.resolve(Cart.self)
    shop.register { Cart() }.scope(.cached).onRelease { _ in log.add("second") }
    #expect(log.all == ["first"])
  }

  @Test func `What was never built is not torn down`() {
    let log = Log()
    let shop = Resolver()
    shop.register { Cart() }.scope(.cached).onRelease { _ in log.add("released") }
    shop.remove(Cart.self)
    #expect(log.all == [])
  }

  @Test func `Removing a registration, and the end of a container, tear down`() {
    let log = Log()
    do {
      let shop = Resolver()
      shop.register { Cart() }.scope(.cached).onRelease { _ in log.add("cart") }
      shop.register { BookLedger() }.lifetime(.perContainer(.strong))
        .onRelease { _ in log.add("ledger") }
      _ = shop.resolve(Cart.self)
      _ = shop.resolve(BookLedger.self)
      shop.remove(Cart.self)
      #expect(log.all == ["cart"])
    }
    #expect(log.all == ["cart", "ledger"])
  }

  @Test func `A reset tears down once, in the order in which the closures were given`() {
    let log = Log()
    let scope = Scope.cache("till")
    let shop = Resolver()
    shop.register { Cart() }.scope(scope)
      .onRelease { _ in log.add("one") }
      .onRelease { _ in log.add("two") }
    _ = shop.resolve(Cart.self)
    scope.reset()
    scope.reset()
    #expect(log.all == ["one", "two"])
  }

  @Test func `A tear-down may resolve from the container that it leaves`() {
    let log = Log()
    let shop = Resolver()
    shop.register(name: "closing") { "closed" }
    shop.register { Cart() }.scope(.cached)
      .onRelease { [unowned shop] _ in log.add(shop.resolve(name: "closing")) }
    _ = shop.resolve(Cart.self)
    shop.remove(Cart.self)
    #expect(log.all == ["closed"])
  }

  @Test func `A sandbox's instance is torn down in the sandbox, when that ends`() {
    let log = Log()
    let shop = Resolver()
    shop.register(name: "closing") { "live" }
    shop.register { Cart() }.scope(.cached)
      .onRelease { [unowned shop] _ in log.add(shop.resolve(name: "closing")) }
    let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
    ContextFrame.$bound.withValue(sandbox) {
      shop.register(name: "closing") { "double" }
      _ = shop.resolve(Cart.self)
    }
    sandbox.end()
    #expect(log.all == ["double"])
  }

  @Test func `What the process keeps is torn down outside of every sandbox`() {
    let log = Log()
    let shop = Resolver()
    shop.register(name: "closing") { "live" }
    shop.register { Cart() }.scope(.cached)
      .onRelease { [unowned shop] _ in log.add(shop.resolve(name: "closing")) }
    _ = shop.resolve(Cart.self)
    ContextFrame.$bound.withValue(ContextFrame(.sandbox, parent: nil, caches: .all)) {
      shop.register(name: "closing") { "double" }
      ContextFrame.settingUp { _ = shop.register { Cart() } }
    }
    #expect(log.all == ["live"])
  }
}
