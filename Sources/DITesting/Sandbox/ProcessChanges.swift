#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension Sandbox {
  /// The treatment of tests that change the process because they run in no sandbox; a warning by
  /// default.
  ///
  /// Registrations, removals, resets and swaps that such a test makes in `main`, in containers that
  /// the root reaches or in a `shared` container affect all other tests. Each place is reported
  /// once, at its line; in XCTest when the test ends, if the change is still in place. XCTest
  /// accepts no more failures for the test by then, so the next test fails for it. If there is
  /// none, the run fails, with the text on standard error and an exit code other than zero; on
  /// Apple's platforms only the text is written. For work that belongs to no test, see
  /// ``unscopedPolicy``.
  ///
  /// It applies to the process; use `.processChanges` to override it for a test or a suite, and
  /// `Resolver.production` for a section of code.
  public static var processChanges: Strictness {
    get {
      switch ProcessChange.treatment {
      case .allow: .off
      case .warn: .warn
      case .fail: .fail
      }
    }
    set { ProcessChange.treatment = newValue.treatment }
  }
}
#endif
