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
  /// Reports an issue; `test`: the name of its test, if that has ended.
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
  /// Each runs in a task. Reading the current test takes three times as long as finding that there
  /// is no task.
  static var test: Test? { isInTask() ? Test.current : nil }

  /// The name of the running test, if it is known.
  static var currentTest: String? {
    // The cheap check first: an optional test is copied by calls, even if it is nil.
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

  /// Whether a test of Swift Testing is running here, which may run concurrently with others.
  static var runsAmongOthers: Bool { test != nil }

  private static let isSwiftTesting = CommandLine.arguments.contains("--testing-library")

  private static let isXCTest =
    CommandLine.arguments.first.map { $0.contains(".xctest") || $0.hasSuffix("/xctest") } ?? false
    || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil
}

/// An observer that knows the running test of XCTest.
///
/// XCTest drops reports between tests, which go to standard error instead.
final class XCTestCaseObserver: NSObject, XCTestObservation {
  private struct State {
    var name: String?
    /// The running test case's class, if the observer was notified of it.
    var type: XCTestCase.Type?
    var isInstalled = false
    /// Whether its installation on the main thread is pending.
    var isAwaited = false
    /// Whether it was notified of a test; the first one may have begun before.
    var hasHeardOfTests = false
    var isBetweenTests = false
    /// The running suites, with the topmost layer of the process at their beginning.
    var suites: [(suite: ObjectIdentifier, top: ContextFrame?)] = []
    /// The findings at the end of a test, when XCTest accepts no more failures for it.
    var belated: [DiagnosticIssue] = []
  }

  private static let state = Lock(State())
  /// Whether there ever was a test's name; read whenever a scope opens.
  private static let isNaming = Atomic()

  static var current: String? { isNaming.isSet ? state.withLock { $0.name } : nil }
  static var currentType: XCTestCase.Type? { state.withLock { $0.type } }
  static var isBetweenTests: Bool { state.withLock { $0.isBetweenTests } }
  /// Whether it is notified of the ends of suites.
  static var isListening: Bool { state.withLock { $0.isInstalled } }

  /// Sets the name of the running test, for test cases that provide it themselves.
  static func set(_ test: String?) {
    isNaming.set(true)
    state.withLock { $0.name = test }
  }

  /// Installs the observer; if a test is running, its notifications begin with the next one.
  static func install() {
    guard IssueReporter.isOnlyXCTest else { return }
    // The list of observers belongs to the main thread, which is free while an async test runs.
    guard Thread.isMainThread else {
      let isFirst = state.withLock { state in
        defer { state.isAwaited = true }
        return !state.isInstalled && !state.isAwaited
      }
      if isFirst { DispatchQueue.main.async { install() } }
      return
    }
    let isFirst = state.withLock { state in
      defer { state.isInstalled = true }
      return !state.isInstalled
    }
    guard isFirst else { return }
    XCTestObservationCenter.shared.addTestObserver(XCTestCaseObserver())
    SuiteFindings.collectForXCTest()
  }

  func testCaseWillStart(_ testCase: XCTestCase) {
    StoredProperties.testsBegin(nil)
    Self.isNaming.set(true)
    let belated = Self.state.withLock { state in
      defer { state.belated = [] }
      state.name = testCase.name
      state.type = type(of: testCase)
      state.isBetweenTests = false
      state.hasHeardOfTests = true
      return state.belated
    }
    ProcessChange.startTest()
    // They fail this test, because the one that they name has ended.
    for issue in belated { IssueReporter.report(issue) }
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    StoredProperties.testsBegin(nil)
    reportChanges(testCase.name, testCase, isSuite: false)
    let isLate = Self.state.withLock { state in
      defer { state.hasHeardOfTests = true }
      return !state.hasHeardOfTests
    }
    // Layers that existed before the test began, such as one of the class's `setUp`, stay. A test
    // that pushed before this observer was installed had no name then.
    let forgotten = LayerStack.unwindProcess(after: testCase.name) {
      $0.owner.name == testCase.name || isLate && $0.owner.name.isEmpty
    }
    Self.state.withLock { state in
      state.belated += forgotten
      state.name = nil
      state.type = nil
      state.isBetweenTests = true
    }
  }

  func testSuiteWillStart(_ testSuite: XCTestSuite) {
    StoredProperties.testsBegin(testSuite)
    let top = ContextFrame.processTop
    ProcessChange.startSuite()
    Self.state.withLock { $0.suites.append((ObjectIdentifier(testSuite), top)) }
  }

  /// Reports the changes to the process that a test or a suite left behind.
  private func reportChanges(_ name: String, _ testCase: XCTestCase, isSuite: Bool) {
    let type = String(reflecting: type(of: testCase))
    let suite = String(describing: Swift.type(of: testCase))
    for issue in ProcessChange.finish(
      name, suite: suite, module: String(type.prefix { $0 != "." }), isSuite: isSuite)
    {
      // XCTest accepts no more failures for the test.
      if issue.severity == .error {
        Self.state.withLock { $0.belated.append(issue) }
      } else {
        IssueReporter.report(issue)
      }
    }
  }

  // Layers of a class's `setUp`, or of a test that began before this observer was installed.
  func testSuiteDidFinish(_ testSuite: XCTestSuite) {
    SuiteFindings.endForXCTest()
    if let testCase = testSuite.tests.first as? XCTestCase {
      reportChanges("\(type(of: testCase))", testCase, isSuite: true)
    }
    let before = Self.state.withLock { state -> ContextFrame? in
      // Nothing is known of suites that began before this observer was installed; then it is
      // assumed that no layer was pushed before.
      guard state.suites.last?.suite == ObjectIdentifier(testSuite) else { return nil }
      return state.suites.removeLast().top
    }
    let forgotten = LayerStack.unwindProcess(after: testSuite.name) { $0 !== before }
    Self.state.withLock { $0.belated += forgotten }
    withExtendedLifetime(before) {}
  }

  func testBundleDidFinish(_ testBundle: Bundle) {
    let belated = Self.state.withLock { state in
      defer { state.belated = [] }
      return state.belated
    }
    for issue in belated { IssueReporter.report(issue) }
  }
}
#endif
