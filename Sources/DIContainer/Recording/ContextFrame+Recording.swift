internal import DIPrimitives

// What recorders hear. Requests are numbered, so that a request finds the one it was made for even
// where several recorders listen that began at different times.

extension ContextFrame {
  private static let lastNumber = Atomic()

  /// Tells all recorders of this context, innermost first.
  func observe(_ tell: (Observer) -> Void) {
    if !recorders.isEmpty { tell(Observer(frame: self, recorders: recorders)) }
  }

  struct Observer {
    let frame: ContextFrame
    let recorders: [ResolutionRecorder]

    func registered(_ registration: Registration, in core: ContainerCore) {
      add(
        ResolutionEvent(
          kind: .registered, key: registration.key, container: core.label,
          scope: registration.scope.description,
          isDouble: registration.options.isDouble || frame.isLayer(core),
          registeredAt: registration.location))
    }

    /// A registration was given another scope after it was made.
    func rescoped(_ registration: Registration) {
      for recorder in recorders { recorder.rescope(registration) }
    }

    func missed(_ request: Request, in core: ContainerCore) {
      add(
        ResolutionEvent(
          kind: .missed, key: request.key, container: core.label, requestedAt: request.location))
    }

    func answered(_ request: Request, byFallbackIn core: ContainerCore, isNew: Bool) {
      add(
        ResolutionEvent(
          kind: isNew ? .created : .kept, key: request.key, container: core.label,
          scope: "fallback",
          isDouble: true, requestedAt: request.location))
    }

    private func add(_ event: ResolutionEvent) {
      for recorder in recorders { recorder.add(event, parent: ContextFrame.currentEvent) }
    }
  }

  /// The event of a request that is under way.
  struct Recording {
    let number: UInt64
    let recorders: [ResolutionRecorder]
    let start = ContinuousClock.now

    func finish(as kind: ResolutionEvent.Kind) {
      let duration = ContinuousClock.now - start
      for recorder in recorders { recorder.finish(number, as: kind, after: duration) }
    }
  }

  /// Begins the event of a request; nil if nobody listens.
  func begin(_ request: Request, _ found: Found, asked: Resolver) -> Recording? {
    if recorders.isEmpty { return nil }
    let target = found.registration.aliasTarget.flatMap {
      Lookup.find($0.typeAndName, in: asked.core, self)
    }
    return begin(
      request, found, scope: (target?.registration ?? found.registration).scope,
      isDouble: found.isDouble || target?.isDouble ?? false)
  }

  /// Begins the event of a request that ends up at a registration of a scope.
  func begin(
    _ request: Request, _ found: Found, scope: Scope, isDouble: Bool
  ) -> Recording {
    let recording = Recording(number: Self.nextNumber(), recorders: recorders)
    let label = found.owner.label
    let parent = Self.currentEvent
    for recorder in recorders {
      recorder.begin(number: recording.number, parent: parent) {
        ResolutionEvent(
          kind: .missed, key: request.key, container: label, scope: scope.description,
          isDouble: isDouble, registeredAt: found.registration.location,
          requestedAt: request.location)
      }
    }
    return recording
  }

  private static func nextNumber() -> UInt64 { UInt64(lastNumber.increment()) + 1 }

  /// The event of the innermost request under way that has one.
  private static var currentEvent: UInt64 {
    var next = ResolutionStack.innermost(di_thread_get())
    if next == nil { return AsyncLink.currentEvent }
    while let frame = next {
      if frame.pointee.event != 0 { return frame.pointee.event }
      next = frame.pointee.parent
    }
    return 0
  }
}
