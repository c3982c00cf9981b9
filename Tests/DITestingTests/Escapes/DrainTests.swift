@testable import DITesting
import Testing

/// Lets work go on until it is told that the body of the test is over.
private final class Flag: Sendable {
  private let isSet = Atomic()

  func set() { isSet.set(true) }

  func wait() async {
    while !isSet.isSet { await Task.yield() }
  }
}

@Suite("A sandbox that drains")
struct DrainTests {
  private let shop = Resolver { r in r.register { LivePayments() as any Payments } }
  // Longer than the rest of the run: a task that yields comes after the tests that wait for their
  // turn, and on a busy machine those take minutes.
  private let aLongTime = Duration.seconds(86_400)

  private func opener(
    drain: Duration, _ issues: Issues, checksLeaks: Bool = false
  ) -> ScopeOpener {
    var policy = FramePolicy()
    if checksLeaks { policy.leakWatch = InstanceLog() }
    var opener = ScopeOpener(
      .sandbox, policy: policy, name: "checkout", location: CodeLocation(line: 30),
      report: issues.handler)
    opener.drain = drain
    return opener
  }

  @Test("waits for tasks and for carried contexts, which get its doubles")
  func waits() async {
    let issues = Issues()
    let isOver = Flag()
    let (task, detached) = await opener(drain: aLongTime, issues).run {
      shop.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
      let context = ResolutionContext.current
      let task = Task { [shop] in
        await isOver.wait()
        return shop.resolve((any Payments).self).label
      }
      let detached = Task.detached { [shop] in
        await isOver.wait()
        return context.run { shop.resolve((any Payments).self).label }
      }
      await Task.yield()
      isOver.set()
      return (task, detached)
    }
    // Both are done: nothing came late.
    #expect(await task.value == "fake")
    #expect(await detached.value == "fake")
    #expect(issues.all.isEmpty)
  }

  @Test("gives up after a while, and says so")
  func givesUp() async {
    let issues = Issues()
    let isOver = Flag()
    let task = await opener(drain: .milliseconds(1), issues).run {
      await Task.yield()
      return Task { await isOver.wait() }
    }
    let text = """
      The sandbox ended while work that carries it was still going on.

        sandbox:  gives up after a while, and says so, at DITestingTests/DrainTests.swift:30
        waited:   0.001 seconds

      To fix this:
        - Wait longer, or let the test await the work that it starts.
      """
    #expect(issues.all.map(\.text) == [text])
    #expect(issues.all.map(\.severity) == [.warning])
    isOver.set()
    await task.value
  }

  @Test("does not wait for instances that only remember their context")
  func remembered() async {
    final class Receipts {
      let context = ResolutionContext.current
      let payments: LazyInjected<any Payments>
      init(_ shop: Resolver) { payments = LazyInjected(container: shop) }
    }
    let issues = Issues()
    let receipts = await opener(drain: aLongTime, issues).run {
      shop.register { r in Receipts(r) }.scope(.cached)
      await Task.yield()
      return Unchecked(shop.resolve(Receipts.self))
    }
    #expect(issues.all.isEmpty)
    withExtendedLifetime(receipts.value) {}
  }

  @Test("does not wait for instances of async factories that only remember their context")
  func rememberedByAwaited() async throws {
    final class Receipts: Sendable {
      let context = ResolutionContext.current
    }
    let issues = Issues()
    let receipts = try await opener(drain: aLongTime, issues).run {
      shop.registerAsync { Receipts() }.scope(.cached)
      return try await shop.requireAsync(Receipts.self)
    }
    #expect(issues.all.isEmpty)
    withExtendedLifetime(receipts) {}
  }

  @Test("does not wait for instances that remember a scope inside it")
  func rememberedInside() async {
    final class Receipts {
      let context = ResolutionContext.current
      let payments: LazyInjected<any Payments>
      init(_ shop: Resolver) { payments = LazyInjected(container: shop) }
    }
    let issues = Issues()
    let receipts = await opener(drain: .seconds(1), issues).run {
      shop.register { r in Receipts(r) }
      await Task.yield()
      let make = { shop.resolve(Receipts.self) }
      var made = [
        withLayer { _ in
        } operation: {
          make()
        },
        withRecorder(ResolutionRecorder(), operation: make),
        withStrictness(.off, operation: make),
        withSandbox(operation: make),
      ]
      let layer = Resolver.push { _ in }
      made.append(make())
      Resolver.pop(layer)
      return Unchecked(made)
    }
    #expect(issues.all.isEmpty)
    withExtendedLifetime(receipts.value) {}
  }

