import DIContainer
@testable import DITesting
import Foundation
import TestSupport
import Testing

// The run is the process's, so each of these has a process of its own, and no other test.

/// A fixture of the run, whose builds and ends are counted.
private struct CountedRun: Sendable {
  let builds = Counter()
  let ends = Counter()
  let trait: FixtureTrait

  init() {
    let (builds, ends) = (builds, ends)
    trait = .keep(Ledger.self, for: .run) {
      builds.increment()
      return Ledger("run")
    } tearDown: { _ in
      await Task.yield()
      ends.increment()
    }
  }

  /// Runs a test that asks for it, or does not.
  func test(asking isAsking: Bool = true) async throws {
    let fixture = FixtureScope.ofRun(trait.plan)
    withSandbox {
      registeringDoubles { fixture.register(in: Resolver.root) }
      if isAsking { #expect(Resolver.resolve(Ledger.self).name == "run") }
    }
    try await FixtureScope.didRun()
  }
}

@Suite("A fixture of the run")
struct FixtureRunTests {
  @Test("is torn down after the last test, and built again where the tests are repeated")
  func repetitions() async {
    await #expect(processExitsWith: .success) {
      let run = CountedRun()
      for _ in 0..<3 { FixtureScope.willRun() }
      for repetition in 1...3 {
        for _ in 0..<2 { try await run.test() }
        #expect(run.ends.value == repetition - 1)
        try await run.test()
        #expect(run.builds.value == repetition)
        #expect(run.ends.value == repetition)
      }
    }
  }

  @Test("is not built for tests that do not ask, such as those that a filter leaves")
  func filter() async {
    await #expect(processExitsWith: .success) {
      let run = CountedRun()
      for _ in 0..<2 { FixtureScope.willRun() }
      for _ in 0..<2 { try await run.test(asking: false) }
      #expect(run.builds.value == 0)
      #expect(run.ends.value == 0)
    }
  }

  @Test("is torn down at the process's end where planned tests are skipped")
  func skipped() async {
    await #expect(processExitsWith: .success) {
      let run = CountedRun()
      for _ in 0..<2 { FixtureScope.willRun() }
      try await run.test()
      #expect(run.ends.value == 0)
      FixtureScope.endProcess()
      #expect(run.ends.value == 1)
    }
  }

  @Test("is torn down at the process's end on the main actor, too", .timeLimit(.minutes(1)))
  func skippedOnMain() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let trait: FixtureTrait = .keep(Ledger.self, for: .run) {
        Ledger("run")
      } tearDown: { @MainActor _ in
        writeErrorLine("torn down")
      }
      let fixture = FixtureScope.ofRun(trait.plan)
      for _ in 0..<2 { FixtureScope.willRun() }
      withSandbox {
        registeringDoubles { fixture.register(in: Resolver.root) }
        _ = Resolver.resolve(Ledger.self)
      }
      exit(EXIT_SUCCESS)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("torn down"))
    #expect(!output.contains("within a minute"))
  }

  @Test("is built for all although the test is cancelled that asks first")
  func cancelled() async {
    await #expect(processExitsWith: .success) {
      let run = CountedRun()
      for _ in 0..<2 { FixtureScope.willRun() }
      let first = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await run.test()
      }
      try await first.value
      try await run.test()
      #expect(run.builds.value == 1)
      #expect(run.ends.value == 1)
    }
  }
}

private func writeErrorLine(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
