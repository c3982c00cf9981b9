#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension Sandbox {
  /// The treatment of a test that changes the process because it runs outside every sandbox.
  ///
  /// It is a warning by default. The registrations, removals, resets or root changes of such a
  /// test, in `main`, in the containers that the root reaches or in a `shared` container, stay for
  /// all other tests. They are reported once for each location, at its line; in XCTest when the
  /// test ends, if they are still there. Work that belongs to no test is subject to
  /// ``unscopedPolicy``.
  ///
  /// It applies to the process; `.processChanges` overrides it for a test or a suite, and
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
