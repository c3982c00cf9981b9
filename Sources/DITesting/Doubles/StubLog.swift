#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The calls of one stub, and the results stubbed for calls.
///
/// It is accessed through its stub.
public final class StubLog<Arguments, Result, Failure: Error, Body> {
  /// The result of a call, or the closure that produces it.
  enum StubbedResult {
    case returns(Result)
    case `throws`(Failure)
    case runs(Body)
  }

  /// A statement that stubs some of the calls.
  struct Rule {
    /// The condition on the arguments and the call's number; nil for all calls.
    let condition: (@Sendable (Arguments, Int) -> Bool)?
    /// One result for all calls, or several in turn.
    let results: [StubbedResult]
    let location: CodeLocation
    /// Whether several tests share it, some of which may not use it.
    let isShared: Bool
    var used = 0
    /// Whether a call met the condition, also if that call used a later statement.
    var isMet = false

    var isUsedUp: Bool { results.count > 1 && used >= results.count }
    /// The result of the next call; nil if all are used up.
    var next: StubbedResult? { isUsedUp ? nil : results[results.count == 1 ? 0 : used] }
  }

  struct LoggedCall {
    let arguments: Arguments
    /// Its number among the calls of all doubles.
    let number: UInt
    var outcome = StubOutcome<Result, Failure>.underWay
    /// Whether no statement applied to it.
    var isUnstubbed = false
    var isCovered = false
    /// The call in the recorders, if there were any.
    var recorded: CallNote?

    var isUnderWay: Bool { if case .underWay = outcome { true } else { false } }
    var outcomeText: String? { CallText.outcome(outcome, isUnstubbed: isUnstubbed) }
  }

  private struct State {
    var entries: [LoggedCall] = []
    var rules: [Rule] = []
    var waits: [CallWait] = []
  }

  let identity: StubIdentity
  /// The stub of an enclosing sandbox, whose statements apply where none of its own does.
  private let enclosing: StubLog?
  private let state = Lock(State())

  init(_ requirement: String?, at location: CodeLocation, enclosing: StubLog? = nil) {
    identity = StubIdentity(requirement, at: location)
    self.enclosing = enclosing
    if let enclosing, enclosing.identity.isLenient { identity.becomeLenient() }
    identity.ledger.add(self)
  }

  deinit {
    identity.ledger.leave(self)
  }

  var entries: [LoggedCall] { state.withLock { $0.entries } }
  var count: Int { state.withLock { $0.entries.count } }

  func add(_ rule: Rule) { state.withLock { $0.rules.append(rule) } }

  // MARK: A call

  /// Records the beginning of a call, and ends the waits for it.
  ///
  /// - Returns: The index of the call among those of the stub; nil if it only serves the
  ///   description of a double, which is not noted.
  func begin(_ arguments: Arguments) -> Int? {
    if CallText.isDescribing { return nil }
    let (count, number, waits) = state.withLock { state in
      let number = CallNumbers.next()
      state.entries.append(LoggedCall(arguments: arguments, number: number))
      return (state.entries.count, number, state.waits)
    }
    let place = count - 1
    let origin = identity.origin
    let recorders = origin.listening
    if !recorders.isEmpty {
      // The description of arguments is the user's code, which runs under no lock.
      let call = CallNote(
        CallText.call(name, arguments), number: number, registrations: origin.registrations,
        request: origin.request)
      for recorder in recorders { recorder.note(call) }
      state.withLock { $0.entries[place].recorded = call }
    }
    for wait in waits { wait.note(calls: count) }
    return place
  }

  /// Returns the result for a call; nil if nothing is stubbed for it.
  func result(of place: Int?, _ arguments: Arguments) -> StubbedResult? {
    let result = stubbedResult(ofCall: place.map { $0 + 1 }, arguments)
    if let place { state.withLock { $0.entries[place].isUnstubbed = result == nil } }
    return result
  }

