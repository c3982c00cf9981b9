#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The notes about one scope for its test, kept with the frame.
struct ScopeNotes {
  /// The findings made while the scope was open, in order.
  var findings: [FrameFinding] = []
  /// The test case's strictness with the scope's findings, if set inside the scope.
  var findingStrictness: Strictness?
  /// Whether an error ended the test, so that its doubles may not have been requested yet.
  var isCutShort = false
  /// The places of what hid the scope's doubles in a scope inside, by the doubles' ids.
  var hiders: [UInt64: String] = [:]
  /// The instances that were resolved in the scope, to detect doubles that are registered too
  /// late.
  var returned: InstanceLog?
  /// The requests for which live instances were made that the scope keeps.
  var firstRequests: [DoublePlace: RequestOrigin] = [:]
  /// The late requests that were reported, each once for its place.
  var lateRequests: Set<ChainLink> = []
  /// The actions of work that belongs to no test, to be reported when the scope ends.
  var unscopedNotes: [UnscopedNote] = []
  /// Whether it is a test case's scope; see `ContextFrame.isTestCase`.
  var isTestCase = false
  /// The doubles that a test case's `setUp` registered, which may go unused in single tests.
  var setUpDoubles: Set<UInt64>?
  /// Whether the operation never ran, so that its doubles are not reported.
  var neverRan = false
  /// Closures to call if a failure is reported at the scope's end.
  var whenFailed: [@Sendable () -> Void] = []
}

extension ContextFrame {
  /// The notes about the scope; nil if there are none.
  var notes: ScopeNotes? { extra(Lock<ScopeNotes>.self)?.withLock { $0 } }

  func withNotes<Result>(_ body: (inout ScopeNotes) -> Result) -> Result {
    extra(Lock<ScopeNotes>.self, orMake: { Lock(ScopeNotes()) }).withLock(body)
  }

  func add(_ finding: FrameFinding) { withNotes { $0.findings.append(finding) } }

  /// The findings made while the scope was open, in order.
  var notedFindings: [FrameFinding] { notes?.findings ?? [] }

  /// Notes that an error ended the test, so that its doubles may not have been requested yet.
  func wasCutShort() { withNotes { $0.isCutShort = true } }

  /// Whether an error ended the test; of a plain test case, that is known for what it pushed.
  var isCutShort: Bool {
    chain.contains {
      $0.notes?.isCutShort ?? false || $0.pushed != nil && RunningXCTest.wasCutShort
    }
  }

  var neverRan: Bool { notes?.neverRan ?? false }

  /// The scope that reports findings about registrations in a container, because it holds them: a
  /// sandbox, the layer that the container is, or else the innermost layer.
  func scope(holding core: ContainerCore) -> ContextFrame? {
    sandbox ?? chain.first { $0.kind == .layer && $0.installed?.core === core } ?? layer
  }

  /// Calls a closure if a failure is reported at the scope's end.
  func whenFailed(_ body: @escaping @Sendable () -> Void) {
    withNotes { $0.whenFailed.append(body) }
  }

  /// Returns the request for which the scopes' live instance of a registration was made, if known.
  func firstRequest(of registration: Registration) -> RequestOrigin? {
    let place = DoublePlace(registration)
    return chain.lazy.compactMap { $0.notes?.firstRequests[place] }.first
  }
}
#endif
