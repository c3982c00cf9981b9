import DIContainer
import TestSupport
import Testing

// Services of the storefront that refer to each other.

private final class Till: Sendable {}

private final class Ledger: Sendable {
  let till: Till
  init(_ till: Till) { self.till = till }
}

private final class Receipts: Sendable {
  let till: Till
  init(_ till: Till) { self.till = till }
}

private final class TillReport: Sendable {
  let ledger: Ledger
  let receipts: Receipts
  let till: Till

  init(_ ledger: Ledger, _ receipts: Receipts, _ till: Till) {
    self.ledger = ledger
    self.receipts = receipts
    self.till = till
  }
}

private final class Drawer: Sendable {
  let report: TillReport
  init(report: TillReport) { self.report = report }
}

private final class East: Sendable {
  let round = Lock<Round?>(nil)
}
private final class West: Sendable {}

private final class Round: Sendable {
  let east: East
  init(east: East) { self.east = east }
}

private final class Branch: Sendable {
  let office: @Sendable () async throws -> Office
  init(office: @escaping @Sendable () async throws -> Office) { self.office = office }
}

private final class Office: Sendable {
  let branch: Branch
  init(branch: Branch) { self.branch = branch }
}

private final class HeadOffice: SharedContainer {
  static let shared = HeadOffice()
  let manager = ContainerManager()

  var safe: AsyncFactory<East> {
    self {
      _ = try await self.key()
      return East()
    }
  }
  var key: AsyncFactory<West> {
    self {
      _ = try await self.safe()
      return West()
    }
  }
}

@Suite("Isolation: async resolution cycles")
struct IsolationCycleTests {
  @Test("A resolution cycle shares graph instances across async and sync factories")
  func graph() async {
    let resolver = Resolver()
    resolver.register { Till() }
    resolver.register { r in Ledger(r.resolve()) }
    resolver.registerAsync(factory: { r in Receipts(await r.resolveAsync()) })
    resolver.registerAsync { r in
      let ledger: Ledger = r.resolve()
      let receipts: Receipts = await r.resolveAsync()
      return TillReport(ledger, receipts, try r.require())
    }
    let report: TillReport = await resolver.resolveAsync()
    #expect(report.ledger.till === report.till)
    #expect(report.receipts.till === report.till)
    let other: TillReport = await resolver.resolveAsync()
    #expect(other.till !== report.till)
  }

