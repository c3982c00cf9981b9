import DITesting
import Testing

// Some set up what they never use, and change what they have used: the warnings are expected.
@Suite(
  "Concurrency: two hundred careless tests, fifty times each",
  .withoutWarnings, .repeated(50), .sandbox)
struct ConcurrencyCarelessTests {
  @Test("pass in parallel, with a sandbox each", arguments: CarelessTest.all)
  func inSandboxes(test: CarelessTest) async throws {
    try await test.run(test.label)
  }

  @Test("are two hundred")
  func count() {
    #expect(CarelessTest.all.count == 200)
    #expect(Set(CarelessTest.all.map(\.description)).count == 200)
  }
}

@Suite("Concurrency: careless tests without a sandbox")
struct ConcurrencyWithoutSandboxTests {
  @Test("fail, although each runs alone in turn, for what the ones before left behind")
  func proof() async {
    // In a process of its own, since nothing puts back what they change.
    await #expect(processExitsWith: .success) {
      var failed: Set<String> = []
      for test in CarelessTest.all {
        // A root that was left behind would end the process at the next request.
        Resolver.root = .main
        do {
          try await test.run(test.label)
        } catch {
          failed.insert(test.name)
        }
      }
      // Every idiom that looks at what it expects to be untouched finds it touched.
      #expect(
        failed.isSuperset(of: [
          "registers into main", "registers under names", "takes a registration away",
          "keeps a till in .cached", "keeps a till in .singleton", "injects what may be absent",
          "uses production's container and what it keeps",
          "fills an empty container", "adds a child to main", "changes the default scope",
          "decorates everything",
        ]), "failed: \(failed.sorted())")
    }
  }

  @Test(
    "fail in parallel too", .disabled("kept as a proof: remove this trait to see it fail"),
    .repeated(50), arguments: CarelessTest.all)
  func withoutSandboxes(test: CarelessTest) async throws {
    try await test.run(test.label)
  }
}

/// Runs each test case several times at once.
///
/// As arguments of the test, the rounds would each have two lines of output.
private struct Repeated: TestTrait, SuiteTrait, TestScoping {
  let times: Int
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      try await withoutActuallyEscaping(function) { function in
        for _ in 0..<times { group.addTask { try await function() } }
        try await group.waitForAll()
      }
    }
  }
}

extension Trait where Self == Repeated {
  fileprivate static func repeated(_ times: Int) -> Self { Repeated(times: times) }
}
