internal import DIPrimitives

// What recorders hear. Requests are numbered, so that a request finds the one it was made for even
// where several recorders listen that began at different times.

extension ContextFrame {
  /// The event of a request that is under way, for the frame that began it.
  struct Recording {
    let number: UInt64
    fileprivate let start: UInt64
    /// Where the innermost recorder has it.
    fileprivate let ticket: EventLog.Ticket
    /// Where the recorders outside that have it.
    fileprivate let others: [EventLog.Ticket]
  }

  /// Begins the event of a request; nil if nobody listens.
  func begin(
    _ request: UnsafePointer<Request>, _ found: Found, asked: Resolver
  ) -> Recording? {
    if recorders.isEmpty { return nil }
    let target = found.registration.aliasTarget.flatMap {
      Lookup.find($0.typeAndName, in: asked.core, self)
    }
    return begin(
      request, found.registration, found.owner,
      scope: (target?.registration ?? found.registration).scope,
      isDouble: found.isDouble || target?.isDouble ?? false, parent: Self.currentEvent,
      di_thread_get())
  }

  /// Begins the event of a request that ends up at a registration of a scope.
  ///
  /// There is a recorder.
  @inline(__always)
  func begin(
    _ request: UnsafePointer<Request>, _ registration: Registration, _ owner: ContainerCore,
    scope: Scope, isDouble: Bool, parent: UInt64, _ thread: UnsafeMutablePointer<di_thread>
  ) -> Recording {
    let number = di_next_event(thread)
    let ticket = recorders[0].add(
      request, registration, owner, scope, isDouble: isDouble, number, parent: parent,
      as: .missed)
    var others: [EventLog.Ticket] = []
    if recorders.count > 1 {
      others = recorders.dropFirst().map {
        $0.add(
          request, registration, owner, scope, isDouble: isDouble, number, parent: parent,
          as: .missed)
      }
    }
    return Recording(number: number, start: di_now(), ticket: ticket, others: others)
  }

  /// Ends the event of a request.
  @inline(__always)
  func finish(_ recording: Recording, as kind: ResolutionEvent.Kind) {
    let nanoseconds = di_now() - recording.start
    recorders[0].finish(recording.ticket, as: kind, after: nanoseconds)
    for (recorder, ticket) in zip(recorders.dropFirst(), recording.others) {
      recorder.finish(ticket, as: kind, after: nanoseconds)
    }
  }

  /// Adds the event of a request that was answered with an instance at hand.
  @inline(__always)
  func addKept(
    _ request: UnsafePointer<Request>, _ registration: Registration, _ owner: ContainerCore,
    isDouble: Bool, parent: UInt64
  ) {
    for recorder in recorders {
      _ = recorder.add(
        request, registration, owner, registration.scope, isDouble: isDouble, 0, parent: parent,
        as: .kept)
    }
  }

  /// The event of the innermost request under way that has one.
  private static var currentEvent: UInt64 {
    let thread = di_thread_get()
    return di_frames(thread) == nil
      ? AsyncLink.currentEvent : ResolutionStack.innermostEvent(thread)
  }
}

// MARK: - What happens seldom

extension ContextFrame {
  /// Tells all recorders of this context, innermost first.
  func observe(_ tell: (Observer) -> Void) {
    if !recorders.isEmpty { tell(Observer(frame: self)) }
  }

  struct Observer {
    fileprivate let frame: ContextFrame

    func registered(_ registration: Registration, in core: ContainerCore) {
      add(
        .registered, registration.key, in: core, scope: registration.scope,
        isDouble: registration.options.isDouble || frame.isLayer(core),
        registeredAt: registration.location, requestedAt: CodeLocation())
    }

    /// A registration was given another scope after it was made.
    func rescoped(_ registration: Registration) {
      for recorder in frame.recorders { recorder.rescope(registration) }
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
        registration: 0, key: key, scope: scope, container: core.label,
        registeredAt: registeredAt)
      let parent = ContextFrame.currentEvent
      for recorder in frame.recorders {
        recorder.add(
          subject, requestedAt: requestedAt, isDouble: isDouble, parent: parent, as: kind)
      }
    }
  }
}
