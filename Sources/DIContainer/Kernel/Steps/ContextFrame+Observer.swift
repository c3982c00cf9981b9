// The notes of registrations, and of requests that end at once, for the recorders of a frame.

extension ContextFrame {
  /// Whether a recorder is active here.
  var isRecorded: Bool { !recorders.isEmpty }

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
