#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

/// Whose doubles they are: a sandbox's, or else a test's, or nobody's.
///
/// It knows the stubs of these doubles without holding them, hears of their issues, and says at the
/// end of the sandbox which of them were stubbed and never called.
final class DoubleLedger: Sendable {
  private struct Member {
    /// Its place in the order in which stubs came.
    let number: UInt
    weak var log: (any AnyStubLog)?
  }

  struct Key: Hashable {
    let type: ObjectIdentifier
    let name: Resolver.Name?
  }

  /// Something that the test should hear at the end.
  private struct Finding {
    let text: String
    let location: CodeLocation
  }

  private struct State {
    // By identity: to compare references under the lock might have one be the last, whose end locks
    // again.
    var members: [ObjectIdentifier: Member] = [:]
    var lastNumber: UInt = 0
    var hasEnded = false
    /// Issues of calls from outside the test, which are the test's when they are told in it.
    var postponed: [DiagnosticIssue] = []
    /// What there is to say of stubs that are gone.
    var unused: [Finding] = []
    /// The doubles that were registered, to be found by their type.
    var doubles: [Key: Any] = [:]
  }

  /// The test, or the function that opened the sandbox; nil for nobody.
  private let owner: ContextFrame.Owner?
  private let isSandbox: Bool
  private let handler: IssueHandler
  private let state = Lock(State())

  private init(
    owner: ContextFrame.Owner?, isSandbox: Bool, handler: @escaping IssueHandler
  ) {
    (self.owner, self.isSandbox, self.handler) = (owner, isSandbox, handler)
  }

  /// The one of the sandbox around, or else of the running test.
  static func current(at location: CodeLocation) -> DoubleLedger {
    TestHooks.install()
    if let sandbox = ContextFrame.current?.sandbox { return of(sandbox) }
    let report: IssueHandler = { IssueReporter.report($0) }
    guard let name = IssueReporter.currentTest else {
      return DoubleLedger(owner: nil, isSandbox: false, handler: report)
    }
    let owner = ContextFrame.Owner(
      name: name, location: IssueReporter.test.map { CodeLocation($0.sourceLocation) } ?? location,
      report: report, isTest: true)
    return DoubleLedger(owner: owner, isSandbox: false, handler: report)
  }

  private static func of(_ sandbox: ContextFrame) -> DoubleLedger {
    let handler = sandbox.chain.lazy.compactMap(\.owner.report).first
    return sandbox.extra(DoubleLedger.self) {
      DoubleLedger(
        owner: sandbox.owner, isSandbox: true, handler: handler ?? { IssueReporter.report($0) })
    }
  }

  /// Where its issues are reported, if that is known.
  var location: CodeLocation? {
    owner.flatMap { $0.location.line == 0 ? nil : $0.location }
  }

  /// The owner, as lines of a diagnosis.
  var facts: [(String, String)] {
    guard let owner else { return [("test:", "none, the double was made outside all tests")] }
    return [(owner.isTest ? "test:" : "sandbox:", owner.place)]
  }

  // MARK: Stubs

  func add(_ log: any AnyStubLog) {
    guard isSandbox else { return }
    state.withLock { state in
      state.lastNumber += 1
      state.members[ObjectIdentifier(log)] = Member(number: state.lastNumber, log: log)
    }
  }

  /// Forgets a stub that belongs to another one now.
  func drop(_ log: any AnyStubLog) {
    _ = state.withLock { $0.members.removeValue(forKey: ObjectIdentifier(log)) }
  }

  /// Notes that a stub goes.
  func leave(_ log: any AnyStubLog) {
    guard isSandbox else { return }
    let unused = Self.findings(log)
    state.withLock { state in
      state.members[ObjectIdentifier(log)] = nil
      if !state.hasEnded { state.unused += unused }
    }
  }

  /// All stubs that are alive, in the order in which they came.
  var logs: [any AnyStubLog] {
    let members = state.withLock { $0.members }
    return members.values.sorted { $0.number < $1.number }.compactMap(\.log)
  }

  /// How many stubs it knows.
  var count: Int { state.withLock { $0.members.count } }

  // MARK: Doubles

  func keep(_ double: Any, as key: Key) {
    let old = state.withLock { $0.doubles.updateValue(double, forKey: key) }
    // The last reference to it may go here, with no lock held: its stubs leave the ledger then.
    withExtendedLifetime(old) {}
  }

