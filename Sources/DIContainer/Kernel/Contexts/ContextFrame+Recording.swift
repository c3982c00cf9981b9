internal import DIPrimitives

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
  /// Whether a recorder is active here.
  var isRecorded: Bool { !recorders.isEmpty }

  /// Begins the event of a request; returns nil if no recorder is active.
  func begin(
    _ request: UnsafePointer<Request>, _ found: Found, container: Resolver
  ) -> RecordedRequest? {
    guard isRecorded else { return nil }
    let last = found.target(in: container.core, self)
    let number = di_next_event(di_thread_get())
    let note = EventNote(
      number: number, parent: ResolutionStack.currentEvent, outcome: .missed, key: request.key,
      container: found.owner.label, scope: last.registration.scope, isDouble: last.isDouble,
      registeredAt: found.registration.location, requestedAt: request.pointee.location)
    return RecordedRequest(number: number, positions: recorders.map { $0.add(note) })
  }

  /// Ends the event of a request that was begun here.
  func finish(_ event: RecordedRequest, as outcome: Outcome) {
    let duration = event.start.duration(to: .now)
    for (recorder, position) in zip(recorders, event.positions) {
      recorder.finish(position, as: outcome, after: duration)
    }
  }

  /// Calls a closure with an observer of all recorders of this context, if any is active.
  func observe(_ tell: (Observer) -> Void) {
    if isRecorded { tell(Observer(frame: self)) }
  }

  struct Observer {
    fileprivate let frame: ContextFrame

    func registered(_ registration: Registration, in core: ContainerCore) {
      add(
        nil, registration.key, in: core, scope: registration.scope,
        isDouble: frame.isDouble(registration, in: core), registeredAt: registration.location)
    }

    /// Records that a registration was given another scope after it was made.
    func rescoped(_ registration: Registration) {
      for recorder in frame.recorders { recorder.rescope(registration) }
    }

    func missed(_ request: Request, in core: ContainerCore) {
      add(.missed, request.key, in: core, requestedAt: request.location)
    }

    func fellBack(_ request: Request, in core: ContainerCore, isNew: Bool) {
      add(
        isNew ? .created : .kept, request.key, in: core, scope: Self.fallback, isDouble: true,
        requestedAt: request.location)
    }

    private static let fallback = Scope(.none, description: "fallback")

    private func add(
      _ outcome: Outcome?, _ key: ServiceKey, in core: ContainerCore,
      scope: Scope? = nil, isDouble: Bool = false, registeredAt: CodeLocation? = nil,
      requestedAt: CodeLocation? = nil
    ) {
      let note = EventNote(
        parent: ResolutionStack.currentEvent, outcome: outcome, key: key, container: core.label,
        scope: scope, isDouble: isDouble, registeredAt: registeredAt, requestedAt: requestedAt)
      for recorder in frame.recorders { _ = recorder.add(note) }
    }
  }
}
