#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import Testing
import XCTest

// Each framework drops what is reported through the other, so a report goes to exactly one:
// Swift Testing if a test of its own is running here or the process was started for it, otherwise
// XCTest. A process that is no test at all gets the text on standard error.

/// Sends issues to the test framework that is running.
enum IssueReporter {
  static func report(_ issue: DiagnosticIssue) {
    let location = issue.location
    if Test.current != nil || isSwiftTesting {
      Issue.record(
        Comment(rawValue: issue.text), severity: issue.severity == .error ? .error : .warning,
        sourceLocation: location.sourceLocation)
    } else if isXCTest, issue.severity == .error {
      XCTFail(issue.text, file: location.staticFilePath, line: location.line)
    } else {
      let kind = issue.severity == .error ? "error" : "warning"
      FileHandle.standardError.write(Data("\(location): \(kind): \(issue.text)\n".utf8))
    }
  }

  static func fail(_ text: String, at location: CodeLocation) {
    report(DiagnosticIssue(text: text, severity: .error, location: location))
  }

  /// The name of the running test, if it can be told.
  static var currentTest: String? {
    if let test = Test.current { return test.displayName ?? test.name }
    return XCTestCaseObserver.current
  }

  /// Whether the process runs XCTest only, which runs one test at a time.
  static var isOnlyXCTest: Bool { isXCTest && !isSwiftTesting && Test.current == nil }

  private static let isSwiftTesting = CommandLine.arguments.contains("--testing-library")

  private static let isXCTest =
    CommandLine.arguments.first.map { $0.contains(".xctest") || $0.hasSuffix("/xctest") } ?? false
    || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
}

/// Knows which `SandboxTestCase` is running.
enum XCTestCaseObserver {
  private static let name = Lock<String?>(nil)

  static var current: String? { name.withLock { $0 } }

  static func set(_ test: String?) { name.withLock { $0 = test } }
}
#endif
