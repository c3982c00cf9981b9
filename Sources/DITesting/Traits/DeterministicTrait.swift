#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that gives each test case the same ambient values in every run.
public struct DeterministicTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether the trait applies to the tests of a suite: always, with values for each case.
  public var isRecursive: Bool { true }

  /// Runs the test case with its values, and with a clock of its own unless it has one.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let outer = TestClock.ofTest
    let own = outer == nil ? ClockOfTest(TestClock()) : nil
    guard let clock = own?.clock ?? outer else { return }
    let values = DeterministicValues(of: test.name, following: clock)
    let opener = ScopeOpener(policy: values.policy(own?.policy() ?? FramePolicy()), test: test)
    own?.attach(to: opener.frame)
    try await opener.run {
      try await function()
      own?.reportSleepers(to: opener.frame)
    }
  }
}

extension Trait where Self == DeterministicTrait {
  /// Gives each test case the same date, identifiers and randomness in every run, and a fixed
  /// calendar, time zone, locale and environment.
  ///
  /// They are returned for the ambient values of `DIAmbient`, and for properties and types like
  /// them, unless a double is registered. The date follows ``TestClock/current``, identifiers count
  /// from zero, and the numbers depend on the test's name. The calendar is Gregorian, in the zone
  /// GMT and the locale `en_US_POSIX`; the environment is empty.
  public static var deterministic: Self { DeterministicTrait() }
}
#endif