  @Test("does not wait for lazy wrappers that were made in a scope inside it")
  func lazyInside() async {
    let issues = Issues()
    let payments = await opener(drain: .seconds(1), issues).run {
      await Task.yield()
      return Unchecked(
        withLayer { _ in
        } operation: {
          LazyInjected<any Payments>(container: shop)
        })
    }
    #expect(issues.all.isEmpty)
    withExtendedLifetime(payments.value) {}
  }

  @Test("waits for tasks and carried contexts of scopes inside it, whatever has ended")
  func carriedInside() async {
    let issues = Issues()
    let isOver = Flag()
    let ended = Lock<[String]>([])
    await opener(drain: aLongTime, issues).run {
      let start = { (name: String) in
        let context = ResolutionContext.current
        Task {
          await isOver.wait()
          ended.withLock { $0.append(name) }
        }
        Task.detached {
          await isOver.wait()
          context.run { ended.withLock { $0.append("\(name), carried") } }
        }
      }
      withLayer { _ in
      } operation: {
        start("layer")
      }
      withRecorder(ResolutionRecorder()) { start("recorder") }
      withSandbox { start("sandbox") }
      let layer = Resolver.push { _ in }
      start("pushed")
      Resolver.pop(layer)
      await Task.yield()
      isOver.set()
    }
    let names = ["layer", "recorder", "sandbox", "pushed"]
    #expect(ended.withLock { $0.sorted() } == names.flatMap { [$0, "\($0), carried"] }.sorted())
    #expect(issues.all.isEmpty)
  }

  @Test("closes at once where nobody carries it, also with layers inside")
  func idle() async {
    let issues = Issues()
    await opener(drain: aLongTime, issues).run {
      await withLayer { _ in
      } operation: {
        await Task.yield()
      }
      let layer = Resolver.push { _ in }
      Resolver.pop(layer)
    }
    #expect(issues.all.isEmpty)
  }

  // MARK: Leaks

  @Test("lets a test find doubles and kept instances that outlive it, with who asked for them")
  func leaks() async {
    final class Cashier {
      let mailer: any Mailer
      var itself: Cashier?
      init(mailer: any Mailer) { self.mailer = mailer }
    }
    let issues = Issues()
    let line: UInt = #line + 4
    weak var leaked: Cashier?
    await opener(drain: aLongTime, issues, checksLeaks: true).run {
      shop.register { FakePayments() as any Payments }
      shop.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      shop.register { r in Cashier(mailer: r.resolve()) }
      let cashier = shop.resolve(Cashier.self)
      cashier.itself = cashier
      leaked = cashier
      await Task.yield()
    }
    let text = """
      A double of `any Payments` is still alive after its sandbox.

        requested:  DITestingTests/DrainTests.swift:\(line)
        asked by:   `any Mailer`
        sandbox:    lets a test find doubles and kept instances that outlive it, with who asked \
      for them, at DITestingTests/DrainTests.swift:30

      To fix this:
        - Look for a reference cycle, or for work that was started and not awaited.
        - Let go of what the test holds in static or global variables.
      """
    #expect(issues.all.map(\.text).first { $0.contains("any Payments` is") } == text)
    #expect(issues.all.count == 3)
    #expect(Set(issues.all.map(\.severity)) == [.error])
    leaked?.itself = nil
  }

