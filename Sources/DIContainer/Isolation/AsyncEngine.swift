// The resolution of requests that can wait: on the actor of the factory with the sync engine, or
// with `AsyncProduce`. Nothing here is generic: instances are passed in boxes, and code that knows
// the service's type takes them out.

enum AsyncEngine {
  /// The restriction of an instance to the caller's actor.
  enum Confinement {
    case none
    /// The service is not Sendable; it is used on this actor, or on none.
    case to((any Actor)?)
  }

  /// Returns the instance for a request, or nil when nothing is registered or the factory returned
  /// nil.
  static nonisolated(nonsending) func answer<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64? = nil, at known: Found? = nil,
    isPatient: Bool, confined: Confinement = .none, as type: Service.Type = Service.self
  ) async throws -> Service? {
    let box = try await deliver(
      Step(request: request, args: args, asked: asked, below: below, known: known),
      isPatient: isPatient, confined: confined)
    return box.flatMap { $0.load(as: type) }
  }

  /// Returns the instance for a required service, or throws when there is none.
  static nonisolated(nonsending) func need<Service>(
    _ request: Request, args: Any?, asked: Resolver, isPatient: Bool,
    confined: Confinement = .none, as type: Service.Type = Service.self
  ) async throws -> Service {
    if let service: Service = try await answer(
      request, args: args, asked: asked, isPatient: isPatient, confined: confined)
    {
      return service
    }
    throw Resolution.failure(request, asked: asked)
  }

  /// A request, with the registration found for it if the caller knows that.
  private struct Step {
    var request: Request
    let args: Any?
    let asked: Resolver
    let below: UInt64?
    let known: Found?

    func find(_ frame: ContextFrame?) -> Found? {
      known ?? Lookup.find(request, asked: asked, frame, below: below)
    }

    /// Whether doubles may stand in for what is found: the search is not part of a decoration.
    var isWhole: Bool { below == nil && known == nil }

    /// Resolves it without waiting.
    func run() throws -> AnyBox? {
      try AnyBox.strong(of: request.type) { memory in
        try withUnsafePointer(to: request) { request in
          try withAddress(of: args) { args in
            guard let known else {
              return try Resolution.deliver(
                request, args: args, asked: asked, below: below, to: memory)
            }
            return try AsyncLink.asStep {
              try Resolution.deliver(
                known, request, args: args, asked: asked, ContextFrame.current, to: memory)
            }
          }
        }
      }
    }
  }

  // The caller waits, so its values are used by one of the two at a time.
  private static func run(
    _ step: Unchecked<Step>, on actor: isolated any Actor
  ) async throws -> Unchecked<AnyBox?> {
    Unchecked(try step.value.run())
  }

  private static nonisolated(nonsending) func deliver(
    _ step: Step, isPatient: Bool, confined: Confinement
  ) async throws -> AnyBox? {
    Startup.runIfNeeded()
    let (request, asked, frame) = (step.request, step.asked, ContextFrame.current)
    var answer = step.find(frame)
    if answer == nil, asked.core.factories.prepareLate(asked, asked.core) {
      answer = step.find(frame)
    }
    if let frame, step.isWhole, frame.waitsForMain(answer, request, asked: asked) {
      if case .to(let isolation) = confined, isolation !== MainActor.shared {
        throw ResolutionError.fallbackNeedsMain(request)
      }
      return try await run(Unchecked(step), on: MainActor.shared).value
    }
    guard let found = answer else {
      guard step.below == nil, request.declared == nil,
        let optional = request.type as? any OptionalType.Type
      else {
        return try step.run()
      }
      var content = step
      content.request = Request(
        optional.wrapped, name: request.name, property: request.property,
        location: request.location)
      // An optional always resolves: to nil, if nothing is registered.
      return optional.box(
        try await deliver(content, isPatient: isPatient, confined: confined))
    }
    switch found.home(asked: asked, frame, request.declared) {
    case .anywhere, .under:
      return try step.run()
    case .actor(let actor):
      if case .to(let isolation) = confined, isolation !== actor {
        throw ResolutionError.leavesActor(actor, request, found.registration)
      }
      if actor.isCurrent { return try step.run() }
      return try await run(Unchecked(step), on: actor).value
    case .task:
      return try await wait(step, isPatient: isPatient)
    }
  }

  /// Returns the instance of an async factory; the counterpart of `Resolution.deliver`.
  private static nonisolated(nonsending) func wait(
    _ step: Step, isPatient: Bool
  ) async throws -> AnyBox? {
    let (request, asked) = (step.request, step.asked)
    let frame = withUnsafePointer(to: request) { ContextFrame.answering($0, asked: asked) }
    guard let found = step.find(frame),
      case .task = found.home(asked: asked, frame, request.declared)
    else { return try step.run() }
    if let frame, frame.isGuarded, step.isWhole,
      let standIn = try frame.standIn(for: found, request, asked: asked)
    {
      return standIn
    }
    let own = found.wrapping(asked: asked, frame, request.declared)
    return try await produce(
      AsyncRequest(
        request: request, args: step.args, asked: asked, isPatient: isPatient, found: own,
        frame: frame), recordedAs: own
    ).box
  }

  /// Makes or returns an instance, as one event of the recorders.
  static nonisolated(nonsending) func produce(
    _ order: AsyncRequest, recordedAs found: Found
  ) async throws -> AsyncProduce.Made {
    var order = order
    let (request, frame) = (order.request, order.frame)
    order.recording = withUnsafePointer(to: request) { frame?.begin($0, found, asked: order.asked) }
    var kind = ResolutionEvent.Kind.missed
    defer { if let recording = order.recording { frame?.finish(recording, as: kind) } }
    let made = try await AsyncProduce(request: order).run()
    guard let box = made.box else { return made }
    kind = made.wasCreated ? .created : .kept
    let decorate = Resolver.currentDecoration(frame)
    let property = order.found.property
    if decorate == nil, frame == nil, property == nil { return made }
    order.found.registration.withCopy(of: box) { memory in
      decorate?(order.found.registration.asAny(memory))
      withUnsafePointer(to: request) { frame?.note(memory, found, $0) }
      property?.decorate(memory, order.found.registration.key.type, isNew: made.wasCreated)
    }
    return made
  }
}

extension ContextFrame {
  /// Returns the double that replaces a live service, as for a sync request.
  ///
  /// Nil if the registration is used; an inner nil if work that is too late gets nothing.
  func standIn(for found: Found, _ request: Request, asked: Resolver) throws -> AnyBox?? {
    var standIn = StandIn.none
    let box = AnyBox.strong(of: request.type) { memory in
      standIn = withUnsafePointer(to: request) {
        self.standIn(for: found, $0, asked: asked, to: memory)
      }
      if case .double = standIn { return true }
      return false
    }
    switch standIn {
    case .none: return nil
    case .double, .refused: return .some(box)
    case .onMainOnly: throw ResolutionError.fallbackNeedsMain(request)
    }
  }
}

extension Found {
  /// Returns the double that replaces a live service, or nil if the service itself is used.
  ///
  /// Throws if the request comes too late and gets nothing.
  func standIn<Service>(
    _ request: Request, asked: Resolver, _ frame: ContextFrame?
  ) throws -> Service? {
    guard let frame, frame.isGuarded,
      let standIn = try frame.standIn(for: self, request, asked: asked)
    else { return nil }
    // Refused only because it is late: the declaration of a property is not found by its key.
    guard let standIn else {
      throw ResolutionError.late(
        request, test: frame.endedSandbox?.owner.name ?? frame.owner.name, registration)
    }
    return standIn.load(as: Service.self)
  }
}
