#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import XCTest

/// A test case whose every test runs in a sandbox of its own, with a recorder.
///
/// The sandbox is open for `setUp` and `tearDown` in all their forms, for the test, sync or async,
/// and for teardown blocks. XCTest runs one test at a time, so the sandbox, or the innermost scope
/// in it, also answers code that left the task: detached tasks, queues, threads.
///
/// ```swift
/// final class CheckoutTests: SandboxTestCase {
///   override func registerDoubles(in root: Resolver) {
///     root.register { FakeGateway() as any PaymentGateway }
///   }
/// }
/// ```
open class SandboxTestCase: XCTestCase {
  private let recorderBox = Lock(ResolutionRecorder())

  /// Hears what the running test registers and resolves.
  public var recorder: ResolutionRecorder { recorderBox.withLock { $0 } }

  /// Registers doubles for every test; called before `setUp`, in the test's sandbox.
  ///
  /// What a test registers itself wins over it. The default registers nothing.
  ///
  /// - Parameter root: The sandbox's view of the root.
  open func registerDoubles(in root: Resolver) {}

  // MARK: What is asked of every test; the counterparts of the traits

  /// What happens when a test resolves a live service; nothing unless overridden.
  ///
  /// With `.fail`, findings about unused doubles fail the test too. The counterpart of `.strict`.
  open var strictness: Strictness { .off }

  /// Live services that a strict test may resolve all the same; none unless overridden.
  ///
  /// A subclass adds to them: `super.mayBeLive + [.type(Clock.self)]`.
  open var mayBeLive: [LiveException] { [] }

  /// Asked for a double where none is registered; the counterpart of `.fallback`.
  open var fallback: (@Sendable (ServiceKey) -> Any?)? { nil }

  /// What happens to requests of code that left the task without its context.
  ///
  /// By default the sandbox answers them: XCTest runs one test at a time. So it may meet what an
  /// earlier test left running; the other policies report that instead.
  open var unscopedPolicy: UnscopedPolicy { Sandbox.unscopedPolicy }

  /// What happens when work that outlived a test resolves in its context: a warning.
  open var lateWork: Strictness { .warn }

  /// How long the end of a test waits for work that carries its context; nil does not wait.
  open var drain: Duration? { nil }

  /// Whether doubles and kept instances that outlive the sandbox are reported.
  ///
  /// XCTest keeps test cases until the end: let go of properties in `tearDown`.
  open var checksLeaks: Bool { false }

  /// The doubles to hand out for what has none registered; nil unless overridden.
  ///
  /// What has none of the list stays live, and fails the test. The counterpart of `.solitary`.
  open var doubles: [any TestDouble.Type]? { nil }

  /// Services that are live where everything else is doubled; none unless overridden.
  ///
  /// The counterpart of `.sociable(real:)` on a suite.
  open var real: [Any.Type] { [] }

  /// Whether calls of doubles may go without a stub, and stubs without a call; not unless
  /// overridden.
  ///
  /// The counterpart of `.lenient`.
  open var hasLenientDoubles: Bool { false }

  private var policy: ScopePolicy {
    var policy = ScopePolicy.strict(strictness, mayBeLive)
    if let fallback {
      policy.fallbacks = [ScopePolicy.Fallback { fallback($0) }]
    }
    policy.unscopedWork = unscopedPolicy.unscopedWork
    policy.lateWork = lateWork.treatment
    if checksLeaks { policy.leakWatch = InstanceLog() }
    return policy
  }

  /// Runs the test in its sandbox.
  open override func invokeTest() {
    let recorder = ResolutionRecorder()
    recorderBox.withLock { $0 = recorder }
    XCTestCaseObserver.set(name)
    defer { XCTestCaseObserver.set(nil) }
    // XCTest does not say where a test is written: line 0 stands for that.
    let solitary = doubles.map { SolitaryDoubles($0, real: real) }
    var opener = ScopeOpener(
      .sandbox, recorder: recorder, policy: solitary?.policy(policy) ?? policy, name: name,
      isTest: true, location: CodeLocation(line: 0))
    opener.drain = drain
    solitary?.attach(to: opener.frame)
    if hasLenientDoubles { LenientDoubles.mark(opener.frame) }
    // What answers requests that left the task is the process's, not only this task's.
    opener.frame.markAsTestCase()
    let outside = ContextFrame.processTop
    let adopts = unscopedPolicy == .adopt
    if adopts { ContextFrame.setProcessTop(opener.frame) }
    opener.run {
      registeringDoubles(isPreset: true) { registerDoubles(in: Resolver.root) }
      super.invokeTest()
      if let testRun, testRun.hasBeenSkipped || testRun.unexpectedExceptionCount > 0 {
        opener.frame.wasCutShort()
      }
      solitary?.report(to: opener.frame, areAllReached: false)
    }
    if adopts { ContextFrame.setProcessTop(outside) }
    if (testRun?.totalFailureCount ?? 0) > 0, let tree = opener.frame.unshownTree {
      print("\(name) resolved:\n\(tree)")
    }
  }
}
#endif
