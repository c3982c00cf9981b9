#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import Testing
import XCTest

// Each framework drops what is reported through the other, so a report goes to exactly one:
// Swift Testing if a test of its own is running here or the process was started for it, otherwise
// XCTest. A process that is no test at all gets the text on standard error, as do warnings where
// the framework has none: XCTest, and Swift Testing before 6.3.

/// Sends issues to the test framework that is running.
enum IssueReporter {
  /// Reports an issue; `test`: the name of its test, where that is over.
  static func report(_ issue: DiagnosticIssue, of test: String? = nil) {
    let location = issue.location
    if runsAmongOthers || isSwiftTesting, takes(issue.severity) {
      record(issue)
    } else if isXCTest, issue.severity == .error, !XCTestCaseObserver.isBetweenTests {
      XCTFail(issue.text, file: location.staticFilePath, line: location.line)
    } else {
      WarningLog.write(issue, of: test ?? XCTestCaseObserver.current)
    }
  }

  #if compiler(>=6.3)
  private static func takes(_ severity: DiagnosticIssue.Severity) -> Bool { true }

  private static func record(_ issue: DiagnosticIssue) {
    Issue.record(
      Comment(rawValue: issue.text), severity: issue.severity == .error ? .error : .warning,
      sourceLocation: issue.location.sourceLocation)
  }
  #else
  // Each of its issues is a failure: warnings go to standard error.
  private static func takes(_ severity: DiagnosticIssue.Severity) -> Bool { severity == .error }

  private static func record(_ issue: DiagnosticIssue) {
    Issue.record(
      Comment(rawValue: issue.text), sourceLocation: issue.location.sourceLocation)
  }
  #endif

  static func fail(_ text: String, at location: CodeLocation) {
    report(DiagnosticIssue(text: text, severity: .error, location: location))
  }

  /// The test of Swift Testing that is running here.
  ///
  /// Each runs in a task, and to ask for it takes three times as long as to find that there is
  /// none.
  static var test: Test? { isInTask() ? Test.current : nil }

  /// The name of the running test, if it can be told.
  static var currentTest: String? {
    // First what costs little: an optional test, even if it is none, is copied by calls.
    if isInTask(), let test = currentSwiftTest { return test }
    return XCTestCaseObserver.current
  }

  @inline(never)
  private static var currentSwiftTest: String? {
    Test.current.map { $0.displayName ?? $0.name }
  }

  /// Whether the process runs XCTest only, which runs one test at a time.
  static var isOnlyXCTest: Bool { wasStartedForXCTest && !runsAmongOthers }

  static let wasStartedForXCTest = isXCTest && !isSwiftTesting

  /// Whether a test of Swift Testing is running here, which runs others at the same time.
  static var runsAmongOthers: Bool { test != nil }

  private static let isSwiftTesting = CommandLine.arguments.contains("--testing-library")

  private static let isXCTest =
    CommandLine.arguments.first.map { $0.contains(".xctest") || $0.hasSuffix("/xctest") } ?? false
    || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
}
#endif
