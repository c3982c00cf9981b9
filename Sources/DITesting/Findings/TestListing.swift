#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

// XCTest makes a test case for every test before the first one runs, and with it the initial values
// of the case's stored properties. No sandbox is open by then, so the instances that they resolve
// are live and remain so. During that time, requests of the same thread outside every context are
// noted for the testing module, which can attribute them.

/// The requests made while the test framework makes its test cases.
enum TestListing {
  /// A request that a live service was returned for, before any test began.
  struct LiveRequest: Hashable, Sendable {
    let service: FramePolicy.LiveService
    let location: CodeLocation

    static func == (left: Self, right: Self) -> Bool {
      left.service.key == right.service.key && left.location == right.location
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(service.key)
      hasher.combine(location)
    }
  }

  private struct Listing {
    var mayOpen = true
    /// The thread that makes the test cases.
    var thread: pthread_t?
    var entries: [LiveRequest] = []
  }

  private static let state = Lock(Listing())
  private static let open = Atomic()

  /// Whether the test framework may be making its test cases.
  static var isOpen: Bool { open.isSet }

  /// Begins noting requests, unless that has already ended.
  static func begin() {
    state.withLock { state in
      guard state.mayOpen, !open.isSet else { return }
      open.set(true)
      state.thread = pthread_self()
      Tests.watchUnboundRequests(true)
    }
  }

  /// Ends noting requests permanently, because tests may run from now on.
  static func end() {
    state.withLock { state in
      state.mayOpen = false
      if open.isSet { Tests.watchUnboundRequests(false) }
      open.set(false)
    }
  }

  /// Returns the requests since the last call, one per place.
  static func take() -> [LiveRequest] {
    open.isSet ? state.withLock { exchange(&$0.entries, with: []) } : []
  }

  /// Whether the calling code may be the initialiser of a test case.
  static var mayBeMakingTestCases: Bool {
    let thread = pthread_self()
    return open.isSet && state.withLock { $0.thread == thread } && ContextFrame.current == nil
      && !ContextFrame.isSettingUp
  }

  /// Notes a request outside every context.
  static func note(_ request: Request, _ container: Resolver) {
    guard mayBeMakingTestCases, request.isToBeReported(container: container, nil) else { return }
    let found = Lookup.find(request.key, in: container.core, nil)
    // The declaration of a property is not looked up by its key.
    guard found != nil || request.property != nil else { return }
    let entry = LiveRequest(
      service: FramePolicy.LiveService(
        key: request.key, owner: found?.owner ?? container.core,
        registeredAt: found?.registration.location ?? request.location,
        assembly: found?.registration.options.assembly), location: request.location)
    state.withLock { state in
      if !state.entries.contains(entry) { state.entries.append(entry) }
    }
  }

  /// Advice for a request that fails during that time, before any test of the process runs.
  static let fix =
    "If a stored property of a test case resolves it: XCTest makes every test case before the "
    + "first test runs. Set the property in `setUp`, make it `lazy`, or declare it `@LazyInjected`."
}
#endif
