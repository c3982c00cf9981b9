import DITesting
import Testing

@Suite("A stub", .sandbox)
struct StubTests {
  private let gateway = GatewayDouble()

  @Test("returns a result from every call")
  func returns() throws {
    gateway.charge.returns("ref")
    #expect(try gateway.charge(650, for: "Ann") == "ref")
    #expect(try gateway.charge(700, for: "Bob") == "ref")
  }

  @Test("returns several results in turn")
  func returnsInTurn() throws {
    gateway.charge.returns("first", "second")
    #expect(try gateway.charge(650, for: "Ann") == "first")
    #expect(try gateway.charge(650, for: "Ann") == "second")
  }

  @Test("throws an error")
  func throwing() {
    gateway.charge.throws(Declined())
    #expect(throws: Declined.self) { try gateway.charge(650, for: "Ann") }
  }

  @Test("runs a closure, which gets the arguments")
  func runs() throws {
    gateway.charge.runs { cents, customer in
      guard cents < 1_000 else { throw Declined() }
      return "\(customer) paid \(cents)"
    }
    #expect(try gateway.charge(650, for: "Ann") == "Ann paid 650")
    #expect(throws: Declined.self) { try gateway.charge(1_000, for: "Ann") }
  }

  @Test("forwards to a live service, of which it is a spy then")
  func forwards() throws {
    gateway.charge.forwards(to: LiveGateway().charge)
    #expect(try gateway.charge(650, for: "Ann") == "live-650-Ann")
    #expect(gateway.charge.calls.map(\.customer) == ["Ann"])
  }

  @Test("forwards a single argument, none, and one that is nil")
  func forwardsOne() {
    final class Live {
      var sent: [String?] = []
      func send(_ text: String?) { sent.append(text) }
      func flush() { sent.append("flushed") }
    }
    let live = Live()
    let send = Stub<String?, Void, Never>()
    let flush = Stub<Void, Void, Never>()
    send.forwards(to: live.send)
    flush.forwards(to: live.flush)
    send("a")
    send(nil)
    flush()
    #expect(live.sent == ["a", nil, "flushed"])
  }

  @Test("forwards to functions that take closures and tuples")
  func forwardsClosures() {
    final class Live {
      var seen: [String] = []
      func each(_ body: @escaping (Int) -> Void) { body(1) }
      func maybe(_ body: (() -> Void)?) { body?() }
      func load(_ page: Int, then done: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        seen.append("page \(page)")
        done(.success(page))
      }
      func move(_ point: (x: Int, y: Int)) { seen.append("\(point.x), \(point.y)") }
      func move(to point: (x: Int, y: Int), speed: Int) {
        seen.append("\(point.x), \(point.y), \(speed)")
      }
    }
    let live = Live()
    let each = Stub<(Int) -> Void, Void, Never>()
    each.forwards(to: live.each)
    each { live.seen.append("each \($0)") }
    let maybe = Stub<(() -> Void)?, Void, Never>()
    maybe.forwards(to: live.maybe)
    maybe(nil)
    maybe { live.seen.append("maybe") }
    let load = Stub<(page: Int, done: @Sendable (Result<Int, any Error>) -> Void), Void, Never>()
    load.forwards(to: live.load)
    load((2, { _ in }))
    let move = Stub<(x: Int, y: Int), Void, Never>()
    move.forwards(to: live.move)
    move((3, 4))
    let moveTo = Stub<(point: (x: Int, y: Int), speed: Int), Void, Never>()
    moveTo.forwards(to: live.move(to:speed:))
    moveTo(((5, 6), 7))
    #expect(live.seen == ["each 1", "maybe", "page 2", "3, 4", "5, 6, 7"])
  }

