#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The subjects of reports, each of which is reported once for the process.
final class ReportedOnce<Subject: Hashable & Sendable>: Sendable {
  private let severities = Lock<[Subject: IssueSeverity]>([:])

  /// Whether nothing was reported about a subject yet; a failure is new although a warning was.
  func isFirst(_ subject: Subject, _ severity: IssueSeverity = .warning) -> Bool {
    severities.withLock { severities in
      if severities[subject] == .error || severities[subject] == severity { return false }
      severities[subject] = severity
      return true
    }
  }
}
#endif
