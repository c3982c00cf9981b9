#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// A finding about a scope's doubles, which is reported when the test ends.
struct FrameFinding: Sendable {
  var text: String
  let location: CodeLocation
  /// The service of the double.
  let key: ServiceKey
  /// The severity; nil if it depends on how strict the test is.
  var severity: IssueSeverity?
  /// Whether it is that nothing resolved the double.
  var isOfUnused = false
  /// The doubles that came too late, if that is what it is about.
  var late: [LateDouble] = []
  /// The flag that the registration was resolved, so that there is nothing to report.
  var wasResolved: Atomic?

  var isMoot: Bool { wasResolved?.isSet ?? false }
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
    reportNoted()
  }

  /// Reports the findings that were noted so far, each once.
  func reportNoted() {
    if notedFindings.isEmpty { return }
    let noted = withNotes { exchange(&$0.findings, with: []) }
    let isCutShort = isCutShort
    let findings = LateDouble.joined(
      noted.filter { !$0.isMoot && !($0.isOfUnused && isCutShort) })
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
        guard
          let severity = finding.severity
            ?? (finding.isOfUnused ? unusedSeverity : findingSeverity)
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

// Registrations that others hide.

extension ContextFrame {
  /// Adds a finding about a registration that has no effect, because a layer hides it.
  func noteHidden(_ registration: Registration, in core: ContainerCore) {
    // Doubles come before what production's set-up registers in any case.
    guard !registration.options.isBase, let found = hiding(registration, in: core) else { return }
    let finding = FrameFinding(
      text: Diagnosis(
        headline: "The registration of `\(registration.key)` has no effect: a layer hides it.",
        facts: [
          ("registered:", "\(registration.location), in \(core.label)"),
          ("hidden by:", "\(found.registration.location), in \(found.owner.label)"),
        ],
        fixes: ["Register it in the layer, or pop the layer first."]
      ).text, location: registration.location, key: registration.key,
      wasResolved: registration.options.wasResolved)
    (scope(holding: core) ?? self).add(finding)
  }

  /// Returns the place of the layer's double that hides a registration here, if there is one.
  func hider(of double: DoubleRegistration) -> CodeLocation? {
    chain.lazy.flatMap(\.ownRegistrations).first {
      $0.registration.key == double.service && $0.registration.location == double.location
    }.flatMap { hiding($0.registration, in: $0.core)?.registration.location }
  }

  /// Notes, at the end of this scope, which doubles of enclosing scopes it hid.
  ///
  /// What was not resolved hid nothing. A root made outside of tests is not known to be resolved.
  func noteHiddenOutside() {
    guard parent != nil, containerFrame === self else { return }
    for outer in chain.dropFirst() {
      for double in outer.unusedDoubles {
        guard let found = hiding(double.registration, of: outer, in: double.core),
          found.registration.wasResolved || kind == .root && !found.registration.isTracked
        else { continue }
        let hider = "\(found.registration.location), in \(found.owner.label)"
        outer.withNotes { notes in
          if notes.hiders[double.id] == nil { notes.hiders[double.id] = hider }
        }
      }
    }
  }
}

// The parts of diagnoses about a request.

extension ContextFrame {
  /// Returns a text that names the requests that led to a request.
  static func text(
    about request: Request, and others: [ServiceKey] = [], _ diagnosis: () -> Diagnosis
  ) -> String {
    TypeNames.telling(apart: Chain.currentLinks.map(\.key) + [request.key] + others) {
      diagnosis().text
    }
  }

  static func chainFacts(_ request: Request) -> [(String, String)] {
    (Chain.currentLinks + [request.chainLink]).facts(requestedAt: request.location)
  }

  /// The test, as a line of a diagnosis, unless one of the places in that is in the test's file.
  ///
  /// It has the place in that file that opened the innermost scope, or else the test's own.
  func testFacts(besides places: [CodeLocation]) -> [(String, String)] {
    guard let opener = outermostOfTest?.opener else { return [] }
    // A context that is carried there may run in another test.
    let isRunning = IssueReporter.currentTest == opener.name
    let test = (isRunning ? IssueReporter.testLocation : nil) ?? opener.location
    if test.line == 0 || places.contains(where: { $0.fileID == test.fileID }) { return [] }
    let scope = chain.lazy.map(\.opener.location).first { $0.fileID == test.fileID }
    return [("test:", "\(opener.name), at \(scope ?? test)")]
  }

  func testFacts(besides request: Request) -> [(String, String)] {
    testFacts(besides: Chain.currentLinks.map(\.location) + [request.location])
  }

  static var threadText: String { Thread.isMainThread ? "main" : "another than main" }
}

extension ContextFrame.Opener {
  /// The test and the place as lines of a diagnosis.
  var facts: [(String, String)] {
    [("test:", name)] + (location.line == 0 ? [] : [("opened:", "\(location)")])
  }
}
#endif
