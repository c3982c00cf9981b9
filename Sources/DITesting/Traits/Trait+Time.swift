#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

extension Trait where Self == CaseTrait {
  /// Gives each test case a clock that only the test moves: ``TestClock/current``.
  ///
  /// Requests for `any Clock<Duration>` return it, by type and by key path, unless a double is
  /// registered. Sleepers that are left at the end of the test are reported: a warning, and in a
  /// strict test a failure.
  public static var time: Self { time(.untilAdvanced) }

  /// Gives each test case a clock of its own.
  ///
  /// - Parameter sleeping: What sleeping does; with `.immediate` it only moves the clock.
  /// - Returns: The trait.
  public static func time(_ sleeping: TestClock.Sleeping) -> Self {
    CaseTrait { test, testCase in
      let clock = ClockOfTest(TestClock(sleeping))
      try await clock.run(testCase, of: test, clock.policy())
    }
  }

  /// Gives each test case the same date, identifiers and randomness in every run, and a fixed
  /// calendar, time zone, locale and environment.
  ///
  /// They are returned for the ambient values of `DIAmbient`, and for properties and types like
  /// them, unless a double is registered. The date follows ``TestClock/current``, identifiers count
  /// from zero, and the numbers depend on the test's name. The calendar is Gregorian, in the zone
  /// GMT and the locale `en_US_POSIX`; the environment is empty.
  public static var deterministic: Self {
    CaseTrait { test, testCase in
      let name = test.name
      if let outer = TestClock.ofTest {
        let policy = DeterministicValues(of: name, following: outer).policy()
        return try await ScopeOpener(policy: policy, test: test).run { try await testCase() }
      }
      let own = ClockOfTest(TestClock())
      let values = DeterministicValues(of: name, following: own.clock)
      try await own.run(testCase, of: test, values.policy(own.policy()))
    }
  }
}

extension ClockOfTest {
  /// Runs a test case with the clock, and reports the sleepers that it leaves.
  fileprivate func run(
    _ testCase: @Sendable () async throws -> Void, of test: Test, _ policy: FramePolicy
  ) async throws {
    let opener = ScopeOpener(policy: policy, test: test)
    attach(to: opener.frame)
    try await opener.run {
      try await watchingCancellation(in: opener.frame, testCase)
      reportSleepers(to: opener.frame)
    }
  }
}
#endif
