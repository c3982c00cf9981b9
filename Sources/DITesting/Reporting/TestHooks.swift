#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

/// Binds the kernel's hooks to the running test framework, once.
enum TestHooks {
  static func install() {
    _ = installed
    XCTestCaseObserver.install()
  }

  private static let installed: Void = ProcessHooks.bind(
    ProcessHooks(
      currentTest: { IssueReporter.currentTest },
      testLocation: { Test.current.map { CodeLocation($0.sourceLocation) } },
      isInTest: { Test.current != nil },
      runsOneTestAtATime: { IssueReporter.isOnlyXCTest },
      report: { IssueReporter.report($0) }))
}
#endif
