internal import DIPrimitives

/// The testing module's hooks for the kernel: the running test, and the handler of issues.
///
/// None are bound in production; the kernel depends on no test framework.
package struct ProcessHooks: Sendable {
  /// Returns the name of the running test, if known.
  var currentTest: @Sendable () -> String?
  /// Returns the place where the running test is declared, if known.
  var testLocation: @Sendable () -> CodeLocation?
  /// Returns whether the calling task is known to be part of a test.
  var isInTest: @Sendable () -> Bool
  /// Returns whether the process runs its tests one after the other.
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
    Tests.install(Findings())
  }
}

/// A test, distinguished from others of the same name.
struct RunningTest: Sendable, Hashable {
  let name: String
  /// The place of its declaration; nil where that is unknown, and names are unique.
  private let location: CodeLocation?

  init(_ name: String, at location: CodeLocation?) { (self.name, self.location) = (name, location) }
}

extension ProcessHooks {
  /// The running test, if it is known.
  var runningTest: RunningTest? { currentTest().map { RunningTest($0, at: testLocation()) } }
}
