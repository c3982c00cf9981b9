#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that gives each test case a clock of its own.
public struct TimeTrait: TestTrait, SuiteTrait, TestScoping {
  private let sleeping: TestClock.Sleeping

  init(_ sleeping: TestClock.Sleeping) { self.sleeping = sleeping }

  /// Whether the trait applies to the tests of a suite: always, with a clock for each case.
  public var isRecursive: Bool { true }

  /// Runs the test case with a new clock, and reports the sleepers that it leaves.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let clock = ClockOfTest(TestClock(sleeping))
    let opener = ScopeOpener(policy: clock.policy(), test: test)
    clock.attach(to: opener.frame)
    try await opener.run {
      try await function()
      clock.reportSleepers(to: opener.frame)
    }
  }
}

extension Trait where Self == TimeTrait {
  /// Gives each test case a clock that only the test moves: ``TestClock/current``.
  ///
  /// Requests for `any Clock<Duration>` return it, by type and by key path, unless a double is
  /// registered. Sleepers that are left at the end of the test are reported: a warning, and in a
  /// strict test a failure.
  public static var time: Self { TimeTrait(.untilAdvanced) }

  /// Gives each test case a clock of its own.
  ///
  /// - Parameter sleeping: What sleeping does; with `.immediate` it only moves the clock.
  /// - Returns: The trait.
  public static func time(_ sleeping: TestClock.Sleeping) -> Self { TimeTrait(sleeping) }
}
#endif
