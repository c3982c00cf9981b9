import DIContainer
import Testing

private final class Clock: Sendable {}

/// What is made before its clock is.
private final class Dial: Sendable {
  private let lazy: LazyInjected<Clock>

  init(lazy: LazyInjected<Clock>) { self.lazy = lazy }

  var isIdle: Bool { lazy.isEmpty }
  var clock: Clock { lazy.wrappedValue }
}

private final class WeakDial: Sendable {
  private let lazy: WeakLazyInjected<Clock>

  init(lazy: WeakLazyInjected<Clock>) { self.lazy = lazy }

  var isIdle: Bool { lazy.isEmpty }
  var clock: Clock? { lazy.wrappedValue }
}

@Suite("Isolation: parameters that are asked for later")
struct IsolationLazyTests {
  /// A container, and what it has to answer.
  private func shop() -> (resolver: Resolver, clock: Clock) {
    let clock = Clock()
    let resolver = Resolver()
    resolver.register { clock }
    return (resolver, clock)
  }

  @MainActor
  @Test("A main-actor initialiser gets a lazy wrapper, which asks the container on first use")
  func mainLazy() throws {
    let (resolver, clock) = shop()
    resolver.registerMain(Dial.init)
    try resolver.validate()
    let dial = try resolver.require(Dial.self)
    #expect(dial.isIdle)
    #expect(dial.clock === clock)
  }

  @MainActor
  @Test("A main-actor initialiser gets a weak lazy wrapper, which asks the container on first use")
  func mainWeakLazy() throws {
    let (resolver, clock) = shop()
    resolver.registerMain(WeakDial.init)
    try resolver.validate()
    let dial = try resolver.require(WeakDial.self)
    #expect(dial.isIdle)
    #expect(dial.clock === clock)
  }

  @Test("An async initialiser gets a lazy wrapper, which asks the container on first use")
  func asyncLazy() async throws {
    let (resolver, clock) = shop()
    resolver.registerAsync(Dial.init)
    try resolver.validate()
    let dial = try await resolver.requireAsync(Dial.self)
    #expect(dial.isIdle)
    #expect(dial.clock === clock)
  }

  @Test("An async initialiser gets a weak lazy wrapper, which asks the container on first use")
  func asyncWeakLazy() async throws {
    let (resolver, clock) = shop()
    resolver.registerAsync(WeakDial.init)
    try resolver.validate()
    let dial = try await resolver.requireAsync(WeakDial.self)
    #expect(dial.isIdle)
    #expect(dial.clock === clock)
  }
}