  @Test("forwards to closures, with await to an actor")
  func forwardsToActor() async throws {
    actor Bank {
      private var paid: [String] = []
      func pay(_ cents: Int) -> String { pay(cents, to: "all") }
      func pay(_ cents: Int, to customer: String) -> String {
        paid.append("\(cents) to \(customer)")
        return paid.joined(separator: ", ")
      }
    }
    let bank = Bank()
    let pay = AsyncStub<Int, String, any Error>()
    pay.forwards { await bank.pay($0) }
    let payTo = AsyncStub<(cents: Int, customer: String), String, Never>()
    payTo.forwards { cents, customer in await bank.pay(cents, to: customer) }
    payTo.when(call: 2).forwards(to: { await bank.pay(-$0, to: $1) })
    #expect(try await pay(1) == "1 to all")
    #expect(await payTo((2, "Ann")) == "1 to all, 2 to Ann")
    #expect(await payTo((3, "Bob")) == "1 to all, 2 to Ann, -3 to Bob")
    gateway.charge.forwards { try LiveGateway().charge($0, for: $1) }
    #expect(try gateway.charge(650, for: "Ann") == "live-650-Ann")
  }

  @Test("wraps the live service in a decoration")
  func decorates() throws {
    let shop = Resolver.makeCashierShop()
    shop.decorate((any Gateway).self) { [gateway] live in
      gateway.charge.forwards(to: live.charge)
      return gateway
    }
    #expect(try shop.resolve((any Gateway).self).charge(650, for: "Ann") == "live-650-Ann")
    expectCalled(gateway.charge, times: 1) { $0.cents == 650 }
  }

  @Test("does what was said last")
  func latest() throws {
    gateway.charge.throws(Declined())
    gateway.charge.returns("a", "b")
    gateway.charge.returns("ref")
    #expect(try gateway.charge(650, for: "Ann") == "ref")
  }

  @Test("does the latest that was said for such arguments, and for want of that, for all")
  func conditions() throws {
    gateway.charge.when { $0.cents > 500 }.returns("much")
    gateway.charge.when { $0.customer == "Ann" }.returns("Ann")
    gateway.charge.when { $0.customer == "Ann" }.when { $0.cents == 0 }.throws(Declined())
    gateway.charge.returns("any")
    #expect(try gateway.charge(650, for: "Bob") == "much")
    #expect(try gateway.charge(650, for: "Ann") == "Ann")
    #expect(throws: Declined.self) { try gateway.charge(0, for: "Ann") }
    #expect(try gateway.charge(100, for: "Bob") == "any")
  }

  @Test("fails the third call alone")
  func thirdCall() throws {
    gateway.charge.returns("ref")
    gateway.charge.when(call: 3).throws(Declined())
    for number in 1...4 {
      let reference = try? gateway.charge(650, for: "Ann")
      #expect(reference == (number == 3 ? nil : "ref"))
    }
  }

  @Test("runs and forwards for some calls only")
  func conditionalBodies() throws {
    gateway.charge.forwards(to: LiveGateway().charge)
    gateway.charge.when { $0.cents < 0 }.runs { cents, _ in "back \(-cents)" }
    gateway.charge.when(call: 3).forwards(to: LiveGateway().charge)
    #expect(try gateway.charge(1, for: "Ann") == "live-1-Ann")
    #expect(try gateway.charge(-1, for: "Ann") == "back 1")
    #expect(try gateway.charge(-1, for: "Ann") == "live--1-Ann")
  }

  @Test("keeps the arguments and how the calls ended, in order")
  func calls() {
    gateway.charge.returns("ref")
    gateway.charge.when(call: 2).throws(Declined())
    #expect(gateway.charge.calls.isEmpty)
    for cents in 1...3 { _ = try? gateway.charge(cents, for: "Ann") }
    #expect(gateway.charge.calls.count == 3)
    #expect(gateway.charge.calls.first?.cents == 1)
    #expect(gateway.charge.calls.last?.cents == 3)
    let outcomes = gateway.charge.outcomes.map { outcome in
      switch outcome {
      case .underWay: "under way"
      case .returned(let reference): reference
      case .threw(let error): "\(error)"
      }
    }
    #expect(outcomes == ["ref", "Declined()", "ref"])
  }

  @Test("notes a call when it begins, and its end when it ends")
  func outcomes() {
    let outer = Stub<Void, Int, Never>()
    outer.runs { [outer] in
      #expect(outer.outcomes == [.underWay])
      return outer.calls.count
    }
    #expect(outer() == 1)
    #expect(outer.outcomes == [.returned(1)])
  }

