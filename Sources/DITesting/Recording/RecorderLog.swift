#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The events and the calls of doubles that a recorder holds.
struct RecorderLog {
  /// A call, with the number of events when it began.
  struct Call {
    let note: CallNote
    let place: Int
  }

  var events = EventLog()
  private var calls: [Call] = []
  /// The doubles that record their calls.
  private var doubles: Set<DoubleRegistration> = []

  /// Removes all events and calls; the doubles remain known.
  mutating func clear() {
    events.clear()
    calls = []
  }

  mutating func add(_ call: CallNote) { calls.append(Call(note: call, place: events.notes.count)) }

  mutating func add(_ double: DoubleRegistration) { doubles.insert(double) }

  /// Returns the doubles that events returned; nil for all other events.
  ///
  /// Doubles that do not record calls themselves stand for any of that type and name: they may
  /// decorate one that does.
  private func returnedDoubles(_ events: [ResolutionEvent]) -> [DoubleRegistration?] {
    let known = doubles.union(calls.flatMap(\.note.registrations))
    return events.map { event in
      guard event.isResolved, event.isDouble else { return nil }
      let exact = DoubleRegistration(event.key, at: event.registeredAt)
      return known.contains(exact) ? exact : exact.withoutPlace
    }
  }

  /// Returns the calls in their public form, linked to the events, which returned these doubles.
  private func calls(beside doubles: [DoubleRegistration?]) -> [RecordedCall] {
    let numbered = calls.contains { $0.note.request != 0 } ? events.numbered : [:]
    // The last event before a call that returned a double.
    var returned: [DoubleRegistration: Int] = [:]
    var next = 0
    return calls.map { call in
      while next < call.place {
        if let double = doubles[next] { returned[double] = next }
        next += 1
      }
      let registrations = call.note.registrations
      return call.note.recorded(
        numbered[call.note.request] ?? registrations.compactMap { returned[$0] }.max()
          ?? registrations.compactMap { returned[$0.withoutPlace] }.max())
    }.sorted { $0.number < $1.number }
  }

  /// Everything in its public form.
  var contents: RecordedContents {
    let events = events.events
    let doubles = returnedDoubles(events)
    let calls = calls(beside: doubles)
    let called = Set(
      calls.compactMap { $0.resolution.flatMap { doubles[$0] } }
        + self.calls.flatMap(\.note.registrations))
    let uncalled = doubles.indices.filter { index in
      guard let double = doubles[index] else { return false }
      return self.doubles.contains(double) && !called.contains(double)
    }
    return RecordedContents(events: events, calls: calls, uncalled: Set(uncalled))
  }
}

/// The events and the calls of doubles at one moment.
struct RecordedContents {
  let events: [ResolutionEvent]
  let calls: [RecordedCall]
  /// The indices of events that returned doubles without a recorded call.
  let uncalled: Set<Int>
}

/// A call of a double, as recorded.
public struct RecordedCall: Sendable, Equatable, CustomStringConvertible {
  /// The position of the call among the calls of all doubles, from 1.
  public var number: UInt
  /// The call as in source code: `PaymentGateway.charge(cents: 650)`.
  public var call: String
  /// The outcome, such as `returned "ref-1"`; nil for a call that returned nothing.
  public var outcome: String?
  /// The index of the event that returned the double, if known.
  public var resolution: Int?

  /// Creates a call to compare with recorded ones.
  public init(number: UInt, call: String, outcome: String? = nil, resolution: Int? = nil) {
    self.number = number
    self.call = call
    self.outcome = outcome
    self.resolution = resolution
  }

  /// The call in one line, with its outcome.
  public var description: String { call + (outcome.map { "  — \($0)" } ?? "") }
}

/// A call that is recorded when it begins.
final class CallNote: Sendable {
  let call: String
  let number: UInt
  /// The registrations of the double, if known.
  let registrations: [DoubleRegistration]
  /// The number of the request in whose factory the double was made, or 0.
  let request: UInt64
  private let outcome = Lock<String?>("under way")

  init(
    _ call: String, number: UInt, registrations: [DoubleRegistration], request: UInt64
  ) {
    (self.call, self.number, self.registrations) = (call, number, registrations)
    self.request = request
  }

  func end(_ outcome: String?) { self.outcome.withLock { $0 = outcome } }

  func recorded(_ resolution: Int?) -> RecordedCall {
    RecordedCall(
      number: number, call: call, outcome: outcome.withLock { $0 }, resolution: resolution)
  }
}

/// The registration of a double: its service and place.
///
/// Without a place it stands for every registration for the type and name, also by key path.
struct DoubleRegistration: Sendable, Hashable {
  let service: ServiceKey
  let location: CodeLocation?

  init(_ service: ServiceKey, at location: CodeLocation?) {
    self.service = location == nil ? ServiceKey(service.type, name: service.name) : service
    self.location = location
  }

  var withoutPlace: DoubleRegistration { DoubleRegistration(service, at: nil) }
}
#endif
