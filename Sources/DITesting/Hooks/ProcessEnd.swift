#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

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
