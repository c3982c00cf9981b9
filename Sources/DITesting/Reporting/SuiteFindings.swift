#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double that one test does not resolve may be there for another: set-up that several tests share
// registers for all of them. So warnings about unused doubles wait until the suite is over, and
// come once for each line of code.
//
// The suite is, in Swift Testing, the outermost suite or test with one of the traits that register
// doubles, and in XCTest the test case class. Where there is neither, as for a `withSandbox` in a
// test without a trait, a warning comes at the end of the scope.

/// The doubles that tests of one suite left unused.
final class SuiteFindings: Sendable {
  private struct Pending {
    let issue: DiagnosticIssue
    let test: String
    /// Whether more than one test registered it, where that tells shared set-up.
    var isSetUp = false
  }

  private struct State {
    var pending: [DoublePlace: Pending] = [:]
    var order: [DoublePlace] = []
  }

  private let state = Lock(State())
  /// Whether the report of an issue names its test by itself.
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
  /// Whether any suite was there; asked with every scope that closes.
  private static let areCollected = Atomic()

  /// The suite whose tests are running here.
  static var current: SuiteFindings? {
    guard areCollected.isSet else { return nil }
    return bound ?? (XCTestCaseObserver.isListening ? ofXCTest : nil)
  }

  /// Runs the tests of a suite, unless it is part of one that is running, and reports at the end.
  nonisolated(nonsending) static func collect(
    into suite: @autoclosure () -> SuiteFindings = SuiteFindings(namesTests: false) { issue, _ in
      IssueReporter.report(issue)
    },
    _ operation: () async throws -> Void
  ) async throws {
    if bound != nil { return try await operation() }
    try await collectAnew(into: suite(), operation)
  }

  /// Runs the tests of a suite and reports at the end.
  nonisolated(nonsending) static func collectAnew(
    into suite: SuiteFindings, _ operation: () async throws -> Void
  ) async throws {
    areCollected.set(true)
    defer { suite.end() }
    try await $bound.withValue(suite) { try await operation() }
  }

  /// Has XCTest's suites report, whose ends are heard of from now on.
  static func collectForXCTest() { areCollected.set(true) }

  /// Reports the suite of XCTest that is over.
  static func endForXCTest() { ofXCTest.end() }

  /// Adds a double that a test left unused.
  ///
  /// - Parameters:
  ///   - place: The line that registers it.
  ///   - test: The name of the test.
  ///   - severalTellSetUp: Whether a line that several tests run is shared set-up.
  ///   - issue: Makes the report, which is only done once.
  func add(
    _ place: DoublePlace, of test: String, severalTellSetUp: Bool, _ issue: () -> DiagnosticIssue
  ) {
    let isKnown = state.withLock { state in
      guard let pending = state.pending[place] else { return false }
      if severalTellSetUp, pending.test != test { state.pending[place]?.isSetUp = true }
      return true
    }
    if isKnown || DoubleRecord.isSettled(place) { return }
    let pending = Pending(issue: issue(), test: test)
    state.withLock { state in
      if state.pending[place] != nil { return }
      state.pending[place] = pending
      state.order.append(place)
    }
  }

  private func end() {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    for place in ended.order {
      guard let pending = ended.pending[place], !pending.isSetUp, DoubleRecord.isFirst(place)
      else { continue }
      report(pending.issue, pending.test)
    }
  }

  /// Notes the doubles that a scope's test resolved, in case another test does not.
  static func noteUsed(in scope: ContextFrame) {
    guard areCollected.isSet else { return }
    let used = scope.usedDoubles
    if !used.isEmpty { DoubleRecord.noteResolved(used) }
  }
}

/// The lines that register doubles, as far as the run has shown whether they are of use.
enum DoubleRecord {
  private struct State {
    var resolved: Set<DoublePlace> = []
    var reported: Set<DoublePlace> = []
  }

  private static let state = Lock(State())

  static func noteResolved(_ places: Set<DoublePlace>) {
    state.withLock { $0.resolved.formUnion(places) }
  }

  /// Whether a test resolved the line's double, or it was reported.
  static func isSettled(_ place: DoublePlace) -> Bool {
    state.withLock { $0.resolved.contains(place) || $0.reported.contains(place) }
  }

  /// The same, the other way round; from then on the line counts as reported.
  static func isFirst(_ place: DoublePlace) -> Bool {
    state.withLock { state in
      !state.resolved.contains(place) && state.reported.insert(place).inserted
    }
  }
}
#endif
