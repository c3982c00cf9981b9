import DIContainer
import DITesting
import TestSupport
import Testing

private struct Label: Sendable {
  let number: Int
}

private final class Scale: Sendable {}
private final class Grinder: Sendable {}
private final class Till: Sendable {
  let scale: Scale
  init(scale: Scale) { self.scale = scale }
}

/// The scales of a shop, from several requests of one object graph.
private struct Scales: Sendable {
  let all: [Scale]
}

private final class LabelPrinter: SharedContainer {
  static let shared = LabelPrinter()
  let manager = ContainerManager()
  let builds = Counter()
}

extension LabelPrinter {
  fileprivate var label: AsyncFactory<Label> {
    self {
      await Task.yield()
      return Label(number: self.builds.increment())
    }.graph
  }
  fileprivate var pair: AsyncFactory<[Label]> {
    self {
      [try await self.label(), try await self.label()]
    }
  }
}

/// Lets all other tasks go on for a while.
private func giveWay() async {
  for _ in 0..<100 { await Task.yield() }
}

@Suite("Isolation: the object graph of an async service")
struct IsolationGraphTests {
  private let shop = Resolver()
  private let gate = AsyncGate()

  @Test(
    "Values are each request's own, with its arguments",
    arguments: [Scope.graph, .shared, .perRun(.weak)])
  func values(scope: Scope) async throws {
    shop.registerAsync(Label.self) { [gate] _, args in
      await gate.pass()
      return Label(number: args())
    }.scope(scope)
    shop.registerAsync { [gate] r in
      async let first = r.requireAsync(Label.self, args: 1)
      await until { gate.waiterCount == 1 }
      async let second = r.requireAsync(Label.self, args: 2)
      async let third = r.requireAsync(Label.self, args: 3)
      await giveWay()
      gate.open()
      return try await [first, second, third]
    }
    #expect(try await shop.requireAsync([Label].self).map(\.number) == [1, 2, 3])
  }

  @Test("A value is made for those who waited, although the first request was cancelled")
  func valueAfterCancellation() async throws {
    shop.registerAsync(Label.self) { [gate] _, args in
      await gate.pass()
      return Label(number: args())
    }.scope(.shared)
    let first = Task { [shop] in try await shop.requireAsync(Label.self, args: 1) }
    await until { gate.waiterCount == 1 }
    let second = Task { [shop] in try await shop.requireAsync(Label.self, args: 2) }
    await giveWay()
    first.cancel()
    _ = await first.result
    gate.open()
    #expect(try await second.value.number == 2)
  }

  @Test("Each value is recorded as created")
  func recordedValues() async throws {
    shop.registerAsync { [gate] in
      await gate.pass()
      return Label(number: 1)
    }
    shop.registerAsync { [gate] r in
      async let first = r.requireAsync(Label.self)
      async let second = r.requireAsync(Label.self)
      await until { gate.waiterCount >= 1 }
      await giveWay()
      gate.open()
      return try await [first, second]
    }
    let recorder = ResolutionRecorder()
    try await withRecorder(recorder) { _ = try await shop.requireAsync([Label].self) }
    #expect(recorder.resolutions(of: Label.self).map(\.kind) == [.created, .created])
  }

  @Test("By key path, a graph shares values, too")
  func valuesByKeyPath() async throws {
    let labels = try await LabelPrinter().pair()
    #expect(labels.map(\.number) == [1, 1])
  }

  @Test("What is shared stays shared, and reaches the branches, while others are under way")
  func sharedBeforeBranches() async throws {
    let (isUnderWay, end) = (Counter(), Barrier(2))
    shop.register { Scale() }
    // On the main actor, because it blocks its thread.
    shop.registerMain { () -> Grinder in
      isUnderWay.increment()
      end.wait()
      return Grinder()
    }
    shop.register(Till.init)
    shop.registerAsync { r in
      let before = try r.require(Scale.self)
      async let grinder = r.requireAsync(Grinder.self)
      await until { isUnderWay.value == 1 }
      let till = try r.require(Till.self)
      end.wait()
      _ = try await grinder
      return Scales(all: [before, till.scale, try r.require(Scale.self)])
    }
    let scales = try await shop.requireAsync(Scales.self).all
    #expect(Set(scales.map { ObjectIdentifier($0) }).count == 1)
  }

  @Test("What branches make at the same time is shared from the end of the first one on")
  func madeByBranches() async throws {
    let (isUnderWay, end) = (Counter(), Barrier(2))
    shop.register { Scale() }
    shop.register(Till.init)
    shop.registerMain { r -> Grinder in
      _ = try r.require(Scale.self)
      isUnderWay.increment()
      end.wait()
      return Grinder()
    }
    shop.registerAsync { r in
      async let grinder = r.requireAsync(Grinder.self)
      await until { isUnderWay.value == 1 }
      let first = try r.require(Till.self).scale
      end.wait()
      _ = try await grinder
      return Scales(all: [first, try r.require(Scale.self)])
    }
    let scales = try await shop.requireAsync(Scales.self).all
    #expect(Set(scales.map { ObjectIdentifier($0) }).count == 1)
  }

  @Test(
    "A dependency is cancelled with the request that needs it, in any scope that keeps none",
    .timeLimit(.minutes(5)))
  func cancelled() async {
    for scope in [Scope.graph, .unique] {
      let (shop, gate, cancelled) = (Resolver(), AsyncGate(), AsyncGate())
      shop.registerAsync {
        await withTaskCancellationHandler {
          await gate.pass()
        } onCancel: {
          cancelled.open()
        }
        return Scale()
      }.scope(scope)
      shop.registerAsync { r in Till(scale: try await r.requireAsync()) }
      let request = Task { try await shop.requireAsync(Till.self) }
      await until { gate.waiterCount == 1 }
      request.cancel()
      await cancelled.pass()
      gate.open()
      _ = await request.result
    }
  }
}