  func double(_ key: Key) -> Any? { state.withLock { $0.doubles[key] } }

  // MARK: Issues

  /// Reports an issue: now in the test's own tasks, otherwise when the sandbox ends.
  func report(_ text: String, orAt place: CodeLocation) {
    let issue = DiagnosticIssue(text: text, severity: .error, location: location ?? place)
    let isHere = isHere
    let isPostponed = state.withLock { state in
      if !isSandbox || state.hasEnded || isHere { return false }
      state.postponed.append(issue)
      return true
    }
    if !isPostponed { handler(issue) }
  }

  /// Reports an issue before the process ends.
  func reportAtOnce(_ text: String, orAt place: CodeLocation) {
    handler(DiagnosticIssue(text: text, severity: .error, location: location ?? place))
  }

  /// Whether an issue that is reported here is the test's.
  private var isHere: Bool {
    if IssueReporter.isOnlyXCTest { return true }
    guard IssueReporter.runsAmongOthers, let current = ContextFrame.current else { return false }
    return current.chain.contains { $0.extra(DoubleLedger.self) === self }
  }

  /// Tells what there is to tell at the end of the sandbox.
  fileprivate func end(_ severity: DiagnosticIssue.Severity, wasCutShort: Bool) {
    let logs = logs
    let state = state.withLock { state in
      let before = state
      state = State(hasEnded: true)
      return before
    }
    for issue in state.postponed { handler(issue) }
    if state.hasEnded || wasCutShort { return }
    for finding in state.unused + logs.flatMap(Self.findings) {
      handler(DiagnosticIssue(text: finding.text, severity: severity, location: finding.location))
    }
  }

  private static func findings(_ log: any AnyStubLog) -> [Finding] {
    log.unusedRules.map { rule in
      let headline =
        rule.isForOtherCalls
        ? "No call of `\(log.name)` was one that this stub is for."
        : "`\(log.name)` was stubbed and never called."
      return Finding(
        text: Diagnosis(
          headline: headline, facts: [("stubbed:", "\(rule.location)")],
          fixes: [
            "Take it away, or check that the code under test makes the call.",
            "If it serves several tests, say so: `.lenient()` on the stub, or the `.lenient` "
              + "trait.",
          ]
        ).text, location: rule.location)
    }
  }
}

extension ContextFrame {
  /// Reports what the doubles of a sandbox have to tell at its end.
  func reportDoubles() {
    guard let ledger = extra(DoubleLedger.self) else { return }
    ledger.end(
      (findingStrictness ?? strictness) == .fail ? .error : .warning,
      wasCutShort: isCutShort)
  }
}

// MARK: - Leniency

/// Marks scopes whose doubles are lenient.
struct LenientDoubles: Sendable {
  static var areCurrent: Bool {
    ContextFrame.current?.chain.contains { $0.extra(LenientDoubles.self) != nil } ?? false
  }

  static func mark(_ frame: ContextFrame) {
    _ = frame.extra(LenientDoubles.self) { LenientDoubles() }
  }
}

// MARK: - Origin

/// Where a double comes from, and who hears of its calls.
struct DoubleOrigin: Sendable {
  /// The stub's place in its double: `PaymentGatewayDouble.charge`.
  var label: String?
  var registeredAt: CodeLocation?
  let madeAt: CodeLocation
  /// The service that it is the double for, where that is known.
  var service: ServiceKey?
  /// The request in whose factory the stub was made, or 0.
  let request: UInt64
  /// Those that listened when the stub was made.
  private let recorders: [ResolutionRecorder]

  static func current(at location: CodeLocation) -> DoubleOrigin {
    DoubleOrigin(
      madeAt: location, request: ContextFrame.currentRequest, recorders: currentRecorders ?? [])
  }

  private init(madeAt: CodeLocation, request: UInt64, recorders: [ResolutionRecorder]) {
    (self.madeAt, self.request, self.recorders) = (madeAt, request, recorders)
  }

  var facts: [(String, String)] {
    [registeredAt.map { ("registered:", "\($0)") } ?? ("made:", "\(madeAt)")]
  }

  private static var currentRecorders: [ResolutionRecorder]? {
    ContextFrame.current.map { $0.chain.compactMap(\.recorder) }
  }

  /// Those that hear a call that is made here.
  var listening: [ResolutionRecorder] { Self.currentRecorders ?? recorders }
}
#endif
