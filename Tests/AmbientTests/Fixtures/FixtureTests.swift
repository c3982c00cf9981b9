@testable import DIContainer
@testable import DITesting
import TestSupport
import Testing

private let builds = Counter()
private let runBuilds = Counter()
private let remoteBuilds = Counter()
private let failures = Counter()
private let first = Lock<Ledger?>(nil)

@Suite(
  "A fixture that is kept", .sandbox, .strict,
  .keep(\.ledgerTemplate, for: .suite) {
    builds.increment()
    return Ledger("template")
  },
  .each(\.ledger, from: \.ledgerTemplate) { $0.copy() })
struct FixtureTests {
  @Suite("is one in suites inside, too")
  struct Inner {
    @Test("for tests in parallel, each of which has its own copy", arguments: 0..<200)
    func shares(_ number: Int) async {
      let template = Container.shared.ledgerTemplate()
      #expect(template.name == "template")
      #expect(
        first.withLock { first in
          if first == nil { first = template }
          return first === template
        })
      let copy = Container.shared.ledger()
      #expect(copy.name == "copy of template")
      #expect(Container.shared.ledger() === copy)
      await Task.yield()
      #expect(builds.value == 1)
    }
  }

  @Test(
    "is not built for a test that does not ask",
    .keep(\.auditor, for: .suite) {
      Issue.record("nobody asks")
      return ""
    })
  func lazy() {}

  @Test("gives way to what a test registers")
  func registered() {
    Container.shared.ledger.register { Ledger("own") }
    #expect(Container.shared.ledger().name == "own")
  }
}

@Suite(
  "A fixture of the run", .sandbox,
  .keep(Ledger.self, for: .run) {
    runBuilds.increment()
    return Ledger("run")
  })
struct RunFixtureTests {
  @Test("is built once", arguments: 0..<50)
  func once(_ number: Int) throws {
    #expect(try Resolver.require(Ledger.self).name == "run")
    #expect(runBuilds.value == 1)
  }
}

@Suite(
  "An async fixture", .sandbox,
  .keep(\.remoteLedger, for: .suite) {
    remoteBuilds.increment()
    await Task.yield()
    return Ledger("remote")
  },
  .each(\.remoteCopy, from: \.remoteLedger) { $0.copy() })
struct AsyncFixtureTests {
  @Test("is built once, also if the test that asks first is cancelled", arguments: 0..<50)
  func once(_ number: Int) async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try? await Container.shared.remoteLedger.require()
    }
    await task.value
    #expect(try await Container.shared.remoteLedger().name == "remote")
    #expect(try await Container.shared.remoteCopy().name == "copy of remote")
    #expect(remoteBuilds.value == 1)
  }
}

@Suite(
  "A fixture whose builder fails", .sandbox,
  .keep(\.ledgerTemplate, for: .suite) {
    failures.increment()
    throw NoDisk()
  })
struct FailingFixtureTests {
  @Test("is one error in each test that asks, and is not tried again", arguments: 0..<10)
  func fails(_ number: Int) {
    let error = #expect(throws: ResolutionError.self) {
      try Container.shared.ledgerTemplate.require()
    }
    #expect("\(error as Any)".contains("NoDisk"))
    #expect(error?.chain.map(\.description) == ["ledgerTemplate: Ledger"])
    #expect(failures.value == 1)
  }
}

private struct Spool {}

@Suite(
  "A fixture whose builder misses a service", .sandbox,
  .keep(\.ledgerTemplate, for: .suite) {
    _ = try Resolver.require(Spool.self)
    return Ledger("template")
  })
struct MissingFixtureTests {
  @Test("stands in the chain of the error under the name of its service")
  func chain() {
    let error = #expect(throws: ResolutionError.self) {
      try Container.shared.ledgerTemplate.require()
    }
    #expect(
      error?.chain.map(\.description)
        == ["ledgerTemplate: Ledger", "Ledger (fixture)", "Spool"])
  }
}

// The traits' scopes are called by hand, to see what happens at their ends.
@Suite("The end of a fixture")
struct FixtureEndTests {
  /// Runs traits as Swift Testing does around a suite with one test.
  private func run(
    _ traits: [FixtureTrait], _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    let test = try #require(Test.current)
    let testCase = try #require(Test.Case.current)
    var function = body
    for trait in traits.reversed() {
      let inner = function
      function = { try await trait.provideScope(for: test, testCase: testCase, performing: inner) }
    }
    for trait in traits.reversed() {
      let inner = function
      function = { try await trait.provideScope(for: test, testCase: nil, performing: inner) }
    }
    try await function()
  }

