#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// The calls of one stub, and the results stubbed for calls.
///
/// It is accessed through its stub.
final class StubLog<Arguments, Result, Failure: Error, Body> {
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
    /// The task or the thread that made it.
    let caller = CallerID.current
    var outcome = StubOutcome<Result, Failure>.underWay
    /// The statement that applied to it; nil if none did.
    var stubbedAt: CodeLocation?
    var isCovered = false
    /// The call in the recorders, if there were any.
    var recorded: CallNote?

    var outcomeText: String? { CallText.outcome(outcome, isUnstubbed: stubbedAt == nil) }
  }

  private struct State {
    var entries: [LoggedCall] = []
    /// The number of calls that were forgotten: an entry's place counts them too.
    var forgotten = 0
    var resetAt: CodeLocation?
    var rules: [Rule] = []
    var waits: [(wait: CallWait, setup: StubSetup<Arguments, Result, Failure, Body>)] = []

    mutating func change(_ place: Int?, _ change: (inout LoggedCall) -> Void) -> LoggedCall? {
      guard let index = place.map({ $0 - forgotten }), entries.indices.contains(index) else {
        return nil
      }
      change(&entries[index])
      return entries[index]
    }
  }

  let identity: StubIdentity
  /// The stub of an enclosing sandbox, whose statements apply where none of its own does.
  private let enclosing: StubLog?
  /// What an unstubbed call returns, if the type does not say it.
  private let empty: Result?
  private let state = Lock(State())

  /// `enclosing`: that of the enclosing sandbox, of a static requirement.
  init(
    _ requirement: String?, at location: CodeLocation, isStatic: Bool = false,
    enclosing: StubLog? = nil, empty: Result? = nil
  ) {
    identity = StubIdentity(requirement, at: location, isStatic: isStatic)
    (self.enclosing, self.empty) = (enclosing, empty)
    if let enclosing, enclosing.identity.isLenient { identity.becomeLenient() }
    identity.ledger.add(self)
  }

  deinit {
    identity.ledger.leave(self)
  }

  var entries: [LoggedCall] { state.withLock { $0.entries } }
  var count: Int { state.withLock { $0.entries.count } }

  /// The latest call that the running task or thread made.
  var ownCall: LoggedCall? {
    let caller = CallerID.current
    return entries.last { $0.caller == caller }
  }

  func add(_ rule: Rule) { state.withLock { $0.rules.append(rule) } }

  // MARK: A call

  /// Records the beginning of a call, and ends the waits for it.
  ///
  /// - Returns: The index of the call among those of the stub; nil if it only serves the
  ///   description of a double, which is not noted.
  func begin(_ arguments: Arguments) -> Int? {
    if CallText.isDescribing { return nil }
    let (count, place, number, waits) = state.withLock { state in
      let number = CallNumbers.next()
      state.entries.append(LoggedCall(arguments: arguments, number: number))
      let count = state.entries.count
      return (count, state.forgotten + count - 1, number, state.waits)
    }
    let origin = identity.origin
    let recorders = identity.listening
    if !recorders.isEmpty {
      // The description of arguments is the user's code, which runs under no lock.
      let call = CallNote(
        CallText.call(name, arguments), number: number, registrations: origin.registrations,
        request: origin.request)
      for recorder in recorders { recorder.note(call) }
      _ = state.withLock { $0.change(place) { $0.recorded = call } }
    }
    identity.checkCaller { CallText.call(name, arguments) }
    for (wait, setup) in waits { wait.note(calls: setup.count(ofAll: count)) }
    return place
  }

  /// Returns the result for a call; nil if nothing is stubbed for it.
  func result(of place: Int?, _ arguments: Arguments) -> StubbedResult? {
    let number = place.map { place in place - state.withLock { $0.forgotten } + 1 }
    let found = stubbedResult(ofCall: number, arguments)
    _ = state.withLock { $0.change(place) { $0.stubbedAt = found?.location } }
    return found?.result
  }

  /// Returns the result of the statement that applies to a call, also from an enclosing sandbox.
  ///
  /// `number`: the call's number from 1; nil if it is not noted.
  private func stubbedResult(
    ofCall number: Int?, _ arguments: Arguments
  ) -> (result: StubbedResult, location: CodeLocation)? {
    let rules = state.withLock { $0.rules }
    // Conditions are the user's code, which runs under no lock.
    let met = rules.indices.filter { rules[$0].condition?(arguments, number ?? 0) ?? false }
    guard let found = met.last ?? rules.lastIndex(where: { $0.condition == nil }) else {
      return enclosing?.stubbedResult(ofCall: number, arguments)
    }
    return state.withLock { state in
      // The indices of rules do not change, but a reset may have removed all.
      guard state.rules.indices.contains(found) else { return nil }
      let result = state.rules[found].next
      if number != nil {
        for index in met { state.rules[index].isMet = true }
        state.rules[found].used += 1
      }
      return result.map { ($0, rules[found].location) }
    }
  }

  /// Ends a call with what a statement returned, or else with a default, or as an unstubbed one.
  ///
  /// `typed`: returns the result as the type that the requirement returns; nil if it is of another.
  func end<Value>(
    _ place: Int?, _ arguments: Arguments, _ result: Result?, default otherwise: Value?,
    _ typed: (Result) -> Value?
  ) -> Swift.Result<Value, Failure> {
    let ended: Swift.Result<Value, Failure>
    let value = result.flatMap(typed)
    if let value {
      ended = .success(value)
    } else if let result {
      ended = mistyped(result, state.withLock { $0.change(place) { _ in } })
    } else if let otherwise {
      ended = .success(otherwise)
    } else {
      ended = unstubbed(arguments)
    }
    if case .success(let returned) = ended,
      let noted = value == nil ? returned as? Result : result
    {
      end(place, .returned(noted))
    }
    return ended
  }

  func end(_ place: Int?, _ outcome: StubOutcome<Result, Failure>) {
    guard let entry = state.withLock({ $0.change(place) { $0.outcome = outcome } }) else { return }
    entry.recorded?.end(entry.outcomeText)
  }

  // MARK: Waiting

  nonisolated(nonsending) func wait(
    for times: Int, of setup: StubSetup<Arguments, Result, Failure, Body>,
    within timeout: Duration, _ clock: any Clock<Duration>, patience: Duration?
  ) async -> CallWait.Ending {
    let wait = CallWait(times: times)
    let all = state.withLock { state in
      state.waits.append((wait, setup))
      return state.entries.count
    }
    let count = setup.count(ofAll: all)
    wait.note(calls: count)
    let ending: CallWait.Ending =
      count >= times ? .called : await wait.ending(within: timeout, clock, patience: patience)
    state.withLock { $0.waits.removeAll { $0.wait === wait } }
    if ending == .called { cover(setup.entries.prefix(max(times, 0)).map(\.place)) }
    return ending
  }
}

