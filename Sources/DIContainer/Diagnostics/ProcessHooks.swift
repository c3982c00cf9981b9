/// What the testing module lends to the kernel: who is being tested, and where issues go.
///
/// Nothing is bound in production; the kernel knows no test framework.
package struct ProcessHooks: Sendable {
  /// The name of the running test, if it can be told.
  package var currentTest: @Sendable () -> String?
  package var report: IssueHandler

  package init(currentTest: @escaping @Sendable () -> String?, report: @escaping IssueHandler) {
    self.currentTest = currentTest
    self.report = report
  }

  private static let bound = Lock<ProcessHooks?>(nil)

  package static var current: ProcessHooks? { bound.withLock { $0 } }

  package static func bind(_ hooks: ProcessHooks) {
    bound.withLock { bound in
      if bound == nil { bound = hooks }
    }
  }
}