  /// Returns the result of the statement that applies to a call, also from an enclosing sandbox.
  ///
  /// `number`: the call's number from 1; nil if it is not noted.
  private func stubbedResult(ofCall number: Int?, _ arguments: Arguments) -> StubbedResult? {
    let rules = state.withLock { $0.rules }
    // Conditions are the user's code, which runs under no lock. The indices of rules do not change.
    let met = rules.indices.filter { rules[$0].condition?(arguments, number ?? 0) ?? false }
    guard let found = met.last ?? rules.lastIndex(where: { $0.condition == nil }) else {
      return enclosing?.stubbedResult(ofCall: number, arguments)
    }
    return state.withLock { state in
      let result = state.rules[found].next
      guard number != nil else { return result }
      for index in met { state.rules[index].isMet = true }
      state.rules[found].used += 1
      return result
    }
  }

  func end(_ place: Int?, _ outcome: StubOutcome<Result, Failure>) {
    guard let place else { return }
    let entry = state.withLock { state in
      state.entries[place].outcome = outcome
      return state.entries[place]
    }
    entry.recorded?.end(entry.outcomeText)
  }

  // MARK: Waiting

  nonisolated(nonsending) func wait(
    for times: Int, within timeout: Duration, _ clock: any Clock<Duration>
  ) async -> CallWait.Ending {
    let wait = CallWait(times: times)
    let count = state.withLock { state in
      state.waits.append(wait)
      return state.entries.count
    }
    wait.note(calls: count)
    let ending: CallWait.Ending =
      count >= times ? .called : await wait.ending(within: timeout, clock)
    state.withLock { $0.waits.removeAll { $0 === wait } }
    if ending == .called { cover(Array(0..<max(times, 0))) }
    return ending
  }
}

// Sendable, where arguments and results are: its other properties are immutable, and its mutable
// state is behind the lock. The closures in the state are `@Sendable`, except for those that users
// are responsible for (`forwards`).
extension StubLog: Sendable where Arguments: Sendable, Result: Sendable {}

// MARK: - Type erasure

extension StubLog: AnyStubLog {
  var name: String { identity.name }

  var notedCalls: [NotedCall] {
    entries.enumerated().map { place, entry in
      NotedCall(place: place, number: entry.number, isCovered: entry.isCovered) {
        let outcome = entry.outcomeText.map { "  — \($0)" } ?? ""
        return CallText.call(self.name, entry.arguments) + outcome
      }
    }
  }

  var unusedRules: [UnusedRule] {
    let state = state.withLock { $0 }
    if identity.isLenient { return [] }
    let unused = state.rules.filter { $0.used == 0 && !$0.isShared }
    // Calls in a nested sandbox use statements too.
    if state.entries.isEmpty, state.rules.allSatisfy({ $0.used == 0 }) {
      return unused.prefix(1).map { UnusedRule(location: $0.location, isForOtherCalls: false) }
    }
    return unused.filter { $0.condition != nil && !$0.isMet }
      .map { UnusedRule(location: $0.location, isForOtherCalls: true) }
  }

  var logsOfSandbox: [any AnyStubLog] { identity.ledger.logs }

  func cover(_ places: [Int]) {
    state.withLock { state in
      // The calls may be forgotten by now.
      for place in places where state.entries.indices.contains(place) {
        state.entries[place].isCovered = true
      }
    }
  }

  func becomeLenient() { identity.becomeLenient() }

  func adopt(_ label: String?, _ service: ServiceKey, at location: CodeLocation?) {
    let before = identity.ledger
    identity.adopt(label, service, at: location)
    let ledger = identity.ledger
    guard before !== ledger else { return }
    before.drop(self)
    ledger.add(self)
  }
}

extension StubLog {
  /// Returns the result of a call without a stubbed one, which is an issue unless there is no
  /// result.
  func unstubbed(_ arguments: Arguments) -> Swift.Result<Result, Failure> {
    if Result.self == Void.self { return .success(() as! Result) }
    return identity.unstubbed(arguments, stubbed)
  }

  /// The statements, as lines of a diagnosis.
  private var stubbed: [(String, String)] {
    let own = state.withLock { $0.rules }.map { rule in
      let state =
        rule.isUsedUp
        ? ", \(rule.results.count) results, all used"
        : rule.condition == nil ? "" : ", for other calls"
      return ("stubbed:", "\(rule.location)\(state)")
    }
    return (enclosing?.stubbed ?? []) + own
  }
}
#endif
