@testable import DITesting
import Dispatch
import Foundation
import Testing
import TestSupport

private final class CashDrawer: Sendable {
  let label: String
  init(_ label: String) { self.label = label }
}

/// A shop whose cash drawer is kept, and resolves its payments once it may go on.
private struct Boutique: @unchecked Sendable {
  // Sendable: its streams are each waited for by one task at a time.
  let resolver = Resolver { $0.register { LivePayments() as any Payments } }
  private let begun = AsyncStream<Void>.makeStream()
  private let gate = AsyncStream<Void>.makeStream()

  init() {
    resolver.registerAsync { [begun, gate] (r: Resolver) async throws -> CashDrawer in
      begun.continuation.finish()
      for await _ in gate.stream {}
      return CashDrawer(try r.require((any Payments).self).label)
    }.scope(.cached)
  }

  /// Begins to build the drawer, and returns once its factory runs.
  func begin() async -> Task<CashDrawer, any Error> {
    let task = Task { [resolver] in try await resolver.requireAsync(CashDrawer.self) }
    for await _ in begun.stream {}
    return task
  }

  func goOn() { gate.continuation.finish() }
}

private func pushFake() -> Layer {
  Resolver.push { $0.register { FakePayments() as any Payments } }
}

@Suite("A layer that is pushed while an instance is built")
struct PushWhileBuildingTests {
  @Test("leaves no instance made of its doubles in the enclosing sandbox")
  func async() async throws {
    let shop = Boutique()
    try await withSandbox { () async throws -> Void in
      Resolver.root = shop.resolver
      let drawer = await shop.begin()
      let layer = pushFake()
      shop.goOn()
      let first = try await drawer.value
      #expect(first.label == "fake")
      Resolver.pop(layer)
      let second = try await Resolver.root.requireAsync(CashDrawer.self)
      #expect(second.label == "live")
      #expect(try await Resolver.root.requireAsync(CashDrawer.self) === second)
    }
  }

  @Test("leaves no such instance either if it is popped before that, nor shares it then")
  func popped() async throws {
    try await withSandbox { () async throws -> Void in
      let shop = Resolver { $0.register { LivePayments() as any Payments } }
      let (begun, begin) = AsyncStream<Void>.makeStream()
      let (hasLayer, pushed) = AsyncStream<Void>.makeStream()
      let (hasPayments, found) = AsyncStream<Void>.makeStream()
      let (isPopped, popped) = AsyncStream<Void>.makeStream()
      let runs = Counter()
      Resolver.root = shop
      shop.registerAsync { (r: Resolver) async throws -> CashDrawer in
        let isFirst = runs.increment() == 1
        begin.finish()
        for await _ in hasLayer {}
        let payments = try r.require((any Payments).self).label
        guard isFirst else { return CashDrawer(payments) }
        found.finish()
        for await _ in isPopped {}
        return CashDrawer(payments)
      }.scope(.cached)
      let drawer = Task { [shop] in try await shop.requireAsync(CashDrawer.self) }
      for await _ in begun {}
      let layer = pushFake()
      pushed.finish()
      for await _ in hasPayments {}
      Resolver.pop(layer)
      let second = try await shop.requireAsync(CashDrawer.self)
      #expect(second.label == "live")
      popped.finish()
      #expect(try await drawer.value.label == "fake")
      #expect(try await shop.requireAsync(CashDrawer.self) === second)
    }
  }

  @Test("leaves no such instance that a thread builds")
  func thread() async {
    let shop = Resolver { $0.register { LivePayments() as any Payments } }
    let hasBegun = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    let label = Lock("")
    shop.register { (r: Resolver) -> CashDrawer in
      hasBegun.signal()
      mayGoOn.wait()
      return CashDrawer(r.resolve((any Payments).self).label)
    }.scope(.cached)
    withSandbox {
      Resolver.root = shop
      let context = ResolutionContext.current
      Thread { [shop = Unchecked(shop)] in
        let drawer = context.run { shop.value.resolve(CashDrawer.self) }
        label.withLock { $0 = drawer.label }
        hasEnded.signal()
      }.start()
      hasBegun.wait()
      let layer = pushFake()
      mayGoOn.signal()
      hasEnded.wait()
      #expect(label.withLock { $0 } == "fake")
      Resolver.pop(layer)
      mayGoOn.signal()
      #expect(shop.resolve(CashDrawer.self).label == "live")
    }
  }

  @Test("outside every scope, leaves no such instance in the process")
  func processWide() async {
    await #expect(processExitsWith: .success) {
      let shop = Boutique()
      let drawer = await shop.begin()
      Resolver.root = shop.resolver
      let layer = pushFake()
      shop.goOn()
      #expect((try? await drawer.value.label) == "fake")
      Resolver.pop(layer)
      #expect((try? await shop.resolver.requireAsync(CashDrawer.self).label) == "live")
    }
  }

  @Test("leaves an instance that is built in a scope which covers it")
  func covered() async throws {
    let shop = Boutique()
    try await withSandbox { () async throws -> Void in
      Resolver.root = shop.resolver
      let (hasBegun, begun) = AsyncStream<Void>.makeStream()
      let (isPopped, popped) = AsyncStream<Void>.makeStream()
      let inside = Task {
        try await withSandbox { () async throws -> Bool in
          let drawer = await shop.begin()
          begun.finish()
          for await _ in isPopped {}
          shop.goOn()
          let first = try await drawer.value
          return try await shop.resolver.requireAsync(CashDrawer.self) === first
        }
      }
      for await _ in hasBegun {}
      Resolver.pop(pushFake())
      popped.finish()
      #expect(try await inside.value)
    }
  }
}

@Suite("A sandbox that adopts work whose instance is being built")
struct AdoptWhileBuildingTests {
  @Test("leaves no instance made of its doubles in the process")
  func adopted() async {
    await #expect(processExitsWith: .success) {
      await collecting { _, _ in
        let shop = Boutique()
        let drawer = await shop.begin()
        await sandbox("checkout", .adopt) {
          shop.resolver.register { FakePayments() as any Payments }
          shop.goOn()
          #expect((try? await drawer.value.label) == "fake")
        }
        #expect((try? await shop.resolver.requireAsync(CashDrawer.self).label) == "live")
      }
    }
  }
}
