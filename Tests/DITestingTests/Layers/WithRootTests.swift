import DITesting
import Testing

@Suite("withRoot")
struct WithRootTests {
  let live = Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }

  func mock(_ label: String = "mock") -> Resolver {
    let mock = Resolver(child: live)
    mock.register { FakePayments(label) as any Payments }
    return mock
  }

  @Test("replaces the root for what is asked statically, and puts it back")
  func replaces() {
    let before = Resolver.root
    let mock = mock()
    withRoot(mock) {
      #expect(Resolver.root === mock)
      #expect(Container.shared === mock)
      #expect(currentLabel() == "mock")
      #expect(Resolver.optional((any Payments).self)?.label == "mock")
      #expect(Resolver.resolve((any Mailer).self).payments.label == "mock")
    }
    #expect(Resolver.root === before)
  }

  @Test("is followed by property wrappers and by Resolving")
  func wrappers() {
    final class Checkout: Resolving {
      @Injected var payments: any Payments
      @LazyInjected var mailer: any Mailer
      @OptionalInjected var basket: Basket?
      var resolved: any Payments { resolver.resolve() }
    }
    withRoot(mock()) {
      let checkout = Checkout()
      #expect(checkout.payments.label == "mock")
      #expect(checkout.mailer.payments.label == "mock")
      #expect(checkout.basket == nil)
      #expect(checkout.resolved.label == "mock")
    }
  }

  @Test("returns what the operation returns, and throws what it throws")
  func throwing() async {
    let before = Resolver.root
    #expect(withRoot(mock()) { currentLabel() } == "mock")
    #expect(throws: OutOfStock.self) { try withRoot(mock()) { throw OutOfStock() } }
    #expect(Resolver.root === before)
    await #expect(throws: OutOfStock.self) {
      try await withRoot(mock()) {
        await Task.yield()
        throw OutOfStock()
      }
    }
    #expect(Resolver.root === before)
  }

  @Test("nests: the innermost wins, and each is put back in turn")
  func nests() {
    withRoot(mock("outer")) {
      withRoot(mock("inner")) { #expect(currentLabel() == "inner") }
      #expect(currentLabel() == "outer")
    }
  }

  @Test("reaches child tasks and task groups, across awaits")
  func childTasks() async {
    await withRoot(mock()) {
      async let child = currentLabel()
      let labels = await withTaskGroup(of: String.self) { group in
        for _ in 0..<8 {
          group.addTask {
            await Task.yield()
            return currentLabel()
          }
        }
        return await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(labels == ["mock"])
      #expect(await child == "mock")
    }
  }

  @MainActor @Test("runs on the caller's actor, with what is not Sendable")
  func onTheMainActor() async {
    let spy = SpyMailer()
    let mock = mock()
    mock.register { spy as any Mailer }
    var steps: [String] = []
    await withRoot(mock) {
      MainActor.assertIsolated()
      steps.append("before")
      await Task.yield()
      MainActor.assertIsolated()
      spy.send("hello")
      steps.append(Resolver.resolve((any Mailer).self) === spy ? "spy" : "other")
    }
    withRoot(mock) { steps.append("sync") }
    #expect(steps == ["before", "spy", "sync"])
    #expect(spy.sent == ["hello"])
  }

  @Test("leaves containers that are asked themselves alone")
  func otherContainers() {
    withRoot(mock()) { #expect(live.resolve((any Payments).self).label == "live") }
  }

  @Test("keeps an assignment of the root to its scope, child tasks included")
  func assignment() async {
    let before = Resolver.root
    let (first, second) = (mock("first"), mock("second"))
    await withRoot(first) {
      Resolver.root = second
      #expect(Resolver.root === second)
      #expect(await Task { currentLabel() }.value == "second")
      async let assigned: Void = { Resolver.root = first }()
      await assigned
      #expect(currentLabel() == "first")
    }
    #expect(Resolver.root === before)
  }

  @Test("brings empty caches, which die with it")
  func caches() {
    let outside = live.resolve((any Payments).self)
    let inside = withRoot(live) { () -> any Payments in
      let inside = Resolver.resolve((any Payments).self)
      #expect(Resolver.resolve((any Payments).self) === inside)
      #expect(withRoot(live) { Resolver.resolve((any Payments).self) } !== inside)
      return inside
    }
    #expect(inside !== outside)
    #expect(live.resolve((any Payments).self) === outside)
  }

  @Test("makes what its container owns a double, and leaves what it nests live")
  func doubles() {
    let recorder = ResolutionRecorder()
    let base = Resolver(child: live) { $0.register { FakePayments() as any Payments } }
    for mock in [mock(), base] {
      recorder.clear()
      withRecorder(recorder) {
        withRoot(mock) { _ = Resolver.resolve((any Mailer).self) }
        withSandbox { withRoot(mock) { _ = Resolver.resolve((any Mailer).self) } }
      }
      let doubles = recorder.events.filter(\.isRequest).map(\.isDouble)
      #expect(doubles == [false, true, false, true])
    }
  }
}
