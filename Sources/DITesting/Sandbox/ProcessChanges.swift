#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension Sandbox {
  /// What happens when a test changes the process because no sandbox is around it; a warning unless
  /// set.
  ///
  /// What such a test registers, removes, resets or swaps in `main`, in what the root reaches or in
  /// a `shared` container stays for all other tests. It is reported once for each place, at its
  /// line; in XCTest when the test ends, if it is still there. XCTest takes no failure for the test
  /// by then: the next one fails for it, and where there is none, the run, with the text on
  /// standard error and an exit code that is not zero. On Apple's platforms a run does not fail for
  /// its last test; the text is all. Work that belongs to no test has ``unscopedPolicy``.
  ///
  /// It holds for the process; `.processChanges` says otherwise for a test or a suite, and
  /// `Resolver.production` for a stretch of code.
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
