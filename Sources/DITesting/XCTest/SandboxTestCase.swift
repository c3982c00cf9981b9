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

  #if !canImport(ObjectiveC)
  /// Creates a test case for one of its tests; XCTest calls this.
  public required init(name: String, testClosure: @escaping (XCTestCase) throws -> Void) {
    // XCTest calls the closure when all forms of `setUp` are over.
    super.init(name: name) { testCase in
      ContextFrame.bound?.sandbox?.setUpIsOver()
      try testClosure(testCase)
    }
  }
  #endif

  /// The requests of its stored properties: those of a subclass are initialised before this.
  let propertyRequests = StoredProperties.take()

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
  ///
  /// A double of the main actor is returned as a ``MainActorDouble``.
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

  /// What happens when a double is never resolved: a warning, and in a strict test a failure.
  ///
  /// Doubles that `setUp` or `registerDoubles` registers may go unused in single tests, unless the
  /// test is strict. `.off` allows it for all.
  open var unusedDoubles: Strictness? { nil }

  /// Whether a strict test may resolve a live service.
  func mayBeLive(_ service: ScopePolicy.LiveService) -> Bool {
    mayBeLive.contains { $0.covers(service) }
  }

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
    var policy = ScopePolicy.strict(strictness, mayBeLive, by: .testCase)
    policy.unusedDoubles = unusedDoubles?.treatment
    if let fallback {
      policy.fallbacks = [MainActorDouble.fallback { fallback($0) }]
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
    // XCTest does not say where a test is written: line 0 stands for that. The module is known.
    let type = String(reflecting: type(of: self))
    let fileID = type.split(separator: ".", maxSplits: 1).joined(separator: "/")
    let solitary = doubles.map { SolitaryDoubles($0, real: real) }
    var opener = ScopeOpener(
      .sandbox, recorder: recorder, policy: solitary?.policy(policy) ?? policy, name: name,
      isTest: true,
      location: CodeLocation(fileID: fileID, filePath: "", line: 0, column: 0))
    opener.drain = drain
    solitary?.attach(to: opener.frame)
    if hasLenientDoubles { LenientDoubles.mark(opener.frame) }
    // What answers requests that left the task is the process's, not only this task's.
    opener.frame.markAsTestCase()
    let outside = ContextFrame.processTop
    let adopts = unscopedPolicy == .adopt
    if adopts { ContextFrame.setProcessTop(opener.frame) }
    StoredProperties.report(of: self)
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
