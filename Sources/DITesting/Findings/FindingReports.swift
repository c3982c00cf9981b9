#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

// Reports about doubles that were registered too late, have no effect or were never resolved.

extension ContextFrame {
  /// Notes that the operation never ran, so that its doubles are not reported.
  func wasNotUsed() { withNotes { $0.neverRan = true } }

  /// Notes the end of `setUp`, whose doubles may go unused in single tests: those of the test case,
  /// and of the scopes that `setUp` pushed and opened in it.
  static func setUpIsOver() {
    for frame in current.map({ Array($0.chain) }) ?? [] {
      let doubles = Set(frame.ownRegistrations.map(\.registration.id))
      frame.withNotes { $0.setUpDoubles = doubles }
    }
  }

  /// The severity of findings, which fail a strict test.
  var findingSeverity: IssueSeverity {
    (notes?.findingStrictness ?? strictness) == .fail ? .error : .warning
  }

  /// Reports doubles that were never used, were registered too late, or were hidden.
  ///
  /// - Parameter isAtOnce: Whether unused doubles are reported here, not by the suite.
  func reportFindings(isAtOnce: Bool = false) {
    guard kind == .sandbox || kind == .layer else { return }
    let areDoublesUsed = noteUsedDoubles()
    let notes = notes
    guard !areDoublesUsed || notes?.findings.isEmpty == false, notes?.neverRan != true
    else { return }
    let severity = findingSeverity
    let unusedDoubles =
      testPolicies?.unusedDoubles ?? (severity == .error ? .fail : .warn)
    let unused = UnusedDoubleReports(self, unusedDoubles, isAtOnce: isAtOnce)
    ContextFrame.$bound.withValue(self) {
      var reported: Set<DiagnosticIssue> = []
      for finding in notedFindings {
        if let place = finding.unused {
          unused.report(place, id: finding.explained, wasResolved: finding.isMoot) { _ in finding }
        } else if finding.isMoot?.isSet != true {
          let issue = DiagnosticIssue(
            text: finding.text, severity: severity, location: finding.location)
          // A line may run several times.
          if reported.insert(issue).inserted { report(issue) }
        }
      }
      for double in self.unusedDoubles {
        unused.report(
          double.place, id: double.id, wasResolved: double.registration.options.wasResolved
        ) { self.finding(about: double, in: $0) }
      }
    }
  }

  /// The reports about a scope's unused doubles.
  private struct UnusedDoubleReports {
    private let scope: ContextFrame
    private let severity: IssueSeverity?
    private let suite: SuiteFindings?
    private let isAtOnce: Bool
    private let test: CodeLocation?

    init(_ scope: ContextFrame, _ treatment: Strictness, isAtOnce: Bool) {
      self.scope = scope
      self.isAtOnce = isAtOnce
      severity = treatment.severity
      suite = isAtOnce ? nil : SuiteFindings.current
      test = IssueReporter.test.map { CodeLocation($0.sourceLocation) }
    }

    func report(
      _ place: DoublePlace, id: UInt64?, wasResolved: Atomic?,
      _ finding: (_ test: String?) -> FrameFinding
    ) {
      guard let severity, !isProductions(place) else { return }
      func issue(in test: String? = nil) -> DiagnosticIssue {
        let finding = finding(test)
        return DiagnosticIssue(
          text: finding.text, severity: severity, location: finding.location)
      }
      // A strict test reports every double.
      if severity == .error { return scope.report(issue()) }
      if isSetUps(place, id) { return }
      if let suite {
        let test = scope.testName
        suite.add(
          place, of: test, severalTellSetUp: scope.hidesSetUp, wasResolved: wasResolved
        ) { issue(in: suite.namesTests ? nil : test) }
      } else if isAtOnce || DoubleRecord.isFirst(place) {
        scope.report(issue())
      }
    }

    /// Whether it seems to be production set-up that the test ran: code of another module than the
    /// test's.
    private func isProductions(_ place: DoublePlace) -> Bool {
      let module = test?.module ?? scope.testModule
      return !module.isEmpty && place.location.module != module
    }

    /// Whether it is shared set-up: the test case's `setUp`, or code above the test in its file.
    private func isSetUps(_ place: DoublePlace, _ id: UInt64?) -> Bool {
      if let id,
        scope.chain.contains(where: { $0.notes?.setUpDoubles?.contains(id) ?? false })
      {
        return true
      }
      guard let test else { return false }
      return place.location.fileID == test.fileID && place.location.line < test.line
    }
  }

  private var testName: String {
    chain.first { $0.opener.isTest }?.opener.name ?? IssueReporter.currentTest ?? opener.name
  }

  /// The module of the test that opened the scope, or of the line that did.
  private var testModule: Substring {
    let module = Array(chain).last { $0.opener.isTest }?.opener.location.module ?? ""
    return module.isEmpty ? opener.location.module : module
  }

  /// Whether a test's set-up code cannot be recognised: in XCTest, except for `SandboxTestCase`.
  private var hidesSetUp: Bool {
    IssueReporter.isOnlyXCTest && !chain.contains { $0.notes?.setUpDoubles != nil }
  }
}
#endif