private enum CallerID {
  /// That of the running task, or else of the thread.
  static var current: Int { withUnsafeCurrentTask { $0?.hashValue } ?? pthread_self().hashValue }
}

extension StubSetup {
  /// The number of calls that meet the condition, given that of all calls.
  fileprivate func count(ofAll all: Int) -> Int { condition == nil ? all : entries.count }
}

// Sendable, where arguments and results are: its other properties are immutable, and its mutable
// state is behind the lock. The closures in the state are `@Sendable`, except for those that users
// are responsible for (`forwards`).
extension StubLog: Sendable where Arguments: Sendable, Result: Sendable {}

// MARK: - Type erasure

extension StubLog: AnyStubLog {
  var notedCalls: [NotedCall] {
    entries.map { entry in
      NotedCall(number: entry.number, isCovered: entry.isCovered) {
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
    // What is stubbed for other calls was reported with the call that met no condition.
    if identity.wasUnstubbed { return [] }
    return unused.filter { $0.condition != nil && !$0.isMet }
      .map { UnusedRule(location: $0.location, isForOtherCalls: true) }
  }

  func cover(_ places: [Int]) {
    state.withLock { state in
      // The calls may be forgotten by now.
      for place in places where state.entries.indices.contains(place) {
        state.entries[place].isCovered = true
      }
    }
  }

  var resetAt: CodeLocation? { state.withLock { $0.entries.isEmpty ? $0.resetAt : nil } }

  func reset(at location: CodeLocation) {
    let old = state.withLock { state in
      state.forgotten += state.entries.count
      state.resetAt = location
      return (exchange(&state.entries, with: []), exchange(&state.rules, with: []))
    }
    // Objects among the arguments and the results are released here, with no lock held.
    releaseUnlocked(old)
  }

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
  private func unstubbed<Value>(_ arguments: Arguments) -> Swift.Result<Value, Failure> {
    if Value.self == Void.self { return .success(() as! Value) }
    return identity.unstubbed(arguments, stubbed, empty: empty.flatMap { $0 as? Value })
  }

  /// Reports a stubbed result of another type than the one that a generic requirement returns.
  func mistyped<Value>(_ result: Any, _ call: LoggedCall?) -> Swift.Result<Value, Failure> {
    identity.mistyped(
      result, (call?.arguments).map { CallText.arguments($0) }, call?.stubbedAt)
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
