import DIContainer
@testable import DITesting
import Testing

// What a trait does after the test body can be seen from a trait outside only.

/// Runs the test inside another trait and looks at the issues and attachments afterwards.
@Suite(".recorded")
struct RecordingTraitTests {
  @Test("hears the test, and its child tasks", .recorded, .sandbox)
  func hears() async {
    let shop = Resolver { $0.register { Basket() } }
    async let basket = shop.resolve(Basket.self)
    _ = await basket
    #expect(ResolutionRecorder.current?.events.filter(\.isRequest).count == 1)
    expectResolved(Basket.self, times: 1)
  }

  @Test(
    "hears what the suite's traits inside it register", .recorded,
    .sandbox { root in
      root.register { Basket() }
    })
  func hearsTraits() {
    #expect(ResolutionRecorder.current?.events.map(\.kind) == [.registered])
    _ = Resolver.resolve(Basket.self)
  }

  @Test("takes a failure for its test's own, and passes it on")
  func ownFailure() {
    let failed = Atomic()
    withKnownIssue {
      Issue.record("the test's own")
    } matching: { issue in
      // A known issue is no failure any more.
      TestFailures.passOn(issue, failed) != nil && failed.isSet == TestFailures.isFailure(issue)
    }
  }

  // It comes to each recorded test case that runs, and to the run itself: of a hundred cases side
  // by side, each passed on a copy.
  @Test("leaves what work outside all tests reports to the run")
  func outside() async {
    let failed = Atomic()
    let seen = Lock<[Issue]>([])
    withKnownIssue {
      Issue.record("of nobody")
    } matching: { issue in
      seen.withLock { $0.append(issue) }
      return true
    }
    let issues = seen.withLock { $0 }
    #expect(issues.count == 1)
    let passedOn = await Task.detached {
      issues.compactMap { TestFailures.passOn($0, failed) }.count
    }.value
    #expect(passedOn == 0)
    #expect(!failed.isSet)
  }

  @Test("learns of failures at the ends of the scopes around it", .sandbox, .recorded)
  func failureAtTheEnd() async throws {
    let test = try #require(Test.current)
    let told = Lock<[String]>([])
    try await withKnownIssue {
      try await CaseTrait.strict.provideScope(for: test, testCase: nil) {
        for name in ["used", "unused"] {
          try await SandboxTrait.sandbox.provideScope(for: test, testCase: nil) {
            ContextFrame.current?.whenFailed { told.withLock { $0.append(name) } }
            Resolver.register { Basket() }
            if name == "used" { _ = Resolver.resolve(Basket.self) }
          }
        }
      }
    } matching: {
      $0.comments.first?.rawValue.hasPrefix("The double for `Basket` was never resolved.") ?? false
    }
    #expect(told.withLock { $0 } == ["unused"])
  }

  @Test("is nobody's after the test")
  func none() {
    #expect(ResolutionRecorder.current == nil)
  }
}
