internal import DIPrimitives

// The notes that a frame makes for its recorders.

extension ContextFrame {
  /// Whether a recorder is active here.
  var isRecorded: Bool { !recorders.isEmpty }

  /// Begins the event of a request; returns nil if no recorder is active.
  func begin(
    _ request: UnsafePointer<Request>, _ found: Found, asked: Resolver
  ) -> RecordedRequest? {
    guard isRecorded else { return nil }
    let last = found.standsFor(asked: asked, self)
    return HeardRequest(
      request: request, registration: found.registration, owner: found.owner,
      scope: last.registration.scope, isDouble: last.isDouble, parent: Self.currentEvent
    ).begin(recorders)
  }

  /// Ends the event of a request that was begun here.
  func finish(_ event: RecordedRequest, as kind: ResolutionEvent.Kind) {
    event.finish(recorders, as: kind)
  }

  /// The event of the innermost current request that has one, or 0.
  static var currentEvent: UInt64 {
    let thread = di_thread_get()
    return di_frames(thread) == nil
      ? AsyncLink.currentEvent : ResolutionStack.innermostEvent(thread)
  }

  /// Calls a closure with an observer of all recorders of this context, if any is active.
  func observe(_ tell: (Observer) -> Void) {
    if isRecorded { tell(Observer(frame: self)) }
  }

  struct Observer {
    fileprivate let frame: ContextFrame

    func registered(_ registration: Registration, in core: ContainerCore) {
      add(
        .registered, registration.key, in: core, scope: registration.scope,
        isDouble: frame.isDouble(registration, in: core),
        registeredAt: registration.location, requestedAt: CodeLocation())
    }

    /// Records that a registration was given another scope after it was made.
    func rescoped(_ registration: Registration) {
      forEachLog { $0.rescope(registration) }
    }

    func missed(_ request: Request, in core: ContainerCore) {
      add(.missed, request.key, in: core, requestedAt: request.location)
    }

    func answered(_ request: Request, byFallbackIn core: ContainerCore, isNew: Bool) {
      add(
        isNew ? .created : .kept, request.key, in: core, scope: Self.fallback, isDouble: true,
        requestedAt: request.location)
    }

    private static let fallback = Scope(kind: .unique, description: "fallback")

    private func add(
      _ kind: ResolutionEvent.Kind, _ key: ServiceKey, in core: ContainerCore,
      scope: Scope? = nil, isDouble: Bool = false, registeredAt: CodeLocation? = nil,
      requestedAt: CodeLocation
    ) {
      let subject = EventLog.Subject(
        key: key, scope: scope, container: core.label, registeredAt: registeredAt)
      let parent = ContextFrame.currentEvent
      forEachLog { log in
        _ = log.add(
          EventLog.Record(
            number: 0, parent: parent, requestedAt: requestedAt, subject: log.add(subject),
            kind: kind, isDouble: isDouble))
      }
    }

    private func forEachLog(_ body: (inout EventLog) -> Void) {
      for recorder in frame.recorders { recorder.withLog(body) }
    }
  }
}
