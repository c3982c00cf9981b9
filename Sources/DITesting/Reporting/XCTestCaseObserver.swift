#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation
import XCTest

/// Knows which XCTest is running.
///
/// XCTest drops what is reported while none is: that goes to standard error instead.
final class XCTestCaseObserver: NSObject, XCTestObservation {
  private struct State {
    var name: String?
    /// The running test case's class, where the observer heard of it.
    var type: XCTestCase.Type?
    var isInstalled = false
    /// Whether the main thread is to install it.
    var isAwaited = false
    /// Whether a test was heard to start; the first may have begun before.
    var hasHeardOfTests = false
    var isBetweenTests = false
    /// The suites that are running, with what was on top of the process when they began.
    var suites: [(suite: ObjectIdentifier, top: ContextFrame?)] = []
    /// What was found at the end of a test, when XCTest takes no failure for it any more.
    var belated: [DiagnosticIssue] = []
  }

  private static let state = Lock(State())
  /// Whether a test was ever named; asked with every scope that opens.
  private static let isNaming = Atomic()

  static var current: String? { isNaming.isSet ? state.withLock { $0.name } : nil }
  static var currentType: XCTestCase.Type? { state.withLock { $0.type } }
  static var isBetweenTests: Bool { state.withLock { $0.isBetweenTests } }
  /// Whether the ends of suites are heard of.
  static var isListening: Bool { state.withLock { $0.isInstalled } }

  /// For test cases that tell their name themselves.
  static func set(_ test: String?) {
    isNaming.set(true)
    state.withLock { $0.name = test }
  }

  /// Begins to listen; a test that is running by then is not heard of before the next one.
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
    // They fail this test, for want of the one that they name.
    for issue in belated { IssueReporter.report(issue) }
  }

  func testCaseDidFinish(_ testCase: XCTestCase) {
    StoredProperties.testsBegin(nil)
    reportChanges(testCase.name, testCase, isSuite: false)
    let isLate = Self.state.withLock { state in
      defer { state.hasHeardOfTests = true }
      return !state.hasHeardOfTests
    }
    // What was there before the test began, such as a layer of the class's `setUp`, stays. A test
    // that pushed before this observer could listen had no name then.
    let forgotten = LayerStack.unwindProcess(after: testCase.name) {
      $0.owner.name == testCase.name || isLate && $0.owner.name.isEmpty
    }
    SharedStubs.forget(testCase.name)
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

  /// Reports what the process keeps of a test or a suite.
  private func reportChanges(_ name: String, _ testCase: XCTestCase, isSuite: Bool) {
    let type = String(reflecting: type(of: testCase))
    let suite = String(describing: Swift.type(of: testCase))
    for issue in ProcessChange.finish(
      name, suite: suite, module: String(type.prefix { $0 != "." }), isSuite: isSuite)
    {
      // XCTest takes no failure for the test any more.
      if issue.severity == .error {
        Self.state.withLock { $0.belated.append(issue) }
      } else {
        IssueReporter.report(issue)
      }
    }
  }

  // What a class's `setUp` left, or a test that began before this observer could listen.
  func testSuiteDidFinish(_ testSuite: XCTestSuite) {
    SuiteFindings.endForXCTest()
    if let testCase = testSuite.tests.first as? XCTestCase {
      reportChanges("\(type(of: testCase))", testCase, isSuite: true)
    }
    let before = Self.state.withLock { state -> ContextFrame? in
      // Of suites that began before this observer could listen, nothing is known: then nothing was
      // pushed before.
      guard state.suites.last?.suite == ObjectIdentifier(testSuite) else { return nil }
      return state.suites.removeLast().top
    }
    let forgotten = LayerStack.unwindProcess(after: testSuite.name) { $0 !== before }
    Self.state.withLock { $0.belated += forgotten }
    withExtendedLifetime(before) {}
  }

  /// Fails the run for what its last test left: there is no other test to fail for it.
  func testBundleDidFinish(_ testBundle: Bundle) {
    let belated = Self.state.withLock { state in
      defer { state.belated = [] }
      return state.belated
    }
    for issue in belated { WarningLog.write(issue, of: nil) }
    #if !canImport(Darwin)
    // Under Xcode, whoever started the process would take this for a crash.
    if !belated.isEmpty { exit(EXIT_FAILURE) }
    #endif
  }
}
#endif