  @Test("In a sandbox, too, a step's sync requests are part of the async cycle, the first as well")
  func graphInSandbox() async {
    let resolver = Resolver()
    resolver.register { Till() }
    resolver.register { r in Ledger(r.resolve()) }
    resolver.register { r in Receipts(r.resolve()) }.scope(.unique)
    resolver.registerAsync(
      factory: { r in TillReport(r.resolve(), r.resolve(), try r.require()) })
    resolver.registerAsync(name: "weekly", factory: { r in try r.require(Drawer.self).report })
    resolver.register { r in Drawer(report: try r.require(name: "none")) }.scope(.unique)
    let sandbox = ContextFrame(.sandbox, parent: nil, caches: .all)
    defer { sandbox.end() }
    await ContextFrame.$bound.withValue(sandbox) {
      let report: TillReport = await resolver.resolveAsync()
      #expect(report.ledger.till === report.till)
      #expect(report.receipts.till === report.till)
      let error = await #expect(throws: ResolutionError.self) {
        try await resolver.requireAsync(TillReport.self, name: "weekly")
      }
      #expect(
        error?.chain.map(\.description) == [
          "TillReport \"weekly\"", "Drawer", "TillReport \"none\"",
        ])
    }
  }

  @Test("Async graph instances are shared by what is requested one after the other")
  func asyncGraph() async {
    let resolver = Resolver()
    let builds = Counter()
    resolver.registerAsync {
      builds.increment()
      return Till()
    }
    resolver.registerAsync(Ledger.init)
    resolver.registerAsync(Receipts.init)
    resolver.registerAsync(TillReport.init)
    let report: TillReport = await resolver.resolveAsync()
    #expect(report.ledger.till === report.till)
    #expect(report.receipts.till === report.till)
    #expect(builds.value == 1)
  }

  @Test("A service that needs itself by way of async factories is an error with its chain")
  func cycle() async {
    let resolver = Resolver()
    let line: UInt = #line + 1
    resolver.registerAsync(factory: { r in
      _ = try await r.requireAsync(West.self); return East()
    })
    resolver.registerAsync(factory: { r in
      _ = try await r.requireAsync(East.self); return West()
    })
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync(East.self)
    }
    #expect(
      error?.description == """
        `East` needs itself.

          chain:      East → West → East
          from:       \(#fileID):\(line + 6)
          requested:  \(#fileID):\(line + 4)

        To fix this:
          - Let one of them resolve later: give it a closure, \
        `{ try await Resolver.root.requireAsync(East.self) }` (a lazy wrapper cannot wait).
          - Or give it the other one once both exist, where they are needed.
        """)
  }

  @Test("The advice for such a circle works: one side is given a closure that asks with `await`")
  func cycleBroken() async throws {
    let resolver = Resolver()
    resolver.registerAsync(
      factory: { r in Branch(office: { try await resolver.requireAsync(Office.self) }) }
    ).scope(.cached)
    resolver.registerAsync(factory: { r in Office(branch: try await r.requireAsync()) })
      .scope(.cached)
    let branch = try await resolver.requireAsync(Branch.self)
    let office = try await branch.office()
    #expect(office.branch === branch)
    #expect(try await branch.office() === office)
  }

  @Test("The other advice works too: they meet where they are asked for")
  func cycleIntroduced() async throws {
    let resolver = Resolver()
    resolver.registerAsync(factory: { East() }).scope(.cached)
    resolver.registerAsync(factory: { r in Round(east: try await r.requireAsync()) })
      .scope(.cached)
    let round = try await resolver.requireAsync(Round.self)
    let east = try await resolver.requireAsync(East.self)
    east.round.withLock { $0 = round }
    #expect(round.east === east)
  }

  @Test("A circle of async properties names the property to ask for in the closure")
  func propertyCycle() async {
    let office = HeadOffice()
    let error = await #expect(throws: ResolutionError.self) { try await office.safe() }
    #expect(
      error?.description.hasSuffix(
        """
        To fix this:
          - Let one of them resolve later: give it a closure, `{ try await container.safe() }` \
        (a lazy wrapper cannot wait).
          - Or give it the other one once both exist, where they are needed.
        """) == true)
    #expect(error?.chain.map(\.description) == ["safe: East", "key: West", "safe: East"])
  }

  @Test("A kept service that needs itself is an error, not an endless wait")
  func keptCycle() async {
    let resolver = Resolver()
    resolver.registerAsync(factory: { r in
      _ = try await r.requireAsync(West.self); return East()
    })
    .scope(.cached)
    resolver.registerAsync(factory: { r in
      _ = try await r.requireAsync(East.self); return West()
    })
    .scope(.cached)
    let error = await #expect(throws: ResolutionError.self) {
      try await resolver.requireAsync(East.self)
    }
    #expect(error?.reason == .cycle)
    #expect(error?.chain.map(\.description) == ["East", "West", "East"])
  }

  @Test("Two builds that come to wait for each other are an error, not an endless wait")
  func cycleOfBuilds() async {
    let resolver = Resolver()
    let (east, west) = (AsyncGate(), AsyncGate())
    resolver.registerAsync { r in
      east.open()
      await west.pass()
      _ = try await r.requireAsync(West.self)
      return East()
    }.scope(.cached)
    resolver.registerAsync { r in
      west.open()
      await east.pass()
      _ = try await r.requireAsync(East.self)
      return West()
    }.scope(.cached)
    async let one = Task { try await resolver.requireAsync(East.self) }.result
    async let other = Task { try await resolver.requireAsync(West.self) }.result
    for error in [await one.failure, await other.failure] {
      #expect((error as? ResolutionError)?.reason == .cycle)
    }
    #expect(
      [["East", "West", "East"], ["West", "East", "West"]].contains(
        (await one.failure as? ResolutionError)?.chain.map(\.description)))
  }

  @Test("A task that a factory leaves behind is no part of its resolution any more")
  func leftBehind() async {
    let resolver = Resolver()
    let gate = AsyncGate()
    let left = Lock<Task<East, any Error>?>(nil)
    resolver.registerAsync { r in
      if left.withLock({ $0 == nil }) {
        let task = Task {
          await gate.pass()
          return try await r.requireAsync(East.self)
        }
        left.withLock { $0 = task }
      }
      return East()
    }
    let first: East = await resolver.resolveAsync()
    gate.open()
    let task = left.withLock { $0 }
    #expect(await task?.result.failure == nil)
    let second = try? await task?.value
    #expect(second !== first)
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
