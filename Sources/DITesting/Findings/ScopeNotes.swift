#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The notes about one scope for its test, kept with the frame.
struct ScopeNotes {
  /// The findings made while the scope was open, in order.
  var findings: [FrameFinding] = []
  /// The policies of a strict test case, if that is set inside the scope.
  var strictPolicies: FramePolicy?
  /// The services for which the test is told why nothing may have resolved their doubles.
  var explained: Set<ServiceKey> = []
  /// The doubles that nothing resolved, as the test is told, or why.
  var explainedUnused: Set<DoublePlace> = []
  /// The latest double of each line that registered one, if live services are reported.
  var registered: [DoublePlace: CloseDouble] = [:]
  /// The first requests for services that are not registered, with their places in the order of
  /// requests and registrations.
  var failed: [ServiceKey: (number: UInt64, location: CodeLocation)] = [:]
  /// Whether the test did not run to its end, so that its doubles may not have been requested.
  var isCutShort = false
  /// The places of what hid the scope's doubles in a scope inside, by the doubles' ids.
  var hiders: [UInt64: String] = [:]
  /// The late requests that were reported, each once for its place.
  var lateRequests: Set<ChainLink> = []
  /// The actions of work that belongs to no test, to be reported when the scope ends.
  var unscoped: [UnscopedAction] = []
  /// The requests that were made before any test began for the test case of the scope.
  var planned: [PlannedWork.LiveRequest] = []
  /// The places at which `double(_:)` registered something, with the calling functions.
  var testDoubles: [CodeLocation: String] = [:]
  /// Whether it is a test case's scope; see `ContextFrame.isTestCase`.
  var isTestCase = false
  /// The serial number at which a test case's `setUp` was over, if it is known.
  var setUpEnd: UInt64?
  /// The number of its recorder's events that a failure has shown.
  var shownEvents = 0
  /// Closures to call if a failure is reported at the scope's end.
  var whenFailed: [@Sendable () -> Void] = []
}

extension ContextFrame {
  /// The notes about the scope; nil if there are none.
  var notes: ScopeNotes? { extra(Lock<ScopeNotes>.self)?.withLock { $0 } }

  /// The policies in force, those of a strict test case that is set inside the scope included.
  var strictPolicies: FramePolicy? {
    extra(Lock<ScopeNotes>.self)?.withLock { $0.strictPolicies } ?? testPolicies
  }

  func withNotes<Result>(_ body: (inout ScopeNotes) -> Result) -> Result {
    extra(Lock<ScopeNotes>.self, orMake: { Lock(ScopeNotes()) }).withLock(body)
  }

  /// Adds a finding, which is reported when the scope ends, or at once if it has ended.
  func add(_ finding: FrameFinding) {
    withNotes { $0.findings.append(finding) }
    if hasEnded { reportNoted() }
  }

  /// Notes that a report tells the test why nothing may have resolved the doubles of a service:
  /// there is one report for one cause.
  func explain(_ key: ServiceKey) {
    (outermostOfTest ?? self).withNotes { _ = $0.explained.insert(key) }
  }

  /// Whether a report tells the test why nothing may have resolved the doubles of a service.
  func isExplained(_ key: ServiceKey) -> Bool {
    (outermostOfTest ?? self).notes?.explained.contains { $0.isClose(to: key) } ?? false
  }

  /// Notes that the test is told that nothing resolved a double, or why, so that nothing could call
  /// its stubs.
  func explainUnused(_ double: DoublePlace) {
    (outermostOfTest ?? self).withNotes { _ = $0.explainedUnused.insert(double) }
  }

  /// The doubles that nothing resolved, as the test is told, or why.
  var explainedUnused: Set<DoublePlace> { (outermostOfTest ?? self).notes?.explainedUnused ?? [] }

  /// The findings made while the scope was open, in order.
  var notedFindings: [FrameFinding] { notes?.findings ?? [] }

  /// Notes that the test did not run to its end, so that its doubles may not have been requested.
  func wasCutShort() { withNotes { $0.isCutShort = true } }

  /// Whether the test did not run to its end; of a plain test case, that is known for what it
  /// pushed.
  var isCutShort: Bool {
    chain.contains {
      $0.notes?.isCutShort ?? false || $0.pushed != nil && RunningXCTest.wasCutShort
    }
  }

  /// The scope that reports findings about registrations in a container, because it holds them: a
  /// sandbox, the layer that the container is, or else the innermost layer.
  func scope(holding core: ContainerCore) -> ContextFrame? {
    sandbox ?? chain.first { $0.kind == .layer && $0.installed?.core === core } ?? layer
  }

  /// The outermost scope of the test that it belongs to, if there is one.
  var outermostOfTest: ContextFrame? { Array(chain).last { $0.opener.isTest } }

  /// The function that registered a double with `double(…)` at a place; nil if none did.
  func registeringFunction(at location: CodeLocation) -> String? {
    chain.lazy.compactMap { $0.notes?.testDoubles[location] }.first
  }

  /// Whether `double(…)` registered something at a place.
  func isTestDouble(at location: CodeLocation) -> Bool {
    registeringFunction(at: location) != nil
  }

  /// Calls a closure if a failure is reported at the scope's end.
  func whenFailed(_ body: @escaping @Sendable () -> Void) {
    withNotes { $0.whenFailed.append(body) }
  }
}
#endif
