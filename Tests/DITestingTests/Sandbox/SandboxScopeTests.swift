import DITesting
import Testing

@Suite("withSandbox")
struct SandboxScopeTests {
  let shop = Resolver { $0.register { LivePayments() as any Payments }.scope(.cached) }

  @Test("hands out its view of the root, and what is registered later wins")
  func configure() {
    withRoot(shop) {
      withSandbox { root in
        #expect(root === shop)
        root.register { FakePayments("configured") as any Payments }
      } operation: {
        #expect(currentLabel() == "configured")
        withSandbox {
          shop.register { FakePayments("later") as any Payments }
          #expect(currentLabel() == "later")
        }
        #expect(currentLabel() == "configured")
      }
      #expect(currentLabel() == "live")
    }
  }

  @Test("sees what is said inside of a registration that was made outside, and nobody else does")
  func optionsFromOutside() {
    let options = shop.register { Basket() }.scope(.unique)
    withSandbox {
      options.scope(.cached).implements((any Sendable).self)
      #expect(shop.resolve(Basket.self) === shop.resolve(Basket.self))
      #expect(shop.optional((any Sendable).self) != nil)
      let inner = shop.register { LivePayments() as any Payments }.scope(.unique)
      withSandbox {
        inner.scope(.cached)
        #expect(shop.resolve((any Payments).self) === shop.resolve((any Payments).self))
      }
      #expect(shop.resolve((any Payments).self) !== shop.resolve((any Payments).self))
    }
    #expect(shop.resolve(Basket.self) !== shop.resolve(Basket.self))
    #expect(shop.optional((any Sendable).self) == nil)
  }

  @Test(
    "keeps what is said later, and outside, of a registration that was made inside",
    .withoutWarnings)
  func optionsFromInside() {
    var options: ResolverOptions<Basket>?
    withSandbox { options = shop.register { Basket() } }
    options?.scope(.cached)
    #expect(shop.optional(Basket.self) == nil)
  }

  @Test("does not bring back what was replaced or removed outside")
  func optionsOfReplaced() {
    let replaced = shop.register { Basket() }
    let present = Basket()
    shop.register { present }
    withSandbox {
      replaced.scope(.cached)
      #expect(shop.resolve(Basket.self) === present)
    }
    let removed = shop.register(name: "removed") { Basket() }
    shop.remove(Basket.self, name: "removed")
    withSandbox {
      removed.scope(.cached)
      #expect(shop.optional(Basket.self, name: "removed") == nil)
    }
  }

  @Test("does not bring back what was reset, when something else is said of it", .withoutWarnings)
  func optionsOfReset() {
    func isBack() -> Bool {
      Resolver.main.optional(Basket.self) != nil
        || Resolver.main.optional((any Sendable).self) != nil
    }
    withSandbox {
      let options = Resolver.main.register { Basket() }.scope(.unique)
      Resolver.reset()
      options.scope(.cached).implements((any Sendable).self)
      #expect(!isBack())
      withSandbox {
        options.scope(.cached).implements((any Sendable).self)
        #expect(!isBack())
      }
      let present = Basket()
      Resolver.main.register { present as any Sendable }
      options.implements((any Sendable).self)
      #expect(Resolver.main.resolve((any Sendable).self) as? Basket === present)
    }
  }

  @Test("does not bring back what was removed or popped", .withoutWarnings)
  func optionsOfRemoved() {
    func check() {
      let removed = shop.register { Basket() }
      shop.remove(Basket.self)
      removed.scope(.cached).implements((any Sendable).self)
      #expect(shop.optional(Basket.self) == nil)
      #expect(shop.registrations.allSatisfy { $0.key.type != (any Sendable).self })
      shop.manager.push()
      let popped = shop.register(name: "popped") { Basket() }
      shop.manager.pop()
      popped.scope(.cached).implements((any Sendable).self, name: "popped")
      #expect(shop.optional(Basket.self, name: "popped") == nil)
      #expect(shop.registrations.allSatisfy { $0.key.type != (any Sendable).self })
    }
    check()
    withSandbox { check() }
  }

