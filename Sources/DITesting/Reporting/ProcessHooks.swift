#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The test framework, as findings see it: the running test, and the handler of issues.
///
/// Tests of findings bind others.
struct ProcessHooks: Sendable {
  /// Returns the name of the running test, if known.
  var currentTest: @Sendable () -> String? = { nil }
  /// Returns the place where the running test is declared, if known.
  var testLocation: @Sendable () -> CodeLocation? = { nil }
  /// Returns whether the calling code may be what the framework evaluates before it runs a test.
  var mayBePlanning: @Sendable () -> Bool = { false }
  /// Returns whether the calling task is known to be part of a test.
  var isInTest: @Sendable () -> Bool = { false }
  /// Returns whether the process runs its tests one after the other.
  var runsOneTestAtATime: @Sendable () -> Bool = { false }
  var report: IssueHandler

  /// The running test, if it is known.
  var runningTest: RunningTest? { currentTest().map { RunningTest($0, at: testLocation()) } }

  /// The hooks of the process's test framework.
  static let ofFramework = ProcessHooks(
    currentTest: { IssueReporter.currentTest },
    testLocation: { IssueReporter.testLocation },
    mayBePlanning: { IssueReporter.mayBePlanning },
    isInTest: { IssueReporter.runsAmongOthers },
    runsOneTestAtATime: { IssueReporter.isOnlyXCTest },
    report: IssueReporter.report)

  private static let bound = Lock<ProcessHooks?>(nil)

  static var current: ProcessHooks { bound.withLock { $0 } ?? ofFramework }

  /// Sets the hooks, unless they are set.
  static func set(_ hooks: ProcessHooks) {
    if hooks.runsOneTestAtATime() { ContextFrame.listAllFrames() }
    bound.withLock { bound in
      if bound == nil { bound = hooks }
    }
  }
}

/// A test, distinguished from others of the same name.
struct RunningTest: Sendable, Hashable {
  let name: String
  /// The place of its declaration; nil where that is unknown, and names are unique.
  private let location: CodeLocation?

  init(_ name: String, at location: CodeLocation?) { (self.name, self.location) = (name, location) }

  /// The time before any test, in which XCTest makes the test cases and their properties.
  static let listing = RunningTest("", at: .unknown)

  var isListing: Bool { self == .listing }
}

extension ContainerCore {
  /// The test that made the container, if known.
  var madeBy: RunningTest? { self[RunningTest.self] }
}
#endif
