#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A double that one test does not resolve may be for another, where several share the set-up that
// registers it: presets, suites' traits, `init`, stored properties, `setUp`. Such a double is
// reported when the suite ends, if none of its tests resolved it.
//
// The suite is, in Swift Testing, the outermost suite or test with one of the traits that register
// doubles or set policies, and in XCTest the test case class.

/// The doubles of set-up that the tests of one suite share.
final class SharedSetUp: Sendable {
  /// The report for each line that registers one; nil if a test resolved it.
  private let lines = Lock<[DoublePlace: DiagnosticIssue?]>([:])
  private let report: IssueHandler

  init(report: @escaping IssueHandler = SharedSetUp.report) { self.report = report }

  // What tests would use that were left out is not known.
  private static func report(_ issue: DiagnosticIssue) {
    if !IssueReporter.runsSelectedTests { IssueReporter.report(issue) }
  }

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

  /// Notes whether an option matches something in a test; if it does in none of the suite, the
  /// headline is reported.
  func noteUnmatched(_ isMatched: Bool, _ headline: String, _ scope: ContextFrame) {
    let line = DoublePlace(
      key: ServiceKey(Never.self, name: Resolver.Name(headline)), location: .unknown)
    if isMatched { return noteResolved(line) }
    if scope.isCutShort { return }
    noteUnused(line) {
      DiagnosticIssue(
        text: Diagnosis(
          headline: headline, facts: [("test:", scope.opener.place)],
          fixes: ["Name what the tests of the suite resolve, or remove it."]
        ).text, severity: .warning, location: scope.opener.location)
    }
  }

  /// The reports so far, in the order of their places.
  var issues: [DiagnosticIssue] { Self.issues(lines.withLock { $0 }) }

  private static func issues(_ lines: [DoublePlace: DiagnosticIssue?]) -> [DiagnosticIssue] {
    lines.values.compactMap { $0 }.sorted { $0.location.place < $1.location.place }
  }

  private func end() {
    // Taken in one step: the next end has those that are noted meanwhile.
    for issue in Self.issues(lines.withLock { exchange(&$0, with: [:]) }) { report(issue) }
  }
}

extension CodeLocation {
  fileprivate var place: (String, UInt, UInt) { (fileID, line, column) }
}

/// The code of a test itself, in contrast to the set-up that it shares with others.
struct TestBody {
  /// The line of the test, or of the function that opened the scope in it; nil if unknown.
  private let start: CodeLocation?
  /// The serial number at which a test case's `setUp` was over, if it is known.
  private let setUpEnd: UInt64?
  /// The places whose module is the test's, if they name one: the first that does.
  private let places: [CodeLocation]

  init(_ scope: ContextFrame) {
    let test = IssueReporter.testLocation
    // What a test case's `setUp` opens is above the test's functions, too.
    start = test ?? (scope.pushed == nil ? scope.opener.location : nil)
    setUpEnd = scope.chain.lazy.compactMap { $0.notes?.setUpEnd }.first
    let outermost = scope.outermostOfTest ?? scope
    places = [test ?? outermost.opener.location, scope.opener.location]
  }

  /// Whether the test itself made a registration: at or below its line, in its file.
  func holds(_ double: Registration) -> Bool {
    if let setUpEnd { return double.id > setUpEnd && isInModule(double) }
    return start.map { double.location.isInBody(from: $0) } ?? false
  }

  /// Whether a line is known to be none of the running test's own.
  static func isElsewhere(_ location: CodeLocation) -> Bool {
    IssueReporter.testLocation.map { !location.isInBody(from: $0) } ?? false
  }

  /// Whether a registration is in the test's module: others are production's.
  func isInModule(_ double: Registration) -> Bool {
    let module = places.lazy.map(\.module).first { !$0.isEmpty }
    return module == nil || double.location.module == module
  }
}

extension CodeLocation {
  fileprivate func isInBody(from start: CodeLocation) -> Bool {
    fileID == start.fileID && line >= start.line
  }
}

extension FramePolicy {
  /// Notes which of the scope's own options match something, for the report at the suite's end.
  func noteMatches(in scope: ContextFrame) {
    guard let suite = SharedSetUp.current else { return }
    for exception in exceptions {
      suite.noteUnmatched(
        exception.isUsed, "\(exception.subject) may be live, but no live one was resolved.", scope)
    }
    for type in leftOut {
      suite.noteUnmatched(
        Assembler.applied.withLock { $0.contains(ObjectIdentifier(type)) },
        "`\(ServiceKey(type))` is left out, but no such assembly was applied.", scope)
    }
    for fallback in fallbacks {
      guard let name = fallback.name else { continue }
      suite.noteUnmatched(
        fallback.wasUsed, "\(name) made no double for what was requested.", scope)
    }
  }
}
#endif
