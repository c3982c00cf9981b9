#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double that one test does not resolve may be for another: set-up that several tests share
// registers for all of them. So warnings about unused doubles wait until the end of the suite, and
// are reported once for each line of code.
//
// The suite is, in Swift Testing, the outermost suite or test with one of the traits that register
// doubles, and in XCTest the test case class. If there is neither, as for a `withSandbox` in a
// test without a trait, a warning is reported at the end of the scope.

/// The doubles that the tests of one suite left unused.
final class SuiteFindings: Sendable {
  private struct UnusedLine {
    let issue: DiagnosticIssue
    let test: String
    /// The flags that the doubles it registered were resolved: work may outlive its test.
    var wereResolved: [Atomic] = []
    /// Whether more than one test registered it, if that identifies shared set-up.
    var isSetUp = false
  }

  private struct Collected {
    var pending: [DoublePlace: UnusedLine] = [:]
    var order: [DoublePlace] = []
  }

  private let state = Lock(Collected())
  /// Whether the report of an issue contains the name of its test anyway.
  let namesTests: Bool
  private let report: @Sendable (DiagnosticIssue, String) -> Void

  init(namesTests: Bool, report: @escaping @Sendable (DiagnosticIssue, String) -> Void) {
    self.namesTests = namesTests
    self.report = report
  }

  @TaskLocal private static var bound: SuiteFindings?
  private static let ofXCTest = SuiteFindings(namesTests: true) {
    IssueReporter.report($0, of: $1)
  }
  /// Whether there was any suite.
  private static let areCollected = Atomic()
  /// Whether the ends of XCTest's suites are observed.
  private static let isForXCTest = Atomic()

  /// The suite of the running tests.
  static var current: SuiteFindings? {
    guard areCollected.isSet else { return nil }
    return bound ?? (isForXCTest.isSet ? ofXCTest : nil)
  }

  /// Runs the tests of a suite, unless it is part of one that is running, and reports at the end.
  nonisolated(nonsending) static func collect(_ operation: () async throws -> Void) async throws {
    if bound != nil { return try await operation() }
    let suite = SuiteFindings(namesTests: false) { issue, _ in IssueReporter.report(issue) }
    try await collectAnew(into: suite, operation)
  }

  /// Runs the tests of a suite and reports at the end.
  nonisolated(nonsending) static func collectAnew(
    into suite: SuiteFindings, _ operation: () async throws -> Void
  ) async throws {
    areCollected.set(true)
    defer { suite.end() }
    try await $bound.withValue(suite) { try await operation() }
  }

  /// Begins to collect findings for XCTest's suites, the ends of which are observed from now on.
  static func collectForXCTest() {
    isForXCTest.set(true)
    areCollected.set(true)
  }

  /// Reports the findings of the ended suite of XCTest.
  static func endForXCTest() { ofXCTest.end() }

  /// Adds a double that a test left unused.
  ///
  /// - Parameters:
  ///   - place: The line that registers it.
  ///   - test: The name of the test.
  ///   - severalTellSetUp: Whether a line that several tests run is shared set-up.
  ///   - wasResolved: The flag that the double was resolved, read when the suite ends.
  ///   - issue: Makes the report, once.
  func add(
    _ place: DoublePlace, of test: String, severalTellSetUp: Bool, wasResolved: Atomic?,
    _ issue: () -> DiagnosticIssue
  ) {
    let flags = wasResolved.map { [$0] } ?? []
    func addToKnown(_ state: inout Collected) -> Bool {
      guard let pending = state.pending[place] else { return false }
      state.pending[place]?.wereResolved += flags
      if severalTellSetUp, pending.test != test { state.pending[place]?.isSetUp = true }
      return true
    }
    if state.withLock(addToKnown) || DoubleRecord.isSettled(place) { return }
    let pending = UnusedLine(issue: issue(), test: test, wereResolved: flags)
    state.withLock { state in
      // Another test may have added the line meanwhile.
      if addToKnown(&state) { return }
      state.pending[place] = pending
      state.order.append(place)
    }
  }

  private func end() {
    let ended = state.withLock { exchange(&$0, with: Collected()) }
    for place in ended.order {
      guard let pending = ended.pending[place] else { continue }
      if pending.wereResolved.contains(where: \.isSet) { DoubleRecord.noteResolved(place) }
      guard !pending.isSetUp, DoubleRecord.isFirst(place) else { continue }
      report(pending.issue, pending.test)
    }
  }
}

/// The lines that register doubles, with their use during the run.
enum DoubleRecord {
  private struct Lines {
    var resolved: Set<DoublePlace> = []
    var reported: Set<DoublePlace> = []
  }

  private static let state = Lock(Lines())

  static func noteResolved(_ place: DoublePlace) {
    state.withLock { state in
      // Most are known, and inserting would copy them all the same.
      if !state.resolved.contains(place) { state.resolved.insert(place) }
    }
  }

  /// Whether a test resolved the line's double, or it was reported.
  static func isSettled(_ place: DoublePlace) -> Bool {
    state.withLock { $0.resolved.contains(place) || $0.reported.contains(place) }
  }

  /// Returns whether the line's double is neither resolved nor reported, and marks it as reported.
  static func isFirst(_ place: DoublePlace) -> Bool {
    state.withLock { state in
      !state.resolved.contains(place) && state.reported.insert(place).inserted
    }
  }
}
#endif
