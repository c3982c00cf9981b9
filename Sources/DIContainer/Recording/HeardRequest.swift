internal import DIPrimitives

// Recording of requests. Requests are numbered, so that a request finds its enclosing one even if
// several recorders are active that began at different times.
//
// Recorders are reached through the scopes of the frames (`di_scope`), and nothing here counts a
// reference: retaining and releasing what a request has at hand anyway took a quarter of the time.

/// A request that resolves to a registration; the caller keeps all of this alive.
struct HeardRequest {
  let request: UnsafePointer<Request>
  let registration: Unmanaged<Registration>
  let owner: Unmanaged<ContainerCore>
  /// The scope of the instance: the registration's, or that of an alias's target.
  let scope: Unmanaged<Scope>
  let isDouble: Bool
  /// The number of the request in whose factory it was made, or 0.
  let parent: UInt64

  /// Adds the event of a request that returned an existing instance.
  @inline(__always)
  func addKept(to listener: UnsafeMutablePointer<di_scope>) {
    var next: UnsafeMutablePointer<di_scope>? = listener
    while let listener = next {
      _ = add(to: listener, 0, as: .kept)
      next = listener.pointee.next_listener
    }
  }

  /// Adds the event of a request that is in progress.
  @inline(__always)
  func begin(
    _ listener: UnsafeMutablePointer<di_scope>, _ thread: UnsafeMutablePointer<di_thread>
  ) -> RecordedRequest {
    let number = di_next_event(thread)
    let ticket = add(to: listener, number, as: .missed)
    let outside = listener.pointee.next_listener.map { beginOutside($0, number) } ?? []
    return RecordedRequest(number: number, start: di_ticks(), ticket: ticket, outside: outside)
  }

  @inline(never)
  private func beginOutside(
    _ listener: UnsafeMutablePointer<di_scope>, _ number: UInt64
  ) -> [EventLog.Ticket] {
    sequence(first: listener, next: \.pointee.next_listener).map {
      add(to: $0, number, as: .missed)
    }
  }

  @inline(__always)
  private func add(
    to listener: UnsafeMutablePointer<di_scope>, _ number: UInt64, as kind: ResolutionEvent.Kind
  ) -> EventLog.Ticket {
    listener.withLog { log in
      log.add(
        EventLog.Record(
          number: number, parent: parent, requestedAt: request.pointee.location,
          subject: log.subject(of: self), kind: kind, isDouble: isDouble))
    }
  }
}

/// The event of a request that is in progress.
struct RecordedRequest {
  let number: UInt64
  fileprivate let start: UInt64
  /// The positions in the innermost recorder, and in those outside it.
  fileprivate let ticket: EventLog.Ticket
  fileprivate let outside: [EventLog.Ticket]

  /// Ends the event, in the recorders for which it was begun.
  @inline(__always)
  func finish(_ listener: UnsafeMutablePointer<di_scope>, as kind: ResolutionEvent.Kind) {
    let ticks = di_ticks()
    // Another core's counter may be a little behind.
    let duration = ticks > start ? ticks - start : 0
    listener.withLog { $0.finish(ticket, as: kind, after: duration) }
    if !outside.isEmpty { finishOutside(listener, as: kind, after: duration) }
  }

  @inline(never)
  private func finishOutside(
    _ listener: UnsafeMutablePointer<di_scope>, as kind: ResolutionEvent.Kind,
    after duration: UInt64
  ) {
    var next = listener.pointee.next_listener
    for ticket in outside {
      guard let listener = next else { return }
      listener.withLog { $0.finish(ticket, as: kind, after: duration) }
      next = listener.pointee.next_listener
    }
  }
}

extension UnsafeMutablePointer<di_scope> {
  /// Calls a closure with the events of a scope's recorder, which lives as long as the scope.
  @inline(__always)
  func withLog<Result>(_ body: (inout EventLog) -> Result) -> Result {
    Lock<EventLog>.withLock(at: pointee.log.unsafelyUnwrapped, body)
  }
}
