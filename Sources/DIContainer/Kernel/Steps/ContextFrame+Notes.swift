// The notes of registrations, and of requests that end at once, for the recorders of a frame.

extension ContextFrame {
  /// Whether a recorder is active here.
  var isRecorded: Bool { !recorders.isEmpty }

  func record(_ registration: Registration, in core: ContainerCore) {
    if !isRecorded { return }
    record(
      nil, registration.key, in: core, scope: registration.scope,
      isDouble: isDouble(registration, in: core), registeredAt: registration.location)
  }

  /// Records that a registration was given another scope after it was made.
  func recordScope(of registration: Registration) {
    for recorder in recorders { recorder.rescope(registration) }
  }

  func recordMiss(_ request: Request, in core: ContainerCore) {
    record(.missed, request.key, in: core, requestedAt: request.location)
  }

  func recordFallback(_ request: Request, in core: ContainerCore, isNew: Bool) {
    record(
      isNew ? .created : .kept, request.key, in: core, scope: Self.fallback, isDouble: true,
      requestedAt: request.location)
  }

  private static let fallback = Scope(.none, description: "fallback")

  private func record(
    _ outcome: Outcome?, _ key: ServiceKey, in core: ContainerCore, scope: Scope? = nil,
    isDouble: Bool = false, registeredAt: CodeLocation? = nil, requestedAt: CodeLocation? = nil
  ) {
    if !isRecorded { return }
    let note = EventNote(
      parent: Chain.currentEvent, outcome: outcome, key: key, container: core.label,
      scope: scope, isDouble: isDouble, registeredAt: registeredAt, requestedAt: requestedAt)
    for recorder in recorders { _ = recorder.add(note) }
  }
}

extension ContextFrame {
  /// The number of the innermost current request that is recorded, or 0.
  package static var currentRequest: UInt64 { needsAttention ? Chain.currentEvent : 0 }
}
