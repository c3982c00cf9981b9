#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles that were never resolved. Those of a test's own body are reported when their scope ends;
// those of set-up that tests share, when the suite ends (SharedSetUp.swift).

extension ContextFrame {
  /// Whether a double of this scope was never resolved, or a suite is to hear which were.
  var mayHaveUnused: Bool {
    SharedSetUp.current != nil
      || holdsRegistration { $0.isTracked && !$0.wasResolved || $0.mayHaveEarlier }
  }

  /// The doubles of this scope that were never resolved; none if the test did not run to its end.
  var unusedDoubles: [OwnRegistration] { unused(among: ownRegistrations) }

  private func unused(among all: [OwnRegistration]) -> [OwnRegistration] {
    if isCutShort { return [] }
    return all.filter { $0.registration.isExpected && !$0.registration.wasResolved }
  }

  /// Adds findings about the test's own doubles that were never resolved, and notes those of
  /// shared set-up for the end of the suite.
  func noteUnused(_ all: [OwnRegistration]) {
    let body = TestBody(self)
    if let suite = SharedSetUp.current {
      for double in all.map(\.registration)
      where double.isExpected && double.wasResolved && !body.holds(double) {
        suite.noteResolved(double.place)
      }
    }
    let unused = unused(among: all)
    if unused.isEmpty { return }
    ContextFrame.$bound.withValue(self) {
      for double in unused {
        if body.holds(double.registration) {
          add(finding(about: double))
        } else if isExplained(double.registration.key) {
          explainUnused(double.registration.place)
        } else if let suite = SharedSetUp.current, body.isInModule(double.registration),
          let severity = testPolicies?.unusedDoubles.map(\.severity) ?? .warning
        {
          suite.noteUnused(double.registration.place) {
            DiagnosticIssue(
              text: text(about: double, ofSuite: true), severity: severity,
              location: double.registration.location)
          }
        }
      }
    }
  }

  private func finding(about double: OwnRegistration) -> FrameFinding {
    let (key, location) = (double.registration.key, double.registration.location)
    // That of another test may be the cause: each test hears of what its doubles would have served.
    let action = notes?.unscoped.first { $0.isRequest(for: key) }
    return FrameFinding(
      text: action?.text(double: location) ?? text(about: double), location: location, key: key,
      isOfUnused: true, wasResolved: double.registration.options.wasResolved)
  }

  /// Returns the text about a double that was never resolved, with what was resolved or registered
  /// instead.
  private func text(about double: OwnRegistration, ofSuite: Bool = false) -> String {
    let registration = double.registration
    let key = registration.key
    let close = closeToUnused(registration)
    // Another container may have a property of its name, or a service of its type.
    let isPlaced = key.property != nil || close.contains { $0.key == key }
    let place = isPlaced ? ", in \(double.core.label)" : ""
    let facts =
      [("registered:", "\(registration.location)\(place)")]
      + (ofSuite ? testFacts(besides: [registration.location]) : [])
    let headline =
      ofSuite
      ? "No test of the suite resolved the double for `\(key)`."
      : "The double for `\(key)` was never resolved"
    let mark = "If it may go unused, mark it: \(unusedAdvice(registration))."
    if let hider = notes?.hiders[double.id] {
      return Diagnosis(
        headline: ofSuite ? headline : headline + ": another one hides it.",
        facts: facts + [("hidden by:", hider)],
        fixes: ["Remove it, or the one that hides it.", mark]
      ).text
    }
    return TypeNames.telling(apart: [key] + close.map(\.key)) {
      Diagnosis(
        headline: ofSuite ? headline : headline + ".",
        facts: facts
          + close.map(\.fact),
        fixes: close.compactMap(\.fix) + [
          "Remove it, or check that the code under test resolves `\(key)`.", mark,
        ]
      ).text
    }
  }

  /// Returns the code that allows a double to go unused.
  private func unusedAdvice(_ registration: Registration) -> String {
    let sandbox =
      self.sandbox?.opener.isTest == true && ProcessHooks.current.runsOneTestAtATime()
      ? "`override var unusedDoubles: Strictness? { .off }`"
      : "`unusedDoubles: .off` for the sandbox"
    // `double(_:)` returns the double, and `decorate` nothing.
    let isMarkable = !registration.isTransparent && !isTestDouble(at: registration.location)
    let mark = "`.mayBeUnused()` on the registration"
    if self.sandbox == nil, isMarkable { return mark }
    return isMarkable ? "\(mark), or \(sandbox)" : sandbox
  }
}
#endif