  @Test("returns what the operation returns, sync and async")
  func returns() async {
    #expect(withSandbox { 1 } == 1)
    #expect(
      withSandbox { _ in
      } operation: {
        2
      } == 2)
    let third = await withSandbox {
      await Task.yield()
      return 3
    }
    #expect(third == 3)
    let fourth = await withSandbox { root in
      await Task.yield()
      root.register { Basket() }
    } operation: {
      await Task.yield()
      return Resolver.optional(Basket.self) == nil ? 0 : 4
    }
    #expect(fourth == 4)
  }

  @Test("throws what configure and the operation throw, and is closed then")
  func throwing() async {
    #expect(throws: OutOfStock.self) {
      try withSandbox {
        shop.register { FakePayments() as any Payments }
        _ = shop.resolve((any Payments).self)
        throw OutOfStock()
      }
    }
    #expect(shop.resolve((any Payments).self).label == "live")
    #expect(throws: OutOfStock.self) {
      try withSandbox { _ in
        throw OutOfStock()
      } operation: {
      }
    }
    await #expect(throws: OutOfStock.self) {
      try await withSandbox {
        await Task.yield()
        throw OutOfStock()
      }
    }
    await #expect(throws: OutOfStock.self) {
      try await withSandbox { _ in
        await Task.yield()
        throw OutOfStock()
      } operation: {
        await Task.yield()
      }
    }
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @Test("throws with the operation's own type of error through a task's cancellation")
  func cancellation() async {
    let (isOpen, opened) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await withSandbox {
        shop.register { FakePayments() as any Payments }
        _ = shop.resolve((any Payments).self)
        opened.finish()
        // Ends for cancelled tasks only.
        for await _ in AsyncStream<Void>.makeStream().stream {}
        try Task.checkCancellation()
      }
    }
    for await _ in isOpen {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(shop.resolve((any Payments).self).label == "live")
  }

  @MainActor @Test("runs on the caller's actor, with captures that are not Sendable")
  func isolation() async {
    let spy = SpyMailer()
    var order: [String] = []
    await withSandbox { root in
      MainActor.assertIsolated()
      order.append("configure")
      root.register { spy as any Mailer }
    } operation: {
      MainActor.assertIsolated()
      order.append("operation")
      await Task.yield()
      (Resolver.resolve((any Mailer).self) as? SpyMailer)?.send("hello")
    }
    #expect(order == ["configure", "operation"])
    #expect(spy.sent == ["hello"])
  }

  actor Clerk {
    var sales = 0
    func sell() async -> String {
      await withSandbox { root in
        root.register { FakePayments("clerk") as any Payments }
      } operation: {
        sales += 1
        await Task.yield()
        sales += 1
        return currentLabel()
      }
    }
  }

  @Test("runs on an actor of the user's own")
  func actors() async {
    let clerk = Clerk()
    #expect(await clerk.sell() == "clerk")
    #expect(await clerk.sales == 2)
  }

  @Test("reaches child tasks, groups and unstructured tasks, but not what another task opened")
  func tasks() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<20 {
        group.addTask {
          await withSandbox {
            shop.register { FakePayments("\(number)") as any Payments }
            async let child = shop.resolve((any Payments).self).label
            let task = Task { shop.resolve((any Payments).self).label }
            await Task.yield()
            return await [child, task.value] == ["\(number)", "\(number)"]
          }
        }
      }
      for await isOwn in group { #expect(isOwn) }
    }
  }

  @Test("is shared by the child tasks that register in it")
  func registeringChildTask() async {
    await withSandbox {
      async let registered: Void = { _ = shop.register { FakePayments() as any Payments } }()
      await registered
      #expect(shop.resolve((any Payments).self).label == "fake")
    }
  }

  @Test("inherits registrations from the one outside, but not what is kept there")
  func nested() {
    withSandbox {
      shop.register { FakePayments("outer") as any Payments }.scope(.cached)
      let outer = shop.resolve((any Payments).self)
      withSandbox {
        let inner = shop.resolve((any Payments).self)
        #expect(inner.label == "outer" && inner !== outer)
        #expect(shop.resolve((any Payments).self) === inner)
      }
      withSandbox {
        shop.register { FakePayments("inner") as any Payments }
        #expect(shop.resolve((any Payments).self).label == "inner")
      }
      #expect(shop.resolve((any Payments).self) === outer)
    }
  }

  @Test("keeps its instances when work outside resets a scope of the process")
  func resetOutside() async throws {
    let till = Scope.cache("till")
    shop.register { Basket() }.scope(till)
    shop.registerAsync(Basket.self, name: "async") { Basket() }.scope(till)
    func keeps() async throws {
      let one = shop.resolve(Basket.self)
      let other = try await shop.requireAsync(Basket.self, name: "async")
      await Task.detached { till.reset() }.value
      #expect(shop.resolve(Basket.self) === one)
      #expect(try await shop.requireAsync(Basket.self, name: "async") === other)
    }
    try await withSandbox { try await keeps() }
    try await withRoot(shop) { try await keeps() }
    try await withLayer { _ in
    } operation: {
      try await keeps()
    }
    let live = shop.resolve(Basket.self)
    await Task.detached { till.reset() }.value
    #expect(shop.resolve(Basket.self) !== live)
  }

  @Test("lets go of what it keeps when the scope is reset inside")
  func resetInside() {
    let till = Scope.cache("till")
    shop.register { Basket() }.scope(till)
    let live = shop.resolve(Basket.self)
    withSandbox {
      let one = shop.resolve(Basket.self)
      till.reset()
      #expect(shop.resolve(Basket.self) !== one)
    }
    #expect(shop.resolve(Basket.self) === live)
  }

  @Test("does not change who answers where a scoped root lies in a layer: the innermost")
  func rootInLayer() {
    func check() {
      withLayer {
        $0.register { FakePayments("layer") as any Payments }
      } operation: {
        let root = Resolver(child: shop)
        root.register { FakePayments("root") as any Payments }
        withRoot(root) {
          #expect(currentLabel() == "root")
          Resolver.root.register { FakePayments("later") as any Payments }
          #expect(currentLabel() == "later")
          root.remove((any Payments).self)
          #expect(currentLabel() == "layer")
        }
        #expect(currentLabel() == "layer")
      }
    }
    check()
    withSandbox { check() }
    withSandbox { withSandbox { check() } }
  }

  @Test("lets go of what other containers keep in it for a registration that goes")
  func goneForOthers() {
    let front = Resolver(child: shop)
    shop.register { Basket() }.scope(.container)
    withSandbox {
      weak var kept: Basket?
      for _ in 1...2 {
        kept = front.resolve(Basket.self)
        #expect(kept != nil)
        shop.register { Basket() }.scope(.container)
        #expect(kept == nil)
      }
      kept = front.resolve(Basket.self)
      shop.remove(Basket.self)
      #expect(kept == nil)
    }
    withRoot(front) {
      weak var kept: Basket?
      kept = front.resolve(Basket.self)
      #expect(kept != nil)
      shop.remove(Basket.self)
      #expect(kept == nil)
    }
  }

  @Test("names an async factory in the chain of a request in a sandbox that the factory opens")
  func asyncChain() async throws {
    let shop = Resolver()
    await withSandbox {
      shop.registerAsync { () async throws -> Basket in
        try withSandbox { _ = try shop.require((any Payments).self) }
        return Basket()
      }
      let error = await #expect(throws: ResolutionError.self) {
        try await shop.requireAsync(Basket.self)
      }
      #expect(error?.description.contains("chain:      Basket → any Payments\n") ?? false)
    }
  }
}
