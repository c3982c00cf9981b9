// The resolution of requests that can wait: on the actor of the factory with the sync engine, or
// with `AsyncProduce`.

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
    Startup.runIfNeeded()
    let key = RawKey(request.type, name: request.name, property: request.property)
    let frame = ContextFrame.current
    var answers = known ?? Lookup.find(key, in: asked.core, frame, below: below)
    if answers == nil, asked.core.factories.prepareLate(asked, asked.core) {
      answers = Lookup.find(key, in: asked.core, frame, below: below)
    }
    if let frame, below == nil, known == nil, frame.waitsForMain(answers, request, asked: asked) {
      if case .to(let isolation) = confined, isolation !== MainActor.shared {
        throw ResolutionError.fallbackNeedsMain(request)
      }
      let step = Step<Service>(request: request, args: args, asked: asked, below: nil, known: nil)
      return try await run(Unchecked(step), on: MainActor.shared).value
    }
    if let found = answers {
      switch found.home(asked: asked, frame) {
      case .anywhere, .under: break
      case .actor(let actor):
        if case .to(let isolation) = confined, isolation !== actor {
          throw ResolutionError.leavesActor(actor, request, found.registration)
        }
        if actor.isCurrent { break }
        let step = Step<Service>(
          request: request, args: args, asked: asked, below: below, known: known)
        // The caller waits, so its values are used by one of the two at a time.
        return try await run(Unchecked(step), on: actor).value
      case .task:
        return try await wait(
          request, args: args, asked: asked, below: below, at: known, isPatient: isPatient)
      }
    } else if below == nil, let optional = Service.self as? any AnswersOptionallyLater.Type {
      return try await optional.answer(
        request, args: args, asked: asked, isPatient: isPatient, confined: confined
      )
      .value as! Service?
    }
    return try Step(request: request, args: args, asked: asked, below: below, known: known)
      .run().value
  }

  /// A sync resolution to run on an actor.
  private struct Step<Service> {
    let request: Request
    let args: Any?
    let asked: Resolver
    let below: UInt64?
    let known: Found?

    func run() throws -> Unchecked<Service?> {
      if let known {
        guard ResolutionStack.isEmpty, let link = AsyncLink.current else {
          return Unchecked(try known.produce(request, args: args, asked: asked))
        }
        return Unchecked(
          try link.onThread { try known.produce(request, args: args, asked: asked) })
      }
      return Unchecked(try Engine.answer(request, args: args, asked: asked, below: below))
    }
  }

  private static func run<Service>(
    _ step: Unchecked<Step<Service>>, on actor: isolated any Actor
  ) async throws -> Unchecked<Service?> {
    try step.value.run()
  }

  /// Returns the instance of an async factory; the counterpart of `Engine.answer`.
  private static nonisolated(nonsending) func wait<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64?, at known: Found?,
    isPatient: Bool
  ) async throws -> Service? {
    let frame = withUnsafePointer(to: request) { ContextFrame.answering($0, asked: asked) }
    let key = RawKey(request.type, name: request.name, property: request.property)
    guard let found = known ?? Lookup.find(key, in: asked.core, frame, below: below),
      case .task = found.home(asked: asked, frame)
    else { return try Engine.answer(request, args: args, asked: asked, below: below) }
    if let frame, frame.isGuarded, below == nil, known == nil {
      let standIn: Service?? = try frame.standIn(for: found, request, asked: asked)
      if let standIn { return standIn }
    }
    let own = found.wrapping(asked: asked, frame)
    let recording = withUnsafePointer(to: request) { frame?.begin($0, own, asked: asked) }
    var kind = ResolutionEvent.Kind.missed
    defer { if let recording { frame?.finish(recording, as: kind) } }
    let made = try await AsyncProduce<Service>(
      registration: own.registration,
      request: AsyncRequest(
        request: request, args: args, asked: asked, isPatient: isPatient, found: own,
        frame: frame, recording: recording)
    ).run()
    guard let service = made.service else { return nil }
    kind = made.wasCreated ? .created : .kept
    if let decorate = Resolver.currentDecoration(frame) { decorate(service) }
    frame?.noteHandedOut(service, own, request)
    return service
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
    throw Engine.failure(request, asked: asked)
  }
}

extension ContextFrame {
  /// Returns the double that replaces a live service, as for a sync request.
  ///
  /// Nil if the registration is used; an inner nil if work that is too late gets nothing.
  func standIn<Service>(
    for found: Found, _ request: Request, asked: Resolver
  ) throws -> Service?? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      let standIn = withUnsafePointer(to: request) {
        self.standIn(for: found, $0, asked: asked, to: UnsafeMutableRawPointer(out))
      }
      switch standIn {
      case .none: return nil
      case .double: return .some(out.move())
      case .refused: return .some(nil)
      case .onMainOnly: throw ResolutionError.fallbackNeedsMain(request)
      }
    }
  }

  /// Records an instance as for a sync request, for scopes that detect leaks and late doubles.
  func noteHandedOut<Service>(_ service: Service, _ found: Found, _ request: Request) {
    withUnsafePointer(to: service) { service in
      withUnsafePointer(to: request) {
        note(UnsafeMutableRawPointer(mutating: service), found, $0)
      }
    }
  }
}

/// A type-erased view of `Optional` for requests that the wrapped type resolves.
private protocol AnswersOptionallyLater {
  static nonisolated(nonsending) func answer(
    _ request: Request, args: Any?, asked: Resolver, isPatient: Bool,
    confined: AsyncEngine.Confinement
  ) async throws -> Unchecked<Any>
}

extension Optional: AnswersOptionallyLater {
  fileprivate static nonisolated(nonsending) func answer(
    _ request: Request, args: Any?, asked: Resolver, isPatient: Bool,
    confined: AsyncEngine.Confinement
  ) async throws -> Unchecked<Any> {
    let inner = Request(
      Wrapped.self, name: request.name, property: request.property, location: request.location)
    let service: Wrapped? = try await AsyncEngine.answer(
      inner, args: args, asked: asked, isPatient: isPatient, confined: confined)
    return Unchecked(Optional<Wrapped?>.some(service) as Any)
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
      let standIn: Service? = try frame.standIn(for: self, request, asked: asked)
    else { return nil }
    // Refused only because it is late: the declaration of a property is not found by its key.
    guard let standIn else {
      throw ResolutionError.late(
        request, test: frame.endedSandbox?.owner.name ?? frame.owner.name, registration)
    }
    return standIn
  }
}
