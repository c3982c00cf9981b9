internal import DIPrimitives

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
    di_tests_note(true)
  }

  /// The hooks, of a testing module that nobody has used yet too; nil in production.
  ///
  /// Linked to the process is enough: a test that opens no scope is to hear of what it changes. The
  /// search takes a while, and happens once.
  @inline(never)
  static func ofTests() -> ProcessHooks? {
    if !di_tests_are_possible() { return nil }
    if let current { return current }
    guard let module = Resolver.self as Any as? any TestedProcess.Type else {
      di_tests_note(false)
      return nil
    }
    module.bindHooks()
    return current
  }
}

/// A test, told apart from others that have its name.
final class RunningTest: Sendable, Hashable {
  let name: String
  /// Where it is declared, if that can be told; names are unique where it cannot.
  private let location: CodeLocation?

  init(_ name: String, at location: CodeLocation?) { (self.name, self.location) = (name, location) }

  static func == (left: RunningTest, right: RunningTest) -> Bool {
    left.name == right.name && left.location == right.location
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(location)
  }
}

extension ProcessHooks {
  /// The running test, if it can be told.
  var runningTest: RunningTest? { currentTest().map { RunningTest($0, at: testLocation()) } }
}

/// What tells the kernel that the testing module is linked to the process: a conformance of
/// `Resolver`.
package protocol TestedProcess {
  /// Binds the module's hooks.
  static func bindHooks()
}
