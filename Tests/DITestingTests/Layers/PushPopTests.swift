@testable import DITesting
import TestSupport
import Testing

@Suite("Pushed layers")
struct PushPopTests {
  let shop = makeShop()

  @Test("stack, and come off in reverse order, with the caches below as they were")
  func stack() {
    withSandbox {
      Resolver.root = shop
      let live = Resolver.resolve((any Payments).self)
      let first = Resolver.push {
        $0.register { FakePayments("first") as any Payments }.scope(.cached)
      }
      let kept = Resolver.resolve((any Payments).self)
      let second = Resolver.push { $0.register { FakePayments("second") as any Payments } }
      #expect(currentLabel() == "second")
      Resolver.pop(second)
      #expect(Resolver.resolve((any Payments).self) === kept)
      Resolver.pop(first)
      #expect(Resolver.resolve((any Payments).self) === live)
    }
  }

  @Test("take what configures them by its name, as the other forms do")
  func preset() {
    let preset = { (doubles: Resolver) in
      _ = doubles.register { FakePayments("preset") as any Payments }
    }
    withSandbox(preset) { #expect(currentLabel() == "preset") }
    withSandbox {
      Resolver.root = shop
      withLayer(preset) { #expect(currentLabel() == "preset") }
      let layer = Resolver.push(preset)
      #expect(currentLabel() == "preset")
      Resolver.pop(layer)
    }
  }

  @Test("are seen by the child tasks of their scope, those that run already included")
  func childTasks() async {
    await withSandbox {
      Resolver.root = shop
      let (stream, go) = AsyncStream<Void>.makeStream()
      async let child = { () async -> String in
        for await _ in stream { break }
        return currentLabel()
      }()
      let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
      go.yield()
      #expect(await child == "fake")
      Resolver.pop(layer)
    }
  }

  @Test("are seen by a context that was taken under an earlier one, as by child tasks")
  func carried() async {
    await withSandbox {
      Resolver.root = shop
      let first = Resolver.push { $0.register { FakePayments("first") as any Payments } }
      let context = ResolutionContext.current
      let carriedLabel = { @Sendable in
        await Task.detached { context.run { currentLabel() } }.value
      }
      #expect(await carriedLabel() == "first")
      let second = Resolver.push { $0.register { FakePayments("second") as any Payments } }
      #expect(await carriedLabel() == "second")
      Resolver.pop(second)
      Resolver.pop(first)
      #expect(await carriedLabel() == "live")
    }
  }

  @Test("can be pushed by a child task, and popped by another")
  func pushedByChildTask() async {
    await withSandbox {
      Resolver.root = shop
      async let pushed = Resolver.push { $0.register { FakePayments() as any Payments } }
      let layer = await pushed
      #expect(currentLabel() == "fake")
      async let popped: Void = Resolver.pop(layer)
      await popped
      #expect(currentLabel() == "live")
    }
  }

  @Test("are all on where tasks of one scope push at once")
  func pushedAtOnce() {
    withSandbox {
      let context = ResolutionContext.current
      let names: [Resolver.Name] = ["first", "second"]
      let lost = Counter()
      for _ in 0..<(isUnderThreadSanitizer ? 300 : 2_000) {
        let pushed = Lock<[Layer]>([])
        onThreads(2) { thread in
          context.run {
            let layer = Resolver.push { $0.register(name: names[thread]) { thread } }
            pushed.withLock { $0.append(layer) }
          }
        }
        for name in names where Resolver.optional(Int.self, name: name) == nil { lost.increment() }
        let layers = pushed.withLock { $0 }
          .sorted { $0.frame!.number > $1.frame!.number }
        for layer in layers { Resolver.pop(layer) }
      }
      #expect(lost.value == 0)
    }
  }

  @Test("take more doubles through their container")
  func container() {
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { _ in }
      layer.container.register { FakePayments() as any Payments }
      #expect(currentLabel() == "fake")
      Resolver.pop(layer)
    }
  }

  @Test("made by hand above main: its own registrations win, the rest is found below")
  func madeByHand() {
    withSandbox {
      Resolver.main.register { LivePayments() as any Payments }
      Resolver.main.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
      let mock = Resolver(child: .main)
      mock.register { FakePayments() as any Payments }
      let layer = Resolver.push(mock)
      #expect(Resolver.root === Resolver.main)
      #expect(currentLabel() == "fake")
      #expect(Resolver.main.resolve((any Mailer).self).payments.label == "fake")
      Resolver.pop(layer)
      #expect(Resolver.main.resolve((any Mailer).self).payments.label == "live")
    }
  }

  @Test("with children of their own hand out what these register")
  func ownChildren() {
    let child = Resolver()
    child.register { Basket() }
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push(Resolver(child: child))
      #expect(Resolver.optional(Basket.self) != nil)
      #expect(shop.optional(Basket.self) != nil)
      Resolver.pop(layer)
      #expect(Resolver.optional(Basket.self) == nil)
    }
  }

  @Test("may be popped with a context that was taken while they were on top")
  func poppedWithItsContext() async {
    await withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments("pushed") as any Payments } }
      #expect(currentLabel() == "pushed")
      let context = ResolutionContext.current
      await Task.detached { context.run { Resolver.pop(layer) } }.value
      #expect(currentLabel() == "live")
    }
  }

  @Test("do not change what an assignment of the root changes")
  func rootInBetween() {
    let other = Resolver(child: shop)
    withSandbox {
      Resolver.root = shop
      let layer = Resolver.push { $0.register { FakePayments() as any Payments } }
      Resolver.root = other
      #expect(Resolver.root === other)
      #expect(currentLabel() == "fake")
      Resolver.pop(layer)
      #expect(Resolver.root === other)
    }
  }

  @Test("do not take a scope's reset away from the caches that they bring")
  func resetInBetween() {
    withSandbox {
      Resolver.root = shop
      let below = Resolver.resolve((any Payments).self)
      let layer = Resolver.push { _ in }
      let above = Resolver.resolve((any Payments).self)
      Scope.cached.reset()
      #expect(Resolver.resolve((any Payments).self) !== above)
      Resolver.pop(layer)
      #expect(Resolver.resolve((any Payments).self) === below)
    }
  }

  @Test("rethrow what configure throws, and are not pushed then")
  func throwing() {
    withSandbox {
      Resolver.root = shop
      #expect(throws: OutOfStock.self) {
        _ = try Resolver.push { _ in throw OutOfStock() }
      }
      #expect(currentLabel() == "live")
    }
  }
}

/// A shop that keeps its payments, as base state.
func makeShop() -> Resolver {
  Resolver { r in
    r.register { LivePayments() as any Payments }.scope(.cached)
    r.register { r in LiveMailer(payments: r.resolve()) as any Mailer }
  }
}
