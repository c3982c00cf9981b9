#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double that one test does not resolve may be for another, where several share the set-up that
// registers it: presets, suites' traits, `init`, stored properties, `setUp`. Such a double is
// reported when the suite ends, if none of its tests resolved it.
//
// The suite is, in Swift Testing, the outermost suite or test with one of the traits that register
// doubles, and in XCTest the test case class.

/// The doubles of set-up that the tests of one suite share.
final class SharedSetUp: Sendable {
  /// The report for each line that registers one; nil if a test resolved it.
  private let lines = Lock<[DoublePlace: DiagnosticIssue?]>([:])
  private let report: IssueHandler

  init(report: @escaping IssueHandler = { IssueReporter.report($0) }) { self.report = report }

  @TaskLocal private static var bound: SharedSetUp?
  private static let ofXCTest = SharedSetUp()

  /// The doubles of the running suite.
  static var current: SharedSetUp? { bound ?? (IssueReporter.isOnlyXCTest ? ofXCTest : nil) }

  /// Runs the tests of a suite, unless it is part of one that is running, and reports at the end.
  nonisolated(nonsending) static func collect(
    into suite: SharedSetUp? = nil, _ operation: () async throws -> Void
  ) async throws {
    if bound != nil, suite == nil { return try await operation() }
    let suite = suite ?? SharedSetUp()
    defer { suite.end() }
    try await $bound.withValue(suite) { try await operation() }
  }

  /// Reports the findings of the ended suite of XCTest.
  static func endForXCTest() { ofXCTest.end() }

  func noteResolved(_ place: DoublePlace) { lines.withLock { $0[place] = .some(nil) } }

  /// Notes a double that a test did not resolve; `issue` is made once.
  func noteUnused(_ place: DoublePlace, _ issue: () -> DiagnosticIssue) {
    if lines.withLock({ $0[place] != nil }) { return }
    let issue = issue()
    lines.withLock { if $0[place] == nil { $0[place] = issue } }
  }

  private func end() {
    let issues = lines.withLock { exchange(&$0, with: [:]) }.values.compactMap { $0 }
    for issue in issues.sorted(by: { $0.location.place < $1.location.place }) { report(issue) }
  }
}

extension CodeLocation {
  fileprivate var place: (String, UInt, UInt) { (fileID, line, column) }
}
#endif
