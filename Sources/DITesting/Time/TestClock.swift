#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Foundation

// A clock that stands still until a test moves it. Sleepers and those who wait for a sleeper are
// entries under one lock, and whoever changes the clock resumes them, outside the lock: nothing
// yields, polls or measures real time. So a test never depends on how busy the machine is.

/// A clock that a test moves.
///
/// It starts at `.zero`. A sleep ends when the clock reaches its deadline, whatever its tolerance,
/// or when its task is cancelled. Several that are due are resumed in the order of their deadlines,
/// and those with one deadline in the order of their arrival. What resumed tasks do runs later, on
/// their own executors: the clock does not wait until they are idle. To wait for the next sleep,
/// use ``sleeper(atLeast:count:)``.
///
/// ```swift
/// let clock = TestClock()
/// let timer = Task { try await clock.sleep(for: .seconds(30)) }
/// await clock.sleeper(atLeast: .seconds(30))
/// clock.advance(by: .seconds(30))
/// try await timer.value
/// ```
public final class TestClock: Clock, Sendable {
  /// The effect of sleeping.
  public enum Sleeping: Sendable {
    /// A sleep lasts until the test moves the clock.
    case untilAdvanced
    /// A sleep moves the clock to its deadline, and ends at once.
    case immediate
  }

  private struct Sleeper {
    let id: UInt64
    let began: Instant
    let deadline: Instant
    let continuation: UnsafeContinuation<Void, any Error>

    var pause: Pause { .sleep(from: began, to: deadline) }
  }

  /// A wait for a number of sleepers.
  private struct Wait {
    let id: UInt64
    let duration: Duration
    let count: Int
    let continuation: UnsafeContinuation<Void, Never>

    var pause: Pause { .wait(atLeast: duration, count: count) }
  }

  /// A sleep or a wait, for reports.
  enum Pause: Sendable {
    case sleep(from: Instant, to: Instant)
    case wait(atLeast: Duration, count: Int)
  }

  private struct Sleepers {
    var now = Instant.zero
    /// The date at `.zero`.
    var start = Date(timeIntervalSinceReferenceDate: 0)
    /// In the order in which they are due.
    var sleepers: [Sleeper] = []
    var waits: [Wait] = []
    /// The sleeps and the waits that a cancellation ended since the clock was moved.
    var cancelled: [Pause] = []

    /// Whether so many sleep for as long as a wait asks.
    func isOver(_ duration: Duration, _ count: Int) -> Bool {
      sleepers.count { now.duration(to: $0.deadline) >= duration } >= count
    }

    /// Takes out the waits that are over.
    mutating func takeOver() -> [Wait] {
      let over = waits.filter { isOver($0.duration, $0.count) }
      if !over.isEmpty { waits = waits.filter { !isOver($0.duration, $0.count) } }
      return over
    }

    /// Moves the clock, but never back; returns the sleepers that are due.
    mutating func advance(to instant: Instant) -> [Sleeper] {
      now = max(now, instant)
      cancelled = []
      let due = sleepers.prefix { $0.deadline <= now }
      sleepers.removeFirst(due.count)
      return Array(due)
    }
  }

  let sleeping: Sleeping
  private let state = Lock(Sleepers())

  /// Creates a clock at `.zero`.
  ///
  /// - Parameter sleeping: What sleeping does.
  public init(_ sleeping: Sleeping = .untilAdvanced) { self.sleeping = sleeping }

  // MARK: The time

  /// The clock's instant.
  public var now: Instant { state.withLock { $0.now } }

  /// The smallest step: there is none, so any duration is exact.
  public var minimumResolution: Duration { .zero }

  /// The date at the clock's instant, which moves with the clock.
  ///
  /// At `.zero` it is 1 January 2001, 00:00:00 UTC, unless a test sets another.
  public var date: Date {
    get { state.withLock { $0.start.addingTimeInterval($0.now.offset / .seconds(1)) } }
    set {
      state.withLock { $0.start = newValue.addingTimeInterval(-($0.now.offset / .seconds(1))) }
    }
  }

