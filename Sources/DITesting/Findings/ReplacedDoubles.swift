#if canImport(Testing) && canImport(XCTest)
import DIContainer

extension ContextFrame {
  /// Reports a double that takes the place of another, if nothing resolved that and the same
  /// function registered both with `double(…)`.
  func reportReplaced(by double: Registration, in core: ContainerCore) {
    guard let function = registeringFunction(at: double.location) else { return }
    let registry = sandbox?.registry(over: core)?.registry ?? core.registry
    guard let old = registry.registration(of: double.key), !old.wasResolved, old.isExpected,
      double.isExpected, !double.isOrDecorates(old.id), old.location != double.location,
      old.location.fileID == double.location.fileID,
      registeringFunction(at: old.location) == function
    else { return }
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(double.key)` has two doubles here: this one replaces another that nothing "
            + "resolved.",
          facts: [("first:", "\(old.location)"), ("second:", "\(double.location)")],
          fixes: ["Register one of them, and use what `double(…)` returns."]
        ).text, severity: findingSeverity, location: double.location))
  }
}
#endif
