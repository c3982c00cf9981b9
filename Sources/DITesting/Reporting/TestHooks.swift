#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// Binds the kernel's hooks to the running test framework, once.
enum TestHooks {
  static func install() { _ = installed }

  private static let installed: Void = ProcessHooks.bind(
    ProcessHooks(
      currentTest: { IssueReporter.currentTest }, report: { IssueReporter.report($0) }))
}
#endif