  /// Moves the clock forwards, and resumes the sleepers that are due then.
  ///
  /// - Parameter duration: How far; a negative one is an issue, and moves nothing.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    move(CodeLocation(fileID, filePath, line, column)) { $0.now.advanced(by: duration) }
  }

  /// Moves the clock to an instant, and resumes the sleepers that are due then.
  ///
  /// - Parameter instant: The instant; one that has passed is an issue, and moves nothing.
  public func advance(
    to instant: Instant, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    move(CodeLocation(fileID, filePath, line, column)) { _ in instant }
  }

  /// Moves the clock to the deadline of the last sleeper, and resumes all sleepers.
  ///
  /// Without a sleeper it moves nothing. Those who fall asleep afterwards stay.
  public func run() { move { $0.sleepers.last?.deadline ?? $0.now } }

  /// Moves the clock, but never back: that is an issue of the caller whose place is given.
  private func move(_ caller: CodeLocation? = nil, to instant: (Sleepers) -> Instant) {
    let (now, next, due) = state.withLock { state in
      let (now, next) = (state.now, instant(state))
      return (now, next, state.advance(to: next))
    }
    for sleeper in due { sleeper.continuation.resume() }
    guard let caller, next < now else { return }
    TestHooks.install()
    IssueReporter.fail(
      Diagnosis(
        headline: "A test's clock was to move back, from \(now) to \(next): it only moves "
          + "forwards.",
        fixes: ["Advance it by a positive duration, or to an instant that is still to come."]
      ).text, at: caller)
  }

  // MARK: Sleeping

  /// Sleeps until the clock reaches an instant.
  ///
  /// - Parameters:
  ///   - deadline: The instant; one that is not in the future ends the sleep at once.
  ///   - tolerance: Not used: the clock is exact.
  /// - Throws: A `CancellationError`, as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    if sleeping == .immediate { return move { _ in deadline } }
    let id = SerialNumber.next()
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { fallAsleep(id, until: deadline, $0) }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.firstIndex { $0.id == id }.map {
          state.sleepers.remove(at: $0)
        }
        if let sleeper { state.cancelled.append(sleeper.pause) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private func fallAsleep(
    _ id: UInt64, until deadline: Instant, _ continuation: UnsafeContinuation<Void, any Error>
  ) {
    let (ending, over) = state.withLock { state -> (Result<Void, any Error>?, [Wait]) in
      // A task that is cancelled from here on finds its sleeper when it gets the lock.
      if Task.isCancelled { return (.failure(CancellationError()), []) }
      if deadline <= state.now { return (.success(()), []) }
      let place = state.sleepers.firstIndex { $0.deadline > deadline } ?? state.sleepers.endIndex
      state.sleepers.insert(
        Sleeper(id: id, began: state.now, deadline: deadline, continuation: continuation),
        at: place)
      return (nil, state.takeOver())
    }
    if let ending { continuation.resume(with: ending) }
    for wait in over { wait.continuation.resume() }
  }

  /// Waits until somebody sleeps who has at least a duration to go.
  ///
  /// The sleep itself ends the wait; one that began before counts too. If the task is cancelled,
  /// the wait ends at once, and so it does where sleeps do: nobody is found asleep there. If nobody
  /// ever sleeps so long, it does not end: give the test a time limit.
  ///
  /// - Parameters:
  ///   - duration: The time that the sleeper has to go, from the clock's instant on.
  ///   - count: How many such sleepers to wait for.
  public func sleeper(atLeast duration: Duration = .zero, count: Int = 1) async {
    if sleeping == .immediate { return }
    let id = SerialNumber.next()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || state.isOver(duration, count) { return true }
          state.waits.append(
            Wait(id: id, duration: duration, count: count, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let wait = state.withLock { state in
        let wait = state.waits.firstIndex { $0.id == id }.map { state.waits.remove(at: $0) }
        if let wait { state.cancelled.append(wait.pause) }
        return wait
      }
      wait?.continuation.resume()
    }
  }

  /// The sleeps and the waits that did not end by themselves: cancelled ones, then present ones.
  var pauses: [Pause] {
    state.withLock { $0.cancelled + $0.sleepers.map(\.pause) + $0.waits.map(\.pause) }
  }

  /// When each of the present sleeps began and is due.
  var sleeps: [(began: Instant, deadline: Instant)] {
    state.withLock { $0.sleepers.map { ($0.began, $0.deadline) } }
  }
}

extension TestClock {
  /// A point in time of a test's clock: its distance from the clock's start.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock's start.
    public var offset: Duration

    /// Creates an instant.
    ///
    /// - Parameter offset: The time since the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset }

    /// The instant at which every clock starts.
    public static var zero: Self { Self() }

    /// Returns the instant some seconds after the clock's start.
    public static func seconds(_ seconds: Double) -> Self { Self(offset: .seconds(seconds)) }

    /// Returns the instant some time later.
    public func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

    /// Returns the time from this instant to another.
    public func duration(to other: Self) -> Duration { other.offset - offset }

    /// Whether an instant is earlier than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }

    /// The time since the clock's start, as text.
    public var description: String { "\(offset)" }
  }
}
#endif
