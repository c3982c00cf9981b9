#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

extension Resolver: TestingModule {
  /// Binds the kernel's hooks, so that a test without a scope gets reports of its changes.
  package static func bindHooks() { TestHooks.install() }

  package static func willResolve() { TestHooks.notePlannedRequests() }
}

/// The hooks that connect the kernel to the running test framework, bound once.
enum TestHooks {
  static func install() {
    // Runs whenever a scope opens; finding the running test would take a while.
    if isInstalledForXCTest { XCTestCaseObserver.install() }
  }

  /// Begins to note requests, if the test framework may be planning tests.
  static func notePlannedRequests() {
    guard IssueReporter.isTestProcess, IssueReporter.mayBePlanning else { return }
    install()
    PlannedWork.begin()
  }

  private static let isInstalledForXCTest: Bool = {
    // A mistake in what it reads ends the process before any test relies on it.
    _ = ProcessPolicies.current
    // Xcode runs tests of Swift Testing in the same process, and one of them may be the first.
    if IssueReporter.wasStartedForXCTest { ContextFrame.listAllFrames() }
    ProcessHooks.bind(.ofFramework)
    if IssueReporter.isTestProcess { ProcessEnd.observe() }
    return IssueReporter.wasStartedForXCTest
  }()
}

/// The end of a process that ran tests, where reports are made that no test's end has made.
///
/// XCTest's observer is installed by the main thread, which may come to it too late if the first
/// test is async and the only one. Swift Testing notifies no library of the end of a test.
enum ProcessEnd {
  static func observe() { atexit { ProcessEnd.report() } }

  /// Reports the changes to the process that tests left, and fails the run for failures.
  private static func report() {
    FixtureScope.endProcess()
    let issues = ForgottenLayers.leftInProcess()
    if ProcessHooks.current.runsOneTestAtATime() {
      SharedSetUp.endForXCTest()
    }
    for issue in issues { WarningLog.write(issue, of: nil) }
    #if !canImport(Darwin)
    guard issues.contains(where: { $0.severity == .error }) else { return }
    // Not `exit`, which is running; it would have written what is still buffered.
    fflush(nil)
    _exit(EXIT_FAILURE)
    #endif
  }
}
#endif
