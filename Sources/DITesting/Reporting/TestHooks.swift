#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

extension Resolver: TestingModule {
  /// Binds the kernel's hooks, so that a test without a scope gets reports of its changes.
  package static func bindHooks() { TestHooks.install() }

  package static func willResolve() { StoredProperties.listen() }
}

/// The hooks that connect the kernel to the running test framework, bound once.
enum TestHooks {
  static func install() {
    // Runs whenever a scope opens; finding the running test would take a while.
    if isInstalledForXCTest { XCTestCaseObserver.install() }
  }

  private static let isInstalledForXCTest: Bool = {
    // Xcode runs tests of Swift Testing in the same process, and one of them may be the first.
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
