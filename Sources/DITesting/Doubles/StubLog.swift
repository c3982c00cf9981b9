#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The calls of one stub, and what was said about them.
///
/// It is reached through the stub that it belongs to.
public final class StubLog<Arguments, Result, Failure: Error, Body> {
  /// What a call gets.
  enum Answer {
    case returns(Result)
    case `throws`(Failure)
    case runs(Body)
  }

  /// What was said about some of the calls, in one statement.
  struct Rule {
    /// Gets the arguments and the call's number; nil for all calls.
    let condition: (@Sendable (Arguments, Int) -> Bool)?
    /// One for all calls, or several in turn.
    let answers: [Answer]
    let location: CodeLocation
    /// Whether it serves several tests, some of which may not use it.
    let isShared: Bool
    var used = 0

    var isUsedUp: Bool { answers.count > 1 && used >= answers.count }
  }

  struct Entry {
    let arguments: Arguments
    /// Its place among the calls of all doubles.
    let number: UInt
    var outcome = StubOutcome<Result, Failure>.underWay
    /// Whether an expectation covered it.
    var isCovered = false
    /// The call as recorders know it, if one listened.
    var recorded: CallNote?
  }

  private struct State {
    var entries: [Entry] = []
    var rules: [Rule] = []
    var waits: [CallWait] = []
  }

  let identity: StubIdentity
  private let state = Lock(State())

  init(_ requirement: String?, at location: CodeLocation) {
    identity = StubIdentity(requirement, at: location)
    identity.ledger.add(self)
  }

  deinit {
    identity.ledger.leave(self)
  }

  var entries: [Entry] { state.withLock { $0.entries } }
  var count: Int { state.withLock { $0.entries.count } }

  func add(_ rule: Rule) { state.withLock { $0.rules.append(rule) } }

  // MARK: A call

  /// Notes that a call begins, and ends the waits for it.
  ///
  /// - Returns: The call's place among those of the stub.
  func begin(_ arguments: Arguments) -> Int {
    let (place, number, waits) = state.withLock { state in
      let number = CallNumbers.next()
      state.entries.append(Entry(arguments: arguments, number: number))
      let count = state.entries.count
      let waits = state.waits.filter { $0.times <= count }
      state.waits.removeAll { $0.times <= count }
      return (count - 1, number, waits)
    }
    let origin = identity.origin
    let recorders = origin.listening
    if !recorders.isEmpty {
      // Describing the arguments is the user's code, which runs under no lock.
      let call = CallNote(
        CallText.call(identity.name, arguments), number: number, service: origin.service,
        request: origin.request)
      for recorder in recorders { recorder.note(call) }
      state.withLock { $0.entries[place].recorded = call }
    }
    for wait in waits { wait.end(.called) }
    return place
  }

  /// Finds what a call gets; nil if nothing is stubbed for it.
  func answer(to place: Int, _ arguments: Arguments) -> Answer? {
    let rules = state.withLock { $0.rules }
    // Conditions are the user's code, which runs under no lock. Rules stay where they are.
    let found =
      rules.lastIndex { $0.condition?(arguments, place + 1) ?? false }
      ?? rules.lastIndex { $0.condition == nil }
    guard let found else { return nil }
    return state.withLock { state in
      let rule = state.rules[found]
      state.rules[found].used += 1
      if rule.isUsedUp { return nil }
      return rule.answers[rule.answers.count == 1 ? 0 : rule.used]
    }
  }

  /// Notes how a call ended.
  func end(_ place: Int, _ outcome: StubOutcome<Result, Failure>) {
    let recorded = state.withLock { state in
      state.entries[place].outcome = outcome
      return state.entries[place].recorded
    }
    recorded?.end(CallText.outcome(outcome))
  }

  // MARK: Waiting

  nonisolated(nonsending) func wait(
    for times: Int, within timeout: Duration, _ clock: any Clock<Duration>
  ) async -> CallWait.Ending {
    let wait = CallWait(times: times)
    let isThere = state.withLock { state in
      if state.entries.count < times { state.waits.append(wait) }
      return state.entries.count >= times
    }
    let ending = isThere ? .called : await wait.ending(within: timeout, clock)
    state.withLock { state in
      state.waits.removeAll { $0 === wait }
      if ending == .called {
        for place in 0..<times { state.entries[place].isCovered = true }
      }
    }
    return ending
  }

  // MARK: What expectations look at

  /// Notes that an expectation covers calls.
  func cover(_ places: [Int]) {
    state.withLock { state in
      for place in places { state.entries[place].isCovered = true }
    }
  }
}

// Sendable, where arguments and results are: its other properties are immutable, and what changes
// is behind the lock. The closures that the state holds are `@Sendable`, but for those that users
// vouch for (`forwards`).
extension StubLog: Sendable where Arguments: Sendable, Result: Sendable {}

// MARK: - Without its types

/// The calls of a stub, whatever its arguments are.
protocol AnyStubLog: AnyObject {
  var identity: StubIdentity { get }
  var hasCalls: Bool { get }
  var notedCalls: [NotedCall] { get }
  /// What was said about calls and never came to be used.
  var unusedRules: [UnusedRule] { get }
  func cover(_ places: [Int])
}

extension AnyStubLog {
  var name: String { identity.name }

  /// Has the stub belong to the current sandbox, as part of the double of a service.
  func adopt(_ label: String?, _ service: ServiceKey, at location: CodeLocation?) {
    let before = identity.ledger
    identity.adopt(label, service, at: location)
    let ledger = identity.ledger
    guard before !== ledger else { return }
    before.drop(self)
    ledger.add(self)
  }
}

/// A call, for reports.
struct NotedCall {
  let log: any AnyStubLog
  let place: Int
  let number: UInt
  let isCovered: Bool
  let text: () -> String
}

/// Something that was said about calls and never came to be used.
struct UnusedRule {
  let location: CodeLocation
  /// Whether the requirement was called, but never so that the condition held.
  let isForOtherCalls: Bool
}

extension StubLog: AnyStubLog {
  var hasCalls: Bool { count > 0 }

  var notedCalls: [NotedCall] {
    entries.enumerated().map { place, entry in
      NotedCall(log: self, place: place, number: entry.number, isCovered: entry.isCovered) {
        let outcome = CallText.outcome(entry.outcome).map { "  — \($0)" } ?? ""
        return CallText.call(self.identity.name, entry.arguments) + outcome
      }
    }
  }

  var unusedRules: [UnusedRule] {
    let state = state.withLock { $0 }
    if identity.isLenient { return [] }
    let unused = state.rules.filter { $0.used == 0 && !$0.isShared }
    if state.entries.isEmpty {
      return unused.prefix(1).map { UnusedRule(location: $0.location, isForOtherCalls: false) }
    }
    return unused.filter { $0.condition != nil }.map {
      UnusedRule(location: $0.location, isForOtherCalls: true)
    }
  }
}

extension StubLog {
  /// Answers a call that nothing is stubbed for, which is an issue unless there is no result.
  func unstubbed(_ arguments: Arguments) -> Swift.Result<Result, Failure> {
    if Result.self == Void.self { return .success(() as! Result) }
    let stubbed = state.withLock { $0.rules }.map { rule in
      let state =
        rule.isUsedUp
        ? ", \(rule.answers.count) results, all used"
        : rule.condition == nil ? "" : ", for other calls"
      return ("stubbed:", "\(rule.location)\(state)")
    }
    return identity.unstubbed(arguments, stubbed)
  }
}
#endif
