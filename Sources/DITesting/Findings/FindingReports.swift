#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A finding about a scope's doubles, which is reported when the test ends.
struct FrameFinding: Sendable {
  let text: String
  let location: CodeLocation
  /// The service of the double.
  let key: ServiceKey
  /// Whether it is that nothing resolved the double.
  var isOfUnused = false
  /// The flag that the registration was resolved after all, so that there is nothing to report.
  var isMoot: Atomic?
}

/// The line that registers a service.
struct DoublePlace: Sendable, Hashable {
  let key: ServiceKey
  let location: CodeLocation

}

// Reports about doubles that were registered too late, have no effect or were never resolved.

extension ContextFrame {
  /// The severity of findings, which fail a strict test.
  var findingSeverity: IssueSeverity {
    strictPolicies?.strictness == .fail ? .error : .warning
  }

  /// Reports doubles that were never resolved, were registered too late, or were hidden.
  func reportFindings() {
    guard kind == .sandbox || kind == .layer, !isCutShort else { return }
    if mayHaveUnused { noteUnused(ownRegistrations) }
    let findings = notedFindings
    if findings.isEmpty { return }
    let unusedSeverity = testPolicies?.unusedDoubles.map(\.severity) ?? findingSeverity
    ContextFrame.$bound.withValue(self) {
      var reported: Set<DiagnosticIssue> = []
      for finding in findings where finding.isMoot?.isSet != true {
        guard let severity = finding.isOfUnused ? unusedSeverity : findingSeverity
        else { continue }
        // A line may run several times, and in several test cases.
        let place = DoublePlace(key: finding.key, location: finding.location)
        if severity == .warning, finding.isOfUnused, !Self.warned.isFirst(place) { continue }
        let issue = DiagnosticIssue(
          text: finding.text, severity: severity, location: finding.location)
        if reported.insert(issue).inserted { report(issue) }
      }
    }
  }

  /// The lines whose unused doubles were reported as warnings.
  private static let warned = ReportedOnce<DoublePlace>()
}
#endif
