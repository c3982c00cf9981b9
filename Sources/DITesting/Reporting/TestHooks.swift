#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

/// Binds the kernel's hooks to the running test framework, once.
enum TestHooks {
  static func install() {
    // Every scope that opens comes here.
    if mayRunXCTest { XCTestCaseObserver.install() }
  }

  /// Whether this may be a process of XCTest's; asking binds the hooks.
  private static let mayRunXCTest: Bool = {
    ProcessHooks.bind(
      ProcessHooks(
        currentTest: { IssueReporter.currentTest },
        testLocation: { Test.current.map { CodeLocation($0.sourceLocation) } },
        isInTest: { Test.current != nil },
        runsOneTestAtATime: { IssueReporter.isOnlyXCTest },
        report: { IssueReporter.report($0) }))
    return IssueReporter.wasStartedForXCTest
  }()
}
#endif
