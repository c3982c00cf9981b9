import DIContainer
import DITesting
import TestSupport
import Testing

@MainActor
private final class ShopWindow {}

private struct NotOnline: Error, CustomStringConvertible {
  var description: String { "not online" }
}

@Suite("Isolation concurrency: one build for all who wait")
struct IsolationKeptConcurrencyTests {
  private static let scopes: [Scope] = [.cached, .shared, .application, .container, .singleton]

  @Test("1,000 concurrent awaits build a kept instance once", arguments: scopes)
  func buildsOnce(scope: Scope) async {
    let resolver = Resolver()
    let builds = Counter()
    let gate = AsyncGate()
    let options = resolver.registerAsync {
      builds.increment()
      await gate.pass()
      return RemoteTeaCatalog()
    }.scope(scope)
    let waiting = Unchecked(options)
    let catalogs = await withTaskGroup(of: RemoteTeaCatalog.self) { group in
      for _ in 0..<1000 { group.addTask { await resolver.resolveAsync() } }
      group.addTask {
        await until { waiting.value.waiterCount == 1000 }
        gate.open()
        return await resolver.resolveAsync()
      }
      var catalogs: [RemoteTeaCatalog] = []
      for await catalog in group { catalogs.append(catalog) }
      return catalogs
    }
    #expect(catalogs.count == 1001)
    #expect(builds.value == 1)
    #expect(Set(catalogs.map { ObjectIdentifier($0) }).count == 1)
  }

  @Test("A build on the main actor runs once for 200 concurrent awaits")
  func mainActor() async {
    let resolver = Resolver()
    let builds = Counter()
    resolver.registerMain {
      builds.increment()
      return ShopWindow()
    }.scope(.cached)
    let windows = await withTaskGroup(of: ShopWindow.self) { group in
      for _ in 0..<200 { group.addTask { await resolver.resolveAsync() } }
      var windows: [ShopWindow] = []
      for await window in group { windows.append(window) }
      return windows
    }
    #expect(builds.value == 1)
    #expect(Set(windows.map { ObjectIdentifier($0) }).count == 1)
  }

  @Test("A reset at the same time leaves no instance that later resets do not reach")
  func resets() async {
    let (resolver, own) = (Resolver(), Scope.cache())
    resolver.registerAsync { () async -> RemoteTeaCatalog in RemoteTeaCatalog() }.scope(own)
    for _ in 0..<2000 {
      await withTaskGroup { group in
        group.addTask { _ = await resolver.resolveAsync(RemoteTeaCatalog.self) }
        group.addTask { own.reset() }
      }
      let kept: RemoteTeaCatalog = await resolver.resolveAsync()
      own.reset()
      let next: RemoteTeaCatalog = await resolver.resolveAsync()
      #expect(next !== kept)
      own.reset()
    }
  }

