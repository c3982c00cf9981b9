internal import DIPrimitives

// Recording of requests. Requests are numbered, so that a request finds its enclosing one even if
// several recorders are active that began at different times.

/// A request that resolves to a registration.
struct HeardRequest {
  let request: UnsafePointer<Request>
  let registration: Registration
  let owner: ContainerCore
  /// The scope of the instance: the registration's, or that of an alias's target.
  let scope: Scope
  let isDouble: Bool
  /// The number of the request in whose factory it was made, or 0.
  let parent: UInt64

  /// Adds the event of a request that is in progress.
  func begin(_ recorders: [ResolutionRecorder]) -> RecordedRequest {
    let number = di_next_event(di_thread_get())
    let tickets = recorders.map { recorder in
      recorder.withLog { log in
        log.add(
          EventLog.Record(
            number: number, parent: parent, requestedAt: request.pointee.location,
            subject: log.subject(of: self), kind: .missed, isDouble: isDouble))
      }
    }
    return RecordedRequest(number: number, start: di_ticks(), tickets: tickets)
  }
}

/// The event of a request that is in progress.
struct RecordedRequest {
  let number: UInt64
  fileprivate let start: UInt64
  /// The positions in the recorders, innermost first.
  fileprivate let tickets: [EventLog.Ticket]

  /// Ends the event, in the recorders for which it was begun.
  func finish(_ recorders: [ResolutionRecorder], as kind: ResolutionEvent.Kind) {
    let ticks = di_ticks()
    // Another core's counter may be a little behind.
    let duration = ticks > start ? ticks - start : 0
    for (recorder, ticket) in zip(recorders, tickets) {
      recorder.withLog { $0.finish(ticket, as: kind, after: duration) }
    }
  }
}
