// Calls of doubles, recorded beside the resolutions that returned the doubles. The kernel knows no
// doubles: the code that makes them records their calls here.

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
  ///
  /// - Parameters:
  ///   - number: The position of the call among the calls of all doubles, from 1.
  ///   - call: The call as in source code.
  ///   - outcome: The outcome; nil for a call that returned nothing.
  ///   - resolution: The index of the event that returned the double, if known.
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
package final class CallNote: Sendable {
  let call: String
  let number: UInt
  /// The registrations of the double, if known.
  let registrations: [DoubleRegistration]
  /// The number of the request in whose factory the double was made, or 0.
  let request: UInt64
  private let outcome = Lock<String?>("under way")

  package init(
    _ call: String, number: UInt, registrations: [DoubleRegistration], request: UInt64
  ) {
    (self.call, self.number, self.registrations) = (call, number, registrations)
    self.request = request
  }

  package func end(_ outcome: String?) { self.outcome.withLock { $0 = outcome } }

  fileprivate func recorded(_ resolution: Int?) -> RecordedCall {
    RecordedCall(
      number: number, call: call, outcome: outcome.withLock { $0 }, resolution: resolution)
  }
}

/// The registration of a double: its service and place.
///
/// Without a place it stands for every registration for the type and name, also by key path.
package struct DoubleRegistration: Sendable, Hashable {
  package let service: ServiceKey
  package let location: CodeLocation?

  package init(_ service: ServiceKey, at location: CodeLocation?) {
    self.service = location == nil ? ServiceKey(service.type, name: service.name) : service
    self.location = location
  }

  fileprivate var withoutPlace: DoubleRegistration { DoubleRegistration(service, at: nil) }
}

extension ResolutionRecorder {
  /// The calls of doubles so far, in the order in which they began.
  ///
  /// These are the calls of DITesting's doubles, and those recorded with `noteCall`.
  public var calls: [RecordedCall] { contents.calls }

  /// Records a call of a double that begins now.
  package func note(_ call: CallNote) { log.withLock { $0.add(call) } }

  /// Records that a double records its calls.
  package func note(_ double: DoubleRegistration) { log.withLock { $0.add(double) } }
}

/// The events and the calls of doubles at one moment.
struct RecordedContents {
  let events: [ResolutionEvent]
  let calls: [RecordedCall]
  /// The indices of events that returned doubles without a recorded call.
  let uncalled: Set<Int>

  init(_ log: EventLog) {
    let events = log.events
    let doubles = log.returnedDoubles(events)
    let calls = log.calls(beside: doubles)
    let called = Set(
      calls.compactMap { $0.resolution.flatMap { doubles[$0] } }
        + log.calls.flatMap(\.note.registrations))
    self.events = events
    self.calls = calls
    uncalled = Set(
      doubles.indices.filter { index in
        guard let double = doubles[index] else { return false }
        return log.doubles.contains(double) && !called.contains(double)
      })
  }
}

extension EventLog {
  /// A call, with the number of events when it began.
  struct Call {
    let note: CallNote
    let place: Int
  }

  /// Returns the doubles that events returned; nil for all other events.
  ///
  /// Doubles that do not record calls themselves stand for any of that type and name: they may
  /// decorate one that does.
  func returnedDoubles(_ events: [ResolutionEvent]) -> [DoubleRegistration?] {
    let known = doubles.union(calls.flatMap(\.note.registrations))
    return events.map { event in
      guard event.isResolved, event.isDouble else { return nil }
      let exact = DoubleRegistration(event.key, at: event.registeredAt)
      return known.contains(exact) ? exact : exact.withoutPlace
    }
  }

  /// Returns the calls in their public form, linked to the events, which returned these doubles.
  func calls(beside doubles: [DoubleRegistration?]) -> [RecordedCall] {
    let numbered = calls.contains { $0.note.request != 0 } ? numbered : [:]
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
}

extension ContextFrame {
  /// The number of the innermost current request that is recorded, or 0.
  package static var currentRequest: UInt64 { needsAttention ? Chain.currentEvent : 0 }
}
