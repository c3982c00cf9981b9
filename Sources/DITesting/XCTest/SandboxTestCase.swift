#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import XCTest

/// A test case that runs every test in a sandbox of its own, with a recorder.
///
/// The sandbox is open for `setUp` and `tearDown` in all their forms, for the test, sync or async,
/// and for teardown blocks. XCTest runs one test at a time, so the sandbox, or the innermost scope
/// in it, also applies to code that left the task: detached tasks, queues, threads.
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
    // XCTest calls the closure after all forms of `setUp`.
    super.init(name: name) { testCase in
      ContextFrame.current?.withNotes { $0.setUpEnd = SerialNumber.next() }
      do {
        try testClosure(testCase)
      } catch {
        // Not every error counts as an exception: `XCTUnwrap` has failed the test before it throws.
        ContextFrame.bound?.sandbox?.wasCutShort()
        throw error
      }
    }
  }
  #endif

  /// The requests of its stored properties: those of a subclass are initialised before this.
  private let propertyRequests = {
    TestHooks.notePlannedRequests()
    return PlannedWork.take()
  }()

  /// The recorder of the running test's registrations and requests.
  public var recorder: ResolutionRecorder { recorderBox.withLock { $0 } }

  /// Registers doubles for every test; called before `setUp`, in the test's sandbox.
  ///
  /// Registrations of the test itself take precedence. The default registers nothing.
  ///
  /// - Parameter root: The sandbox's view of the root.
  open func registerDoubles(in root: Resolver) {}

  // MARK: Options of every test, the counterparts of the traits

  /// The treatment of live services that a test resolves: that of the process, which is none.
  ///
  /// With `.fail`, findings about unused doubles fail the test too. The counterpart of `.strict`.
  open var strictness: Strictness { Sandbox.strictness }

  /// The live services that a strict test may resolve; none by default.
  ///
  /// A subclass adds to them: `super.mayBeLive + [.type(Clock.self)]`.
  open var mayBeLive: [LiveException] { [] }

  /// The boundaries that a test may reach; nil, the default, for all of them.
  ///
  /// With `[]`, live services behind a boundary are refused. The counterpart of `.boundaries`.
  open var allowedBoundaries: [String]? { nil }

  /// The assemblies whose services are left out; none by default.
  ///
  /// The counterpart of `.without`.
  open var without: [any Assembly.Type] { [] }

  /// A closure that returns a double if none is registered; the counterpart of `.fallback`.
  ///
  /// A double of the main actor is returned as a ``MainActorDouble``.
  open var fallback: (@Sendable (ServiceKey) -> Any?)? { nil }

  /// The treatment of requests of code that left the task without its context.
  ///
  /// By default the sandbox applies to them, because XCTest runs one test at a time. The sandbox
  /// may then receive requests of work that an earlier test left behind; the other policies report
  /// them instead.
  open var unscopedPolicy: UnscopedPolicy { Sandbox.unscopedPolicy }

  /// The treatment of work that outlives a test and resolves in its context; a warning by default.
  open var lateWork: Strictness { .warn }

  /// The treatment of doubles that are never resolved: a warning, and in a strict test a failure.
  ///
  /// Doubles that `setUp` or `registerDoubles` registers may go unused in single tests; one that no
  /// test of the class resolved is a warning. `.off` allows it for all.
  open var unusedDoubles: Strictness? { nil }

  /// The doubles for services without a registered one; nil by default.
  ///
  /// A service without a double in the list stays live, and fails the test. The counterpart of
  /// `.solitary`.
  open var doubles: [any TestDouble.Type]? { nil }

  /// The services that are live where all others are doubled; none by default.
  ///
  /// The counterpart of `.sociable(real:)` on a suite.
  open var real: [Any.Type] { [] }

  /// Whether calls without a stubbed result, and stubbed results without a call, are allowed.
  ///
  /// The counterpart of `.lenient`.
  open var hasLenientDoubles: Bool { false }

  /// The clock that requests for `any Clock<Duration>` return; nil by default.
  ///
  /// It is read once for each test, which finds it as ``TestClock/current``. The counterpart of
  /// `.time`.
  open var clock: TestClock? { nil }

  /// Whether date, identifiers, randomness and other ambient values are the same in every run.
  ///
  /// The date follows ``TestClock/current``. The counterpart of `.deterministic`.
  open var isDeterministic: Bool { false }

  /// The fixtures of the class's tests: `.keep(…)` and `.each(…)`; none by default.
  ///
  /// A suite's is one of the class.
  open class var fixtures: [FixtureTrait] { [] }

  /// Tears the fixtures of the class down; without it, they are when the class has ended.
  open override class func tearDown() {
    FixtureScope.end(of: self)
    super.tearDown()
  }

  private var policy: FramePolicy {
    var policy = FramePolicy.strict(strictness, mayBeLive, by: .testCase)
    policy.unusedDoubles = unusedDoubles
    policy.hasLenientDoubles = hasLenientDoubles
    policy.boundaries = allowedBoundaries.map { BoundaryPolicy(allowing: $0) }
    policy.leftOut = without
    if let fallback {
      policy.fallbacks = [Fallback(called: "The fallback", fallback)]
    }
    policy.unscopedWork = unscopedPolicy
    policy.lateWork = lateWork
    return policy
  }

  /// Runs the test in its sandbox.
  open override func invokeTest() {
    let recorder = ResolutionRecorder()
    recorderBox.withLock { $0 = recorder }
    RunningXCTest.set(name)
    defer { RunningXCTest.set(nil) }
    // XCTest does not provide the location of a test, which line 0 represents. The module is known.
    let type = String(reflecting: type(of: self))
    let fileID = type.split(separator: ".", maxSplits: 1).joined(separator: "/")
    let fixtures = FixtureScope.open(
      Swift.type(of: self).fixtures.map(\.plan), of: Swift.type(of: self))
    let solitary = doubles.map { SolitaryDoubles($0, real: real) }
    let isDeterministic = isDeterministic
    let clock = (clock ?? (isDeterministic ? TestClock() : nil)).map(ClockOfTest.init)
    var inner = clock?.policy(policy) ?? policy
    if isDeterministic, let clock {
      inner = DeterministicValues(of: name, following: clock.clock).policy(inner)
    }
    let opener = ScopeOpener(
      .sandbox, recorder: recorder, policy: solitary?.policy(inner) ?? inner, name: name,
      isTest: true,
      location: CodeLocation(fileID: fileID, filePath: "", line: 0, column: 0))
    solitary?.attach(to: opener.frame)
    clock?.attach(to: opener.frame)
    // The frame for requests that left the task belongs to the process, not only to this task.
    opener.frame.withNotes { notes in
      notes.isTestCase = true
      notes.planned = propertyRequests
    }
    let outside = ContextFrame.processTop
    let adopts = unscopedPolicy == .adopt
    if adopts { ContextFrame.setProcessTop(opener.frame) }
    opener.run {
      registeringDoubles {
        for fixture in fixtures { fixture.register(in: Resolver.root) }
        registerDoubles(in: Resolver.root)
      }
      super.invokeTest()
      if testRun?.wasCutShort ?? false { opener.frame.wasCutShort() }
      solitary?.report(to: opener.frame, areAllReached: false)
      clock?.reportSleepers(to: opener.frame)
      FixtureScope.end(fixtures.filter { $0.frame == nil })
    }
    if adopts { ContextFrame.setProcessTop(outside) }
    if (testRun?.totalFailureCount ?? 0) > 0, let tree = opener.frame.unshownTree {
      print("\(name) resolved:\n\(tree)")
    }
  }
}
#endif
