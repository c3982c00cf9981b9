#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Requests of work that outlived its test.

extension ContextFrame {
  func reportLate(_ request: Request) {
    let treatment = testPolicies?.lateWork ?? .warn
    guard let severity = treatment.severity, isFirstAtItsPlace(request) else { return }
    explain(request.key)
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(request.key)` was resolved for a \(whatEnded) that has ended.",
          facts: opener.facts + [
            ("requested:", "\(request.location)"), ("thread:", Self.threadText),
          ],
          fixes: ["Let the test wait for the work it starts: await it, or cancel it."]
        ).text, severity: severity, location: request.location))
  }

  private var whatEnded: String {
    switch kind {
    case .layer: "layer"
    case .root: "scoped root"
    default: parent?.sandbox?.hasEnded == false ? "sandbox" : "test"
    }
  }

  /// Whether no request from the same place was reported yet, so that a loop is reported once.
  private func isFirstAtItsPlace(_ request: Request) -> Bool {
    withNotes { $0.lateRequests.insert(request.chainLink).inserted }
  }
}
#endif