  @Test("tears down what was built, the latest first, with await", .sandbox)
  func order() async throws {
    let journal = Journal()
    try await run([
      .keep(\.ledgerTemplate, for: .suite) {
        journal.note("template")
        return Ledger("template")
      } tearDown: {
        await Task.yield()
        journal.note("end of \($0.name)")
      },
      .keep(\.auditor, for: .suite) {
        "nobody asks"
      } tearDown: {
        journal.note("end of \($0)")
      },
      .keep(Ledger.self, for: .suite) {
        journal.note("ledger")
        return Ledger("copy of \(try Container.shared.ledgerTemplate.require().name)")
      } tearDown: {
        journal.note("end of \($0.name)")
      },
      .each(\.ledger, from: \.ledgerTemplate) {
        $0.copy()
      } tearDown: {
        journal.note("end of a \($0.name)")
      },
    ]) {
      #expect(Resolver.resolve(Ledger.self).name == "copy of template")
      _ = Container.shared.ledger()
    }
    #expect(
      journal.all == [
        "ledger", "template", "end of a copy of template", "end of copy of template",
        "end of template",
      ])
  }

  @Test("names the fixture whose teardown fails, and goes on with the others", .sandbox)
  func failing() async throws {
    let journal = Journal()
    let line: UInt = #line + 1
    let error = await #expect(throws: FixtureError.self) {
      try await run([
        .keep(\.ledgerTemplate, for: .suite) {
          Ledger("outer")
        } tearDown: {
          journal.note("end of \($0.name)")
        },
        .keep(\.auditor, for: .suite) {
          "inner"
        } tearDown: { _ in
          throw NoDisk()
        },
      ]) {
        _ = Container.shared.ledgerTemplate()
        _ = Container.shared.auditor()
      }
    }
    #expect(journal.all == ["end of outer"])
    #expect(
      error?.description == """
        A fixture, `String`, could not be torn down: NoDisk()

          fixture:  AmbientTests/FixtureTests.swift:\(line)
        """)
  }

  @Test("is a clear error for work that asks later", .sandbox)
  func late() async throws {
    let request = Lock<(@Sendable () throws -> Ledger)?>(nil)
    try await run([.keep(\.ledgerTemplate, for: .suite) { Ledger("template") }]) {
      let context = ResolutionContext.current
      request.withLock { request in
        request = { try context.run { try Container.shared.ledgerTemplate.require() } }
      }
      _ = Container.shared.ledgerTemplate()
    }
    let error = #expect(throws: (any Error).self) { try request.withLock { $0 }?() }
    #expect("\(error as Any)".contains("was requested after it was torn down"))
  }

  @Test("is that error for a task that the suite does not await, too: nothing is built", .sandbox)
  func lateTask() async throws {
    let (builds, end) = (Counter(), AsyncGate())
    let task = Lock<Task<Ledger, any Error>?>(nil)
    try await run([
      .keep(\.ledgerTemplate, for: .suite) {
        builds.increment()
        return Ledger("template")
      }
    ]) {
      _ = Container.shared.ledgerTemplate()
      task.withLock { task in
        task = Task {
          await end.pass()
          return try Container.shared.ledgerTemplate.require()
        }
      }
    }
    end.open()
    let error = await #expect(throws: (any Error).self) { try await task.withLock { $0 }?.value }
    #expect("\(error as Any)".contains("was requested after it was torn down"))
    #expect(builds.value == 1)
  }

  @Test("of a single test's double is an error when it is built", .sandbox(unusedDoubles: .off))
  func single() async throws {
    let requested: UInt = #line + 3
    try await run([
      .keep(\.ledgerTemplate, for: .suite) {
        Ledger(Container.shared.auditor())
      }
    ]) {
      // A live service is fine.
      _ = try? Container.shared.auditor.require()
      let line: UInt = #line
      Container.shared.auditor.register { "fake" }
      let error = #expect(throws: ResolutionError.self) {
        try Container.shared.ledgerTemplate.require()
      }
      #expect(
        error?.description == """
          A kept fixture, `Ledger`, was built with `auditor: String`, for which a single test has \
          a double.

            fixture:    AmbientTests/FixtureTests.swift:\(requested - 1)
            requested:  AmbientTests/FixtureTests.swift:\(requested)
            double:     AmbientTests/FixtureTests.swift:\(line + 1)

          To fix this:
            - Build the fixture from what all its tests share, or pass that to it.
            - Or make it anew for each test: `.each`.
          """)
    }
  }

  @Test("whose builder fails is said to be one, and that all tests get the error", .sandbox)
  func failingBuilder() async throws {
    let line: UInt = #line + 2
    try await run([
      .keep(\.ledgerTemplate, for: .suite) { throw NoDisk() },
      .each(\.ledger, from: \.auditor) { _ in throw NoDisk() },
    ]) {
      let error = #expect(throws: ResolutionError.self) {
        try Container.shared.ledgerTemplate.require()
      }
      #expect(error?.underlying is NoDisk)
      #expect(
        error?.description == """
          A kept fixture, `ledgerTemplate: Ledger`, could not be built: NoDisk()

            fixture:  AmbientTests/FixtureTests.swift:\(line)

          To fix this:
            - Handle the error in its builder, which runs once: each test that asks gets this error.
          """)
      let each = #expect(throws: ResolutionError.self) { try Container.shared.ledger.require() }
      #expect(
        each?.description == """
          A fixture, `ledger: Ledger`, could not be built: NoDisk()

            fixture:  AmbientTests/FixtureTests.swift:\(line + 1)

          To fix this:
            - Handle the error in its builder, which runs for each test that asks.
          """)
      let place = "AmbientTests/FixtureTests.swift:\(#line - 10)"
      #expect(
        each?.adding([.fatal]).description == """
          A fixture, `ledger: Ledger`, could not be built: NoDisk()

            fixture:  AmbientTests/FixtureTests.swift:\(line + 1)

          To fix this:
            - Handle the error in its builder, which runs for each test that asks.

          It was requested without `try`, which ends the process.

            requested:  \(place)

          To fix this:
            - Request it with `try` and `require`, which throws this.
          """)
    }
  }

  @Test("made from a live service in a strict test is told to keep that", .sandbox, .strict)
  func notKept() async throws {
    try await run([.each(\.ledger, from: \.ledgerTemplate) { $0.copy() }]) {
      withKnownIssue {
        _ = Container.shared.ledger()
      } matching: {
        $0.comments.first?.rawValue.contains(
          "- To make the fixture from a kept one, keep that: "
            + "`.keep(\\Container.ledgerTemplate, for: .suite) { … }`.") ?? false
      }
    }
  }
}
