#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import Testing
import XCTest

// Each framework drops reports made through the other, so a report goes to exactly one: Swift
// Testing if one of its tests is running here or the process was started for it, otherwise XCTest.
// In a process without tests the text goes to standard error, as do warnings where the framework
// has none: in XCTest, and in Swift Testing before 6.3.

/// A reporter of issues to the running test framework.
enum IssueReporter {
  static func report(_ issue: DiagnosticIssue) {
    let location = issue.location
    if runsAmongOthers || isSwiftTesting, takes(issue.severity) {
      record(issue)
    } else if isXCTest, issue.severity == .error, !RunningXCTest.isBetweenTests {
      XCTFail(issue.text, file: location.staticFilePath, line: location.line)
      // XCTest drops the failure if no test is running, which is not known before the first one
      // that begins after the library was used.
      if RunningXCTest.name == nil { WarningLog.write(issue, of: nil) }
    } else {
      WarningLog.write(issue, of: RunningXCTest.name)
    }
  }

  #if compiler(>=6.3)
  private static func takes(_ severity: IssueSeverity) -> Bool { true }

  private static func record(_ issue: DiagnosticIssue) {
    Issue.record(
      Comment(rawValue: issue.text), severity: issue.severity == .error ? .error : .warning,
      sourceLocation: issue.location.sourceLocation)
  }
  #else
  // Each of its issues is a failure: warnings go to standard error.
  private static func takes(_ severity: IssueSeverity) -> Bool { severity == .error }

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
  /// Each runs in a task. Reading the current test takes three times as long as finding that there
  /// is no task.
  static var test: Test? { isInTask() ? Test.current : nil }

  /// The place where that test is declared.
  static var testLocation: CodeLocation? { test.map { CodeLocation($0.sourceLocation) } }

  private static func isInTask() -> Bool {
    // Comparing it with nil would copy the task twice.
    withUnsafeCurrentTask { if case .some = $0 { true } else { false } }
  }

  /// The name of the running test, if it is known.
  static var currentTest: String? {
    // The cheap check first: an optional test is copied by calls, even if it is nil.
    if isInTask(), let test = currentSwiftTest { return test }
    return RunningXCTest.name
  }

  @inline(never)
  private static var currentSwiftTest: String? {
    Test.current.map { $0.displayName ?? $0.name }
  }

  /// Whether the process runs XCTest only, which runs one test at a time.
  static var isOnlyXCTest: Bool { wasStartedForXCTest && !runsAmongOthers }

  static let wasStartedForXCTest = isXCTest && !isSwiftTesting

  /// Whether a test of Swift Testing is running here, which may run concurrently with others.
  static var runsAmongOthers: Bool { test != nil }

  /// Whether the calling code may be what the framework evaluates before it runs any test.
  ///
  /// XCTest does so on the main thread; the arguments and traits of Swift Testing belong to no
  /// case.
  static var mayBePlanning: Bool {
    if wasStartedForXCTest { return Thread.isMainThread && RunningXCTest.name == nil }
    return Test.Case.current == nil && !isExitTest
  }

  private static let isExitTest: Bool = {
    #if os(Linux)
    ExitTest.current != nil
    #elseif os(macOS)
    ExitTest.current != nil
    #else
    false
    #endif
  }()

  /// Whether the process was told which tests to run, so that some of a suite may be left out.
  static let runsSelectedTests = isSelection(CommandLine.arguments, isXCTest: wasStartedForXCTest)

  /// Whether a test runner's arguments select tests.
  ///
  /// XCTest's are such as `ShopTests.CartTests/testAdds`, several with commas.
  static func isSelection(_ arguments: [String], isXCTest: Bool) -> Bool {
    arguments.dropFirst().contains { argument in
      if ["--filter", "--skip", "-XCTest"].contains(argument.prefix { $0 != "=" }) { return true }
      let name = /[A-Za-z_]\w*\.[A-Za-z_]\w*(\/\w+)?/
      return isXCTest && !argument.hasSuffix(".xctest")
        && argument.prefix { $0 != "," }.wholeMatch(of: name) != nil
    }
  }

  /// Whether the process was started to run tests.
  static let isTestProcess = isXCTest || isSwiftTesting

  private static let isSwiftTesting = CommandLine.arguments.contains("--testing-library")

  private static let isXCTest =
    CommandLine.arguments.first.map { $0.contains(".xctest") || $0.hasSuffix("/xctest") } ?? false
    || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
}

/// A log of the issues that XCTest does not accept: warnings, and findings between two tests.
///
/// They are printed to standard error in the form of a compiler's warnings, and appended to the
/// file in the environment variable `DITESTING_WARNINGS`: `swift test --parallel` starts a process
/// for each XCTest, and drops the output of those that pass.
enum WarningLog {
  static func write(_ issue: DiagnosticIssue, of test: String?) {
    let line = Data((text(issue, of: test) + "\n").utf8)
    FileHandle.standardError.write(line)
    if let file { file.write(line) }
  }

  /// Returns the path, severity, test and text: `/Shop/CartTests.swift:7:5: warning: …`.
  static func text(_ issue: DiagnosticIssue, of test: String?) -> String {
    let location = issue.location
    let place =
      location.line == 0
      ? "" : "\(location.filePath):\(location.line):\(max(1, location.column)): "
    let kind = issue.severity == .error ? "error" : "warning"
    return "\(place)\(kind): \(test.map { "\($0) : " } ?? "")\(issue.text)"
  }

  private static let file: FileHandle? = {
    guard let path = ProcessInfo.processInfo.environment["DITESTING_WARNINGS"] else { return nil }
    // Several processes append to it concurrently, each text in one piece.
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor)
  }()
}

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

extension CodeLocation {
  static var unknown: CodeLocation {
    CodeLocation(fileID: "<unknown>", filePath: "<unknown>", line: 0, column: 0)
  }

  /// The location in Swift Testing's form.
  var sourceLocation: Testing.SourceLocation {
    Testing.SourceLocation(
      fileID: fileID, filePath: filePath, line: max(1, Int(line)), column: max(1, Int(column)))
  }

  /// Creates a location from one of Swift Testing.
  init(_ location: Testing.SourceLocation) {
    #if compiler(>=6.3)
    let filePath = location.filePath
    #else
    let filePath = location._filePath
    #endif
    self.init(
      fileID: location.fileID, filePath: filePath, line: UInt(location.line),
      column: UInt(location.column))
  }
}
#endif