  @Test("needs to be told nothing where there is no result")
  func noResult() {
    let postbox = PostboxDouble()
    postbox.send("Receipt")
    #expect(postbox.send.calls == ["Receipt"])
  }

  @Test("throws the error of a typed requirement, and runs with await")
  func typedThrows() async throws {
    let prices = PriceListDouble()
    prices.price.throws(Declined())
    prices.price.when { $0 == "TEA" }.runs { article async throws(Declined) in
      await Task.yield()
      return article.count
    }
    await #expect(throws: Declined()) { try await prices.price(of: "COFFEE") }
    #expect(try await prices.price(of: "TEA") == 3)
    prices.price.forwards(to: LivePriceList().price)
    #expect(try await prices.price(of: "COFFEE") == 6)
    #expect(prices.price.outcomes == [.threw(Declined()), .returned(3), .returned(6)])
  }

  @Test("writes back what it is told, and what it got where it is told nothing")
  func writesBack() async {
    let add = Stub<Int, Int, Never>()
    #expect(add.call(3, default: 3) == 3)
    add.returns(4)
    #expect(add.call(3, default: 3) == 4)
    let refresh = AsyncStub<Void, Int, Never>()
    #expect(await refresh.call(default: 1) == 1)
  }

  @Test("is called without arguments in every form, sync and async")
  func withoutArguments() async {
    let count = Stub<Void, Int, Never>()
    #expect(count.call(default: 3) == 3)
    let refresh = AsyncStub<Void, Int, Never>()
    #expect(await refresh.call(default: 3) == 3)
    refresh.runs { _ in 5 }
    #expect(await refresh.call() == 5)
    #expect(await refresh() == 5)
    #expect(refresh.calls.count == 3)
  }

  @Test("describes what is not to be kept")
  func described() {
    final class Parcel: CustomStringConvertible {
      var description: String { "a parcel" }
    }
    let send = Stub<Described, Void, Never>()
    weak var gone: Parcel?
    do {
      let parcel = Parcel()
      gone = parcel
      send.call(Described((parcel: parcel, weight: 2)))
    }
    #expect(gone == nil)
    #expect(send.calls == ["(parcel: a parcel, weight: 2)"])
  }

  @Test("takes arguments and hands out results that are not Sendable")
  func notSendable() {
    final class Parcel {}
    let parcel = Parcel()
    let wrap = Stub<Parcel, Parcel, Never>()
    wrap.returns(parcel)
    #expect(wrap(Parcel()) === parcel)
    let make = Stub<Void, @Sendable () -> Parcel, Never>()
    make.returns { Parcel() }
    #expect(make()() !== make()())
  }

  @Test("belongs to a main-actor, an actor's or a nonisolated double alike")
  func isolation() async throws {
    let display = DisplayDouble()
    let asked: any PriceSign = display
    await asked.show("TEA")
    #expect(display.show.calls == ["TEA"])
    let stock = StockDouble()
    stock.count.returns(3)
    #expect(await stock.count(of: "TEA") == 3)
    #expect(DoubleStubsOfActor.names(stock) == ["StockRoomKeeper.count(of:)"])
  }
}

@MainActor protocol PriceSign {
  func show(_ text: String)
}

@MainActor final class DisplayDouble: PriceSign, TestDouble {
  nonisolated init() {}
  nonisolated static func asDoubled(_ double: DisplayDouble) -> any PriceSign { double }
  nonisolated let show = Stub<String, Void, Never>("PriceSign.show(_:)")
  func show(_ text: String) { show.call(text) }
}

protocol StockRoomKeeper: Actor {
  func count(of article: String) -> Int
}

actor StockDouble: StockRoomKeeper, TestDouble {
  init() {}
  static func asDoubled(_ double: StockDouble) -> any StockRoomKeeper { double }
  nonisolated let count = Stub<String, Int, Never>("StockRoomKeeper.count(of:)")
  func count(of article: String) -> Int { count.call(article) }
}

enum DoubleStubsOfActor {
  static func names(_ double: Any) -> [String] {
    Mirror(reflecting: double).children.compactMap { ($0.value as? any StubProtocol)?.name }
  }
}
