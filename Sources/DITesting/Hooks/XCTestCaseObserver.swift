#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import XCTest

/// The observer of XCTest's tests and suites, which reports what each of them left behind.
///
/// XCTest drops issues that are reported while no test runs: they go to standard error instead.
final class XCTestCaseObserver: NSObject, XCTestObservation {
  private struct Run {
    var isInstalled = false
    /// Whether the main thread was requested to install it.
    var isAwaited = false
    /// Whether the observer was notified of any test; the first may have begun before it could be.
    var hasHeardOfTests = false
    /// The running suites, with the process's top layer when each of them began.
    var suites: [(suite: ObjectIdentifier, top: ContextFrame?)] = []
    /// The issues found at the end of a test, when XCTest accepts no more failures for it.
    var belated: [DiagnosticIssue] = []
  }

  private static let state = Lock(Run())

  /// Installs the observer, which is not notified of the start of a test that is already running.
  static func install() {
    guard IssueReporter.isOnlyXCTest else { return }
    // The list of observers belongs to the main thread, which is free while an async test runs.
    guard Thread.isMainThread else {
      let isFirst = state.withLock { !$0.isInstalled && !exchange(&$0.isAwaited, with: true) }
      if isFirst { DispatchQueue.main.async { install() } }
      return
    }
    if state.withLock({ exchange(&$0.isInstalled, with: true) }) { return }
    XCTestObservationCenter.shared.addTestObserver(XCTestCaseObserver())
  }

  func testCaseWillStart(_ testCase: XCTestCase) {
    PlannedWork.end()
    RunningXCTest.begin(testCase)
    let belated = Self.state.withLock { state in
      state.hasHeardOfTests = true
      return exchange(&state.belated, with: [])
    }
    // They fail this test, because the one that they name has ended.
    for issue in belated { IssueReporter.report(issue) }
  }

  #if !canImport(ObjectiveC)
  // It may be the first that is heard of a test, which began before the observer was installed.
  func testCase(
    _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?,
    atLine lineNumber: Int
  ) {
    RunningXCTest.set(testCase.name)
  }
  #endif

  func testCaseDidFinish(_ testCase: XCTestCase) {
    PlannedWork.end()
    RootSwap.forget(by: testCase.name)
    let isLate = !Self.state.withLock { exchange(&$0.hasHeardOfTests, with: true) }
    // Layers pushed before the test began, such as one of the class's `setUp`, remain. A test that
    // pushed before this observer was installed had no name then.
    let forgotten = ForgottenLayers.unwindProcess(after: testCase.name) {
      $0.opener.name == testCase.name || isLate && $0.opener.name.isEmpty
    }
    Self.state.withLock { $0.belated += forgotten }
    RunningXCTest.end(testCase)
  }

  func testSuiteWillStart(_ testSuite: XCTestSuite) {
    PlannedWork.end()
    let top = ContextFrame.processTop
    Self.state.withLock { $0.suites.append((ObjectIdentifier(testSuite), top)) }
  }

  // Pops layers of a class's `setUp`, or of a test that began before this observer was installed.
  func testSuiteDidFinish(_ testSuite: XCTestSuite) {
    FixtureScope.endClasses()
    SharedSetUp.endForXCTest()
    let before = Self.state.withLock { state -> ContextFrame? in
      // Nothing is known of suites that began before this observer was installed: then nothing was
      // pushed before.
      guard state.suites.last?.suite == ObjectIdentifier(testSuite) else { return nil }
      return state.suites.removeLast().top
    }
    let forgotten = ForgottenLayers.unwindProcess(after: testSuite.name) { $0 !== before }
    Self.state.withLock { $0.belated += forgotten }
    releaseUnlocked(before)
  }

  /// Fails the run for the issues of its last test, because no other test can fail for them.
  func testBundleDidFinish(_ testBundle: Bundle) {
    FixtureScope.endBundle()
    let belated = Self.state.withLock { exchange(&$0.belated, with: []) }
    for issue in belated { WarningLog.write(issue, of: nil) }
    #if !canImport(Darwin)
    // Xcode would take this for a crash.
    if !belated.isEmpty { exit(EXIT_FAILURE) }
    #endif
  }
}
#endif
