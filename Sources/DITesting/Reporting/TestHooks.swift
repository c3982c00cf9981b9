#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

extension Resolver: TestedProcess {
  /// Binds the kernel's hooks: a test that opens no scope is to hear of what it changes.
  package static func bindHooks() { TestHooks.install() }
}

/// Binds the kernel's hooks to the running test framework, once.
enum TestHooks {
  static func install() {
    // Every scope that opens comes here, and to ask for the running test takes a while.
    if isInstalledForXCTest { XCTestCaseObserver.install() }
  }

  private static let isInstalledForXCTest: Bool = {
    // Xcode runs tests of Swift Testing in the same process: one of those may be the first.
    if IssueReporter.wasStartedForXCTest { ContextFrame.listAllScopes() }
    ProcessHooks.bind(
      ProcessHooks(
        currentTest: { IssueReporter.currentTest },
        testLocation: { IssueReporter.test.map { CodeLocation($0.sourceLocation) } },
        isInTest: { IssueReporter.runsAmongOthers },
        runsOneTestAtATime: { IssueReporter.isOnlyXCTest },
        report: { IssueReporter.report($0) }))
    return IssueReporter.wasStartedForXCTest
  }()
}
#endif
