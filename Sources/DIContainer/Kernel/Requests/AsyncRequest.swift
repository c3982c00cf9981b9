internal import DIPrimitives

// The general path of requests that can wait. Its steps are those of a request without `await`
// (Resolution.swift), in the same order. A sync factory runs on the sync general path:
// here, or on the factory's actor. A request for an async factory differs in how it calls the
// factory and how it waits for a build under way: without blocking a thread (AsyncBuild.swift).
//
// Nothing here is generic: instances are passed in boxes, and code that knows the service's type
// takes them out.

/// A request that can wait.
@usableFromInline
struct AsyncRequest {
  /// The actors on which the instance may be used.
  @usableFromInline
  enum CallerIsolation {
    case any
    /// The service is not Sendable, so it stays on the caller's actor, or on none.
    case only((any Actor)?)
  }

  var request: Request
  let args: Any?
  let container: Resolver
  /// The id of a registration to look below; see `Lookup`.
  var below: UInt64?
  /// The registration that serves it, if the caller has found that.
  var known: Found?
  /// Whether it ignores that its task is cancelled.
  var ignoresCancellation = false
  var isolation = CallerIsolation.any

  /// Returns the instance, or nil when nothing is registered or the factory returned nil.
  nonisolated(nonsending) func instance<Service>(
    as type: Service.Type = Service.self
  ) async throws -> Service? {
    try await box().flatMap { $0.load(as: type) }
  }

  /// The way in which a request is resolved.
  private enum Way {
    case here(Found)
    case onActor(any Actor, Found)
    /// On the main actor, where a fallback makes the double.
    case byFallback
    case inTask(Found)
    case unregistered
  }

  /// Returns the instance in a box, resolved where its factory runs.
  nonisolated(nonsending) func box() async throws -> AnyBox? {
    Startup.runIfNeeded()
    while true {
      let frame = ContextFrame.current
      let box: AnyBox??
      switch way(frame) {
      case .here(let found):
        box = try boxHere(found)
      case .onActor(let actor, let found):
        try check(actor, orThrow: .leavesActor(actor, request, found.registration))
        box =
          actor.isCurrent
          ? try boxHere(found) : try await Self.box(of: Unchecked(self), on: actor).value
      case .byFallback:
        try check(MainActor.shared, orThrow: .fallbackNeedsMain(request))
        box =
          MainActor.shared.isCurrent
          ? try boxHere(nil) : try await Self.box(of: Unchecked(self), on: MainActor.shared).value
      case .inTask(let found):
        box = try await awaitedBox(found)
      case .unregistered:
        box = try await boxOfUnregistered()
      }
      // Otherwise it was registered anew, to run elsewhere, while the request waited for an actor.
      if let box { return box }
    }
  }

  private func way(_ frame: ContextFrame?) -> Way {
    var found = find(frame)
    if found == nil, container.core.settings.runAutoRegisterIfDue(container, container.core) {
      found = find(frame)
    }
    if hasDoubleOnMain(found, frame) { return .byFallback }
    guard let found else { return .unregistered }
    switch found.isolation(container: container, frame, request.declared) {
    case .anywhere: return .here(found)
    case .actor(let actor): return .onActor(actor, found)
    case .task: return .inTask(found)
    }
  }

  private func hasDoubleOnMain(_ found: Found?, _ frame: ContextFrame?) -> Bool {
    isWhole && frame?.hasDoubleOnMain(found, request, container: container) ?? false
  }

  private func find(_ frame: ContextFrame?) -> Found? {
    known ?? Lookup.find(request, container: container, frame, below: below)
  }

  /// Whether doubles may replace what is found: the search is not part of a decoration or a list.
  private var isWhole: Bool { below == nil && known == nil }

