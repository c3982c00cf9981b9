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
  /// The service that the double implements, if known.
  let service: ServiceKey?
  /// The number of the request in whose factory the double was made, or 0.
  let request: UInt64
  private let outcome = Lock<String?>("under way")

  package init(_ call: String, number: UInt, service: ServiceKey?, request: UInt64) {
    (self.call, self.number, self.service, self.request) = (call, number, service, request)
  }

  package func end(_ outcome: String?) { self.outcome.withLock { $0 = outcome } }

  fileprivate func recorded(_ resolution: Int?) -> RecordedCall {
    RecordedCall(
      number: number, call: call, outcome: outcome.withLock { $0 }, resolution: resolution)
  }
}

extension ResolutionRecorder {
  /// The calls of doubles so far, in the order in which they began.
  ///
  /// These are the calls of DITesting's doubles, and those recorded with `noteCall`.
  public var calls: [RecordedCall] { contents.calls }

  /// Records a call of a double that begins now.
  package func note(_ call: CallNote) { log.withLock { $0.add(call) } }

  /// Records that the double for a service records its calls.
  package func note(double service: ServiceKey) {
    log.withLock { $0.add(double: ServiceKey(service.type, name: service.name)) }
  }
}

/// The events and the calls of doubles at one moment.
struct RecordedContents {
  let events: [ResolutionEvent]
  let calls: [RecordedCall]
  /// The indices of events that returned doubles of services without a recorded call.
  let uncalled: Set<Int>

  init(_ log: EventLog) {
    let events = log.events
    let calls = log.calls(beside: events)
    let services = events.map(\.service)
    let called = Set(calls.compactMap(\.resolution).map { services[$0] })
    self.events = events
    self.calls = calls
    uncalled = Set(
      events.indices.filter {
        events[$0].isResolved && events[$0].isDouble && log.doubles.contains(services[$0])
          && !called.contains(services[$0])
      })
  }
}

extension EventLog {
  /// A call, with the number of events when it began.
  struct Call {
    let note: CallNote
    let place: Int
  }

  /// Returns the calls in their public form, linked to the events.
  func calls(beside events: [ResolutionEvent]) -> [RecordedCall] {
    let numbered = calls.contains { $0.note.request != 0 } ? numbered : [:]
    // The last event before a call that may have returned the double of a service, by service.
    var returned: [ServiceKey: Int] = [:]
    var next = 0
    return calls.map { call in
      while next < call.place {
        let event = events[next]
        if event.isResolved, event.isDouble { returned[event.service] = next }
        next += 1
      }
      return call.note.recorded(
        numbered[call.note.request]
          ?? call.note.service.flatMap { returned[ServiceKey($0.type, name: $0.name)] })
    }.sorted { $0.number < $1.number }
  }
}

extension ResolutionEvent {
  /// The type and name under which a double for it would be registered.
  fileprivate var service: ServiceKey { ServiceKey(key.type, name: key.name) }
}

extension ContextFrame {
  /// The number of the innermost current request that is recorded, or 0.
  package static var currentRequest: UInt64 { needsAttention ? ResolutionStack.currentEvent : 0 }
}
