// The notes that a frame makes for its recorders. Requests are numbered, so that a request finds
// its enclosing one even if several recorders are active that began at different times.

/// The event of a request that is in progress.
///
/// A class: the standard clock's instant would make each value that holds it one of unknown size.
final class RecordedRequest {
  let number: UInt64
  let start = ContinuousClock.now
  /// The positions in the frame's recorders, innermost first.
  let positions: [Int]

  init(number: UInt64, positions: [Int]) {
    self.number = number
    self.positions = positions
  }
}

extension ContextFrame {
  /// Begins the event of a request; returns nil if no recorder is active.
  func begin(
    _ request: @autoclosure () -> Request, _ found: Found, container: Resolver
  ) -> RecordedRequest? {
    guard isRecorded else { return nil }
    let request = request()
    let last = found.target
    let number = SerialNumber.next()
    let note = EventNote(
      number: number, parent: Chain.currentEvent, outcome: .missed, key: request.key,
      container: found.owner.label, scope: last.scope,
      isDouble: last.isDouble, registeredAt: found.registration.location,
      requestedAt: request.location)
    return RecordedRequest(number: number, positions: recorders.map { $0.add(note) })
  }

  /// Ends the event of a request that was begun here; `failure`: what its factory did, if that
  /// failed.
  func finish(_ event: RecordedRequest, as outcome: Outcome, _ failure: String? = nil) {
    let duration = event.start.duration(to: .now)
    for (recorder, position) in zip(recorders, event.positions) {
      recorder.finish(position, as: outcome, failure, after: duration)
    }
  }
}
