/// What the testing module lends to the kernel: who is being tested, and where issues go.
///
/// Nothing is bound in production; the kernel knows no test framework.
package struct ProcessHooks: Sendable {
  /// The name of the running test, if it can be told.
  var currentTest: @Sendable () -> String?
  /// Where the running test is declared, if it can be told.
  var testLocation: @Sendable () -> CodeLocation?
  /// Whether the calling task is known to be part of a test.
  var isInTest: @Sendable () -> Bool
  /// Whether the process runs its tests one after the other.
  var runsOneTestAtATime: @Sendable () -> Bool
  var report: IssueHandler

  package init(
    currentTest: @escaping @Sendable () -> String? = { nil },
    testLocation: @escaping @Sendable () -> CodeLocation? = { nil },
    isInTest: @escaping @Sendable () -> Bool = { false },
    runsOneTestAtATime: @escaping @Sendable () -> Bool = { false },
    report: @escaping IssueHandler
  ) {
    self.currentTest = currentTest
    self.testLocation = testLocation
    self.isInTest = isInTest
    self.runsOneTestAtATime = runsOneTestAtATime
    self.report = report
  }

  private static let bound = Lock<ProcessHooks?>(nil)

  static var current: ProcessHooks? { bound.withLock { $0 } }

  package static func bind(_ hooks: ProcessHooks) {
    if hooks.runsOneTestAtATime() { ContextFrame.listAllScopes() }
    bound.withLock { bound in
      if bound == nil { bound = hooks }
    }
  }
}