  @Test("finds leaks also of instances that remember a scope inside it")
  func leaksInside() async {
    final class Cashier {
      let context = ResolutionContext.current
    }
    let issues = Issues()
    let cashier = await opener(drain: .seconds(1), issues, checksLeaks: true).run {
      await Task.yield()
      shop.register { Cashier() }
      return Unchecked(withRecorder(ResolutionRecorder()) { shop.resolve(Cashier.self) })
    }
    #expect(
      issues.all.map(\.headline) == ["A double of `Cashier` is still alive after its sandbox."])
    withExtendedLifetime(cashier.value) {}
  }

  @Test("does not take a double that its factory captured for a leak")
  func captured() async {
    let issues = Issues()
    await opener(drain: aLongTime, issues, checksLeaks: true).run {
      let spy = SpyMailer()
      shop.register { spy as any Mailer }
      #expect(shop.resolve((any Mailer).self) === spy)
      await Task.yield()
    }
    #expect(issues.all.isEmpty)
  }

  @Test("does not take for a leak what a fallback's double holds, or the calls of doubles hold")
  func heldByItsDoubles() async {
    let issues = Issues()
    let doubles = SolitaryDoubles([TrolleyDouble.self], real: [])
    var policy = doubles.policy()
    policy.leakWatch = InstanceLog()
    policy.fallbacks.append(
      Fallback { [shop] key in
        key.type == (any Mailer).self
          ? LiveMailer(payments: shop.resolve((any Payments).self)) as any Mailer : nil
      })
    var opener = ScopeOpener(
      .sandbox, policy: policy, name: "checkout", location: CodeLocation(line: 30),
      report: issues.handler)
    opener.drain = aLongTime
    doubles.attach(to: opener.frame)
    await opener.run {
      shop.register { FakePayments() as any Payments }
      shop.register { Basket() }
      shop.register(name: "static") { Basket() }
      _ = shop.resolve((any Mailer).self)
      let trolley = shop.resolve((any Trolley).self)
      trolley.put(shop.resolve(Basket.self))
      TrolleyDouble.count.call(shop.resolve(Basket.self, name: "static"))
      await Task.yield()
    }
    #expect(issues.all.map(\.text) == [])
  }

  @Test("does not take for a leak what passes itself to its double")
  func passesItself() async {
    final class Cart {
      let trolley: any ItemTrolley
      init(_ trolley: any ItemTrolley) {
        self.trolley = trolley
        trolley.put(self)
      }
    }
    let issues = Issues()
    await opener(drain: aLongTime, issues, checksLeaks: true).run {
      double(ItemTrolleyDouble())
      Resolver.register { r in Cart(r.resolve()) }.scope(.cached)
      _ = Resolver.resolve(Cart.self)
      await Task.yield()
    }
    #expect(issues.all.map(\.text) == [])
  }

  @Test("looks for no leaks while work that carries it is going on, and says so")
  func carried() async {
    let issues = Issues()
    let isOver = Flag()
    let task = await opener(drain: .milliseconds(1), issues, checksLeaks: true).run {
      shop.register { FakePayments() as any Payments }
      _ = shop.resolve((any Payments).self)
      await Task.yield()
      return Task { await isOver.wait() }
    }
    #expect(issues.all.count == 2)
    #expect(
      issues.all.last?.text == """
        Leaks were not looked for: work that carries the sandbox is still going on.

          sandbox:  looks for no leaks while work that carries it is going on, and says so, at \
        DITestingTests/DrainTests.swift:30

        To fix this:
          - Let the test await the work that it starts.
          - Or let the sandbox wait for it: `.sandbox(drain: .seconds(1), checksLeaks: true)`.
        """)
    isOver.set()
    await task.value
  }
}

private protocol Trolley {
  func put(_ basket: Basket)
  static func count(_ basket: Basket)
}

private final class TrolleyDouble: Trolley, TestDouble {
  static func asDoubled(_ double: TrolleyDouble) -> any Trolley { double }

  let put = Stub<Basket, Void, Never>("Trolley.put(_:)")
  func put(_ basket: Basket) { put.call(basket) }

  static var count: Stub<Basket, Void, Never> { .shared("Trolley.count(_:)", of: Self.self) }
  static func count(_ basket: Basket) { count.call(basket) }
}

private protocol ItemTrolley {
  func put(_ item: AnyObject)
}

private final class ItemTrolleyDouble: ItemTrolley, TestDouble {
  static func asDoubled(_ double: ItemTrolleyDouble) -> any ItemTrolley { double }

  let put = Stub<AnyObject, Void, Never>("ItemTrolley.put(_:)")
  func put(_ item: AnyObject) { put.call(item) }
}