  @Test("What a task builds when its scope is reset is returned to those who waited, and not kept")
  func resetBesideBuild() async {
    let (resolver, own, gate) = (Resolver(), Scope.cache(), AsyncGate())
    let options = resolver.registerAsync {
      await gate.pass()
      return RemoteTeaCatalog()
    }.scope(own)
    let waiting = Unchecked(options)
    let before = (0..<2).map { _ in Task { await resolver.resolveAsync(RemoteTeaCatalog.self) } }
    await until { waiting.value.waiterCount == 2 }
    own.reset()
    // A request that comes after the reset begins a build of its own.
    let after = Task { await resolver.resolveAsync(RemoteTeaCatalog.self) }
    await until { gate.waiterCount == 2 }
    gate.open()
    let (first, second, third) = (await before[0].value, await before[1].value, await after.value)
    #expect(first === second)
    #expect(first !== third)
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === third)
  }

  private func cancelled(_ line: UInt) -> String {
    """
    The request for `RemoteTeaCatalog` was cancelled.

      requested:  ConcurrencyTests/IsolationKeptConcurrencyTests.swift:\(line)

    To fix this:
      - Catch the error where the task may be cancelled.
    """
  }

  @Test("A waiter that is cancelled leaves the build to the others")
  func cancelledWaiter() async throws {
    let resolver = Resolver()
    let gate = AsyncGate()
    let options = Unchecked(
      resolver.registerAsync {
        await gate.pass()
        try Task.checkCancellation()
        return RemoteTeaCatalog()
      }.scope(.cached))
    let line: UInt = #line + 1
    let first = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
    await until { options.value.waiterCount == 1 }
    let second = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
    await until { options.value.waiterCount == 2 }
    first.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await first.value }
    #expect(error?.reason == .cancelled)
    #expect(error?.underlying is CancellationError)
    #expect(error?.description == cancelled(line))
    gate.open()
    let catalog = try await second.value
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === catalog)
  }

  @Test("A request that is cancelled inside a factory names the factory in its chain")
  func cancelledInFactory() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    let options = Unchecked(
      resolver.registerAsync {
        await gate.pass()
        return RemoteTeaCatalog()
      }.scope(.cached))
    resolver.registerAsync { r in [try await r.requireAsync(RemoteTeaCatalog.self)] }
    let request = Task { try await resolver.requireAsync([RemoteTeaCatalog].self) }
    await until { options.value.waiterCount == 1 }
    request.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await request.value }
    #expect(error?.reason == .cancelled)
    #expect(
      error?.chain == [ServiceKey([RemoteTeaCatalog].self), ServiceKey(RemoteTeaCatalog.self)])
    gate.open()
  }

  @Test("With all waiters cancelled, the build goes on and what it makes is kept")
  func allCancelled() async {
    let resolver = Resolver()
    let (gate, builds) = (AsyncGate(), Counter())
    let options = Unchecked(
      resolver.registerAsync {
        builds.increment()
        await gate.pass()
        return RemoteTeaCatalog(source: Task.isCancelled ? "cancelled" : "whole")
      }.scope(.cached))
    let only = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
    await until { options.value.waiterCount == 1 }
    only.cancel()
    _ = await only.result
    gate.open()
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self).source == "whole")
    #expect(builds.value == 1)
  }

  @Test("With the first who asked cancelled, a recorder says all the same who made it")
  func recordedCancelled() async throws {
    let resolver = Resolver()
    let gate = AsyncGate()
    let options = Unchecked(
      resolver.registerAsync { r in
        await gate.pass()
        return RemoteTeaCatalog(source: r.resolve(LocalTeaCatalog.self).source)
      }.scope(.cached))
    resolver.register { LocalTeaCatalog() }
    let recorder = ResolutionRecorder()
    try await withRecorder(recorder) {
      let first = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
      await until { options.value.waiterCount == 1 }
      let second = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
      await until { options.value.waiterCount == 2 }
      first.cancel()
      _ = await first.result
      gate.open()
      _ = try await second.value
    }
    let label = resolver.core.label
    #expect(
      recorder.tree == """
        RemoteTeaCatalog  — created live, cached, \(label)
          LocalTeaCatalog  — created live, graph, \(label)
        RemoteTeaCatalog  — kept live, cached, \(label)
        """)
  }

  @Test("A request that cannot throw sees the build through when its task is cancelled")
  func patient() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    let options = Unchecked(
      resolver.registerAsync {
        await gate.pass()
        try Task.checkCancellation()
        return RemoteTeaCatalog(source: "whole")
      }.scope(.cached))
    let task = Task { await resolver.resolveAsync(RemoteTeaCatalog.self) }
    await until { options.value.waiterCount == 1 }
    task.cancel()
    gate.open()
    #expect(await task.value.source == "whole")
  }

  @Test("A new instance each time is made in the task that asks, and is cancelled with it")
  func uniqueIsCancelled() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    resolver.registerAsync {
      await gate.pass()
      try Task.checkCancellation()
      return RemoteTeaCatalog()
    }.scope(.unique)
    let line: UInt = #line + 1
    let task = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
    await until { gate.waiterCount == 1 }
    task.cancel()
    gate.open()
    let error = await #expect(throws: ResolutionError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
    #expect(error?.description == cancelled(line))
    let patient = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await resolver.resolveAsync(RemoteTeaCatalog.self)
    }
    #expect(await patient.value.source == "remote")
  }

  @Test("A build that fails is not kept, fails for all who wait, and is tried again")
  func failure() async throws {
    let resolver = Resolver()
    let (gate, builds) = (AsyncGate(), Counter())
    let options = Unchecked(
      resolver.registerAsync {
        if builds.increment() > 1 { return RemoteTeaCatalog() }
        await gate.pass()
        throw NotOnline()
      }.scope(.cached))
    let tasks = (0..<10).map { _ in
      Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
    }
    await until { options.value.waiterCount == 10 }
    gate.open()
    for task in tasks {
      let error = await #expect(throws: ResolutionError.self) { try await task.value }
      #expect(error?.reason == .factoryFailed("not online"))
      #expect(error?.underlying is NotOnline)
    }
    #expect(try await resolver.requireAsync(RemoteTeaCatalog.self).source == "remote")
    #expect(builds.value == 2)
  }

  @Test("A build that fails does so with the chain and the place of each request")
  func failureOfEach() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    let options = Unchecked(
      resolver.registerAsync(factory: { () async throws -> RemoteTeaCatalog in
        await gate.pass()
        throw NotOnline()
      }).scope(.cached).implements((any TeaCatalog).self))
    resolver.registerAsync { r in [try await r.requireAsync(RemoteTeaCatalog.self)] }
    let first = Task { try await resolver.requireAsync([RemoteTeaCatalog].self) }
    await until { options.value.waiterCount == 1 }
    let line = #line + 1
    let second = Task { try await resolver.requireAsync((any TeaCatalog).self) }
    await until { options.value.waiterCount == 2 }
    gate.open()
    let firstError = await #expect(throws: ResolutionError.self) { try await first.value }
    #expect(
      firstError?.chain == [ServiceKey([RemoteTeaCatalog].self), ServiceKey(RemoteTeaCatalog.self)])
    let error = await #expect(throws: ResolutionError.self) { try await second.value }
    #expect(error?.chain == [ServiceKey((any TeaCatalog).self)])
    #expect(error?.key == ServiceKey((any TeaCatalog).self))
    #expect(error?.requestedAt.line == UInt(line))
    #expect(error?.reason == .factoryFailed("not online"))
  }

  @Test("What a failing build needs keeps its place below each request")
  func failureBelowEach() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    let line = #line + 4
    let options = Unchecked(
      resolver.registerAsync { r in
        await gate.pass()
        return RemoteTeaCatalog(source: try await r.requireAsync(String.self))
      }.scope(.cached))
    resolver.registerAsync { r in [try await r.requireAsync(RemoteTeaCatalog.self)] }
    let first = Task { try await resolver.requireAsync(RemoteTeaCatalog.self) }
    await until { options.value.waiterCount == 1 }
    let second = Task { try await resolver.requireAsync([RemoteTeaCatalog].self) }
    await until { options.value.waiterCount == 2 }
    gate.open()
    let (one, two) = (
      await #expect(throws: ResolutionError.self) { try await first.value },
      await #expect(throws: ResolutionError.self) { try await second.value }
    )
    #expect(one?.chain.map(\.description) == ["RemoteTeaCatalog", "String"])
    #expect(
      two?.chain.map(\.description) == ["Array<RemoteTeaCatalog>", "RemoteTeaCatalog", "String"])
    #expect([one, two].map { $0?.requestedAt.line } == [UInt(line), UInt(line)])
  }

  @Test("A reset while an instance is built reaches it: it is delivered, and not kept")
  func resetMeanwhile() async {
    let resolver = Resolver()
    let scope = Scope.cache("catalogues")
    let (gate, builds) = (AsyncGate(), Counter())
    let options = Unchecked(
      resolver.registerAsync {
        if builds.increment() == 1 { await gate.pass() }
        return RemoteTeaCatalog()
      }.scope(scope))
    let early = Task { await resolver.resolveAsync(RemoteTeaCatalog.self) }
    // Who waits does so before the factory runs: the late build could be the first at the gate.
    await until { options.value.waiterCount == 1 && gate.waiterCount == 1 }
    scope.reset()
    let late = await resolver.resolveAsync(RemoteTeaCatalog.self)
    gate.open()
    #expect(await early.value !== late)
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === late)
    #expect(builds.value == 2)
  }

  @Test("A kept weak instance goes with its last holder, and is built again")
  func weak() async {
    let resolver = Resolver()
    let builds = Counter()
    resolver.registerAsync {
      builds.increment()
      return await RemoteTeaCatalog.load()
    }.scope(.shared)
    var catalog: RemoteTeaCatalog? = await resolver.resolveAsync()
    #expect(await resolver.resolveAsync(RemoteTeaCatalog.self) === catalog)
    catalog = nil
    _ = await resolver.resolveAsync(RemoteTeaCatalog.self)
    #expect(builds.value == 2)
  }
}
