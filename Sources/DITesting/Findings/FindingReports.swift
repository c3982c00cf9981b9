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
  /// The flag that the registration was resolved, so that there is nothing to report.
  var wasResolved: Atomic?

  var isMoot: Bool { wasResolved?.isSet ?? false }
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
    guard kind == .sandbox || kind == .layer else { return }
    for finding in notedFindings where !finding.isOfUnused && !finding.isMoot {
      explain(finding.key)
    }
    if mayHaveUnused { noteUnused(ownRegistrations) }
    let isCutShort = isCutShort
    let findings = notedFindings.filter { !$0.isMoot && !($0.isOfUnused && isCutShort) }
    if findings.isEmpty { return }
    let unusedSeverity = testPolicies?.unusedDoubles.map(\.severity) ?? findingSeverity
    ContextFrame.$bound.withValue(self) {
      var reported: Set<DiagnosticIssue> = []
      for finding in findings {
        let place = DoublePlace(key: finding.key, location: finding.location)
        if finding.isOfUnused, isExplained(finding.key) {
          explainUnused(place)
          continue
        }
        guard let severity = finding.isOfUnused ? unusedSeverity : findingSeverity
        else { continue }
        if finding.isOfUnused { explainUnused(place) }
        // A line may run several times, and in several test cases.
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
