#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The policies of the process, which apply where no scope sets one.
enum ProcessPolicies {
  private static let unscoped = Lock<UnscopedPolicy?>(nil)
  private static let changes = Lock(Strictness.warn)

  /// The treatment of requests that belong to no test while a sandbox is open.
  static var unscopedWork: UnscopedPolicy {
    get { unscoped.withLock { $0 } ?? (ProcessHooks.current.runsOneTestAtATime() ? .adopt : .warn) }
    set {
      if newValue == .adopt { ContextFrame.listAllFrames() }
      unscoped.withLock { $0 = newValue }
    }
  }

  /// The treatment of changes that a test makes to the process outside every sandbox.
  static var processChanges: Strictness {
    get { changes.withLock { $0 } }
    set { changes.withLock { $0 = newValue } }
  }
}
#endif
