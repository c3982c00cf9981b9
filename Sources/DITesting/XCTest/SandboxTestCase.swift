#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import XCTest

/// A test case whose every test runs in a sandbox of its own, with a recorder.
///
/// The sandbox is open for `setUp` and `tearDown` in all their forms, for the test, sync or async,
/// and for teardown blocks. XCTest runs one test at a time, so the sandbox also answers code that
/// left the task: detached tasks, queues, threads.
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

  /// Runs the test in its sandbox.
  open override func invokeTest() {
    let recorder = ResolutionRecorder()
    recorderBox.withLock { $0 = recorder }
    XCTestCaseObserver.set(name)
    defer { XCTestCaseObserver.set(nil) }
    let opener = ScopeOpener(
      .sandbox, recorder: recorder, name: name, location: CodeLocation(line: #line))
    let outside = ContextFrame.processTop
    ContextFrame.setProcessTop(opener.frame)
    opener.run {
      registeringDoubles(isPreset: true) { registerDoubles(in: Resolver.root) }
      super.invokeTest()
    }
    ContextFrame.setProcessTop(outside)
    if (testRun?.totalFailureCount ?? 0) > 0, recorder.events.contains(where: \.isRequest) {
      print("\(name) resolved:\n\(recorder.tree)")
    }
  }
}
#endif