  private nonisolated(nonsending) func boxOfUnregistered() async throws -> AnyBox? {
    guard below == nil, request.declared == nil,
      let optional = request.type as? any OptionalType.Type
    else { return try boxHere(nil) }
    var content = self
    content.request = Request(
      optional.wrapped, name: request.name, property: request.property,
      location: request.location)
    // An optional always resolves: to nil, if nothing is registered.
    return optional.box(try await content.box())
  }

  // MARK: Sync factories

  /// Resolves it on the sync general path, with what was found; nil starts the search anew.
  private func boxHere(_ found: Found?) throws -> AnyBox? {
    try AnyBox.strong(of: request.type) { memory in
      try withUnsafePointer(to: request) { request in
        try withAddress(of: args) { args in
          guard let known else {
            return try Resolution.deliver(
              request, args: args, container: container, below: below, found: found, to: memory)
          }
          var isDelivered = false
          do {
            try AsyncLink.asStep {
              isDelivered = try Resolution.deliver(
                known, request, args: args, container: container, ContextFrame.current, to: memory)
            }
          } catch {
            // A property of a circle could not be set.
            if isDelivered { InstanceMemory.destroy(memory, request.pointee.type) }
            throw error
          }
          return isDelivered
        }
      }
    }
  }

  private func check(
    _ actor: any Actor, orThrow error: @autoclosure () -> ResolutionError
  ) throws(ResolutionError) {
    if case .only(let isolation) = isolation, isolation !== actor { throw error() }
  }

  /// Resolves the request on an actor, after a search that starts anew: what was found may be
  /// replaced, or be of a layer that is popped.
  ///
  /// Returns nil if it has to be resolved elsewhere: by what was registered meanwhile, or because
  /// the double that a fallback made on the main actor is of another type.
  private static func box(
    of request: Unchecked<Self>, on actor: isolated any Actor
  ) async throws -> Unchecked<AnyBox??> {
    // The caller waits, so its values are used by one of the two actors at a time.
    let request = request.value
    switch request.way(.current) {
    case .here(let found):
      return Unchecked(.some(try request.boxHere(found)))
    case .onActor(let own, let found) where own === actor:
      return Unchecked(.some(try request.boxHere(found)))
    case .byFallback where actor === MainActor.shared:
      return Unchecked(.some(try request.boxHere(nil)))
    case .onActor, .byFallback, .inTask, .unregistered:
      return Unchecked(nil)
    }
  }

  // MARK: Async factories

  private nonisolated(nonsending) func awaitedBox(_ found: Found) async throws -> AnyBox? {
    let (frame, isGuarded) = withUnsafePointer(to: request) {
      ContextFrame.frame(for: $0, container: container)
    }
    if let frame, isGuarded, isWhole,
      let standIn = try frame.standIn(for: found, request, container: container)
    {
      return standIn
    }
    if let frame, request.declared != nil, isWhole, !found.isDouble {
      withUnsafePointer(to: request) { frame.noteLiveProperty($0) }
    }
    return try await AsyncResolution(
      self, found.wrapping(container: container, frame, request.declared), frame
    ).run()
  }
}

extension ContextFrame {
  /// Returns the double that replaces a live service, as for a sync request.
  ///
  /// Nil if the registration is used; an inner nil if work that is too late gets nothing.
  func standIn(for found: Found, _ request: Request, container: Resolver) throws -> AnyBox?? {
    var standIn = StandIn.none
    let box = AnyBox.strong(of: request.type) { memory in
      standIn = withUnsafePointer(to: request) {
        self.standIn(for: found, $0, container: container, to: memory)
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
    _ request: Request, container: Resolver, _ frame: ContextFrame?
  ) throws -> Service? {
    guard let frame, frame.isGuarded,
      let standIn = try frame.standIn(for: self, request, container: container)
    else { return nil }
    // Refused only because it is late: the declaration of a property is not found by its key.
    guard let standIn else {
      throw ResolutionError.late(
        request, test: frame.endedSandbox?.owner.name ?? frame.owner.name, registration)
    }
    return standIn.load(as: Service.self)
  }
}
