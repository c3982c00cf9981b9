internal import DIPrimitives

// A dry run resolves every registration once, in a private sandbox: every factory runs once, for
// whoever requests its service first, none of its instances is kept when the run ends, and no
// recorder outside records it. It runs under a trap guard: where a factory would trap,
// its thread is abandoned, and the next one continues with the rest.

/// A run of every factory, with its results.
package final class DryRun: TrialRun {
  private let state = Lock(Progress())

  private struct Progress {
    /// The later dependencies of instances, by the registrations that made them.
    var later: [(factory: GraphBuilder.FactoryID, needs: [LaterNeed])] = []
    var failures: [ResolutionError] = []
    /// The requests for services that a factory could not do without and did not get.
    var failed: Set<ChainLink> = []
    /// The requests for services that the run cannot make, each after those that led to it.
    var passedOver: [[ChainLink]] = []
    var needingParameters: Set<ServiceKey> = []
    /// The number of registrations that were run.
    var next = 0
    /// Whether a thread of the run met a trap, and is parked for good.
    var hasAbandonedThread = false
    var printed: Set<ChainLink> = []
    var visits: [GraphBuilder.Identity: TrialVisit] = [:]

    /// Whether a factory threw an error of its own because it did not get a service that the run
    /// cannot make.
    func isPassedOver(_ error: ResolutionError) -> Bool {
      guard case .factoryFailed = error.reason else { return false }
      return passedOver.contains { $0.starts(with: error.links) }
    }
  }

  /// The registrations to run.
  private let registrations: [RegistrationInfo]
  private let log = Lock(EventLog())

  private init(_ registrations: [RegistrationInfo]) { self.registrations = registrations }

  /// Runs every factory that a container reaches, except those that are left out.
  static func run(of resolver: Resolver) -> DryRun {
    let run = DryRun(resolver.registrations)
    let frame = ContextFrame(.sandbox, parent: ContextFrame.around, caches: .all, dryRun: run)
    while run.state.withLock({ $0.next }) < run.registrations.count {
      run.runGuarded(noting: run.note) {
        ContextFrame.$bound.withValue(frame) {
          while let next = run.takeNext() {
            if let error = next.failure(next.registeredAt) { run.note(error) }
          }
        }
      }
    }
    // The instances that the end releases may trap, too, one after the other, and so may those that
    // are made meanwhile.
    let isOver = Atomic()
    for _ in 0..<run.registrations.count + 16 where !isOver.isSet {
      // A failure of no registration in particular.
      let note = { (error: ResolutionError) in run.state.withLock { $0.failures.append(error) } }
      run.runGuarded(noting: note) {
        releaseUnlocked(
          run.state.withLock { state in Unchecked(exchange(&state.visits, with: [:])) }.value)
        frame.end()
        isOver.set(true)
      }
    }
    // Work that factories left behind, or an abandoned thread, may hold it for ever, which is not
    // to slow down all requests of the process; a scope around it counts as long as it is held.
    if frame.parent == nil || run.state.withLock({ $0.hasAbandonedThread }) {
      frame.stopCounting()
    }
    return run
  }

  private func takeNext() -> RegistrationInfo? {
    state.withLock { state in
      guard state.next < registrations.count else { return nil }
      defer { state.next += 1 }
      return registrations[state.next]
    }
  }

  /// Runs work on a thread of its own, which is abandoned where it would trap.
  private func runGuarded(
    noting note: @escaping (ResolutionError) -> Void, _ body: @escaping () -> Void
  ) {
    TrapGuard.run(body) { [self] error in
      state.withLock { $0.hasAbandonedThread = true }
      note(ResolutionError.known(error))
    }
  }

  /// Records why the registration that was taken last could not be resolved.
  private func note(_ error: ResolutionError) {
    state.withLock { state in
      state.failed.formUnion(error.links)
      if error.isOfLeftOut { return }
      if state.isPassedOver(error) { return }
      let registration = registrations[state.next - 1]
      if registration.isForWantOfParameters(error) {
        state.needingParameters.insert(registration.key)
      } else {
        state.failures.append(error)
      }
    }
  }

  // MARK: Reports of the kernel

  package func add(_ event: EventNote) -> Int { log.withLock { $0.add(event) } }

  package func finish(
    _ position: Int, as outcome: Outcome, _ failure: String?, after duration: Duration
  ) {
    log.withLock { $0.finish(position, as: outcome, failure, after: duration) }
  }

  package func rescope(_ registration: Registration) { log.withLock { $0.rescope(registration) } }

  /// Records the later dependencies of a new instance, which its lazy wrappers show.
  package func made(_ service: Any, _ registration: Registration) {
    var needs: [LaterNeed] = []
    var mirror: Mirror? = Mirror(reflecting: service)
    while let current = mirror {
      needs += current.children.compactMap { ($0.value as? any ResolvesLater)?.laterNeed }
      mirror = current.superclassMirror
    }
    guard !needs.isEmpty else { return }
    let factory = GraphBuilder.FactoryID(key: registration.key, location: registration.location)
    state.withLock { $0.later.append((factory, needs)) }
  }

  package func visit(
    _ registration: Registration, from container: ContainerCore
  ) -> TrialVisit? {
    let place = GraphBuilder.Identity(registration, container)
    return state.withLock { Unchecked($0.visits[place]) }.value
  }

  package func note(
    _ visit: TrialVisit, _ registration: Registration, from container: ContainerCore
  ) {
    let place = GraphBuilder.Identity(registration, container)
    let visit = Unchecked(visit)
    let former = state.withLock { state in
      var visit = visit.value
      if case .failed(let error, let first) = visit, state.isPassedOver(error) {
        visit = .failed(error.adding(after: [.leftOut]), in: first)
      }
      return Unchecked(state.visits.updateValue(visit, forKey: place))
    }
    releaseUnlocked(former.value)
  }

  /// Reports a request for an optional that returned nil because nothing is registered.
  ///
  /// If the factory unwraps the result with `!`, which ends the process, this is the last chance to
  /// report the missing service.
  package func returnedNil(_ request: Request, _ container: Resolver) {
    guard state.withLock({ $0.printed.insert(request.chainLink).inserted }) else { return }
    let error = Resolution.failure(request, container: container)
    guard error.reason == .notRegistered else { return }
    di_print_error(
      "A dry run returns nil here; a factory that unwraps it with `!` ends the process.\n\n"
        + "\(error)\n")
  }

  /// Notes a request for a service that is left out, or belongs to an actor.
  package func passedOver(with error: any Error) {
    guard let error = error as? ResolutionError else { return }
    switch error.reason {
    case .needsMainActor: break
    default: if !error.isOfLeftOut { return }
    }
    state.withLock { $0.passedOver.append(error.links) }
  }

  // MARK: Results

  func add(to builder: inout GraphBuilder) {
    let (later, failed) = state.withLock { ($0.later, $0.failed) }
    builder.observe(log.withLock { $0 }, here: true, failed: failed)
    for (factory, needs) in later { builder.observe(needs, of: factory) }
  }

  /// The services that could not be resolved because their factories need parameters or arguments.
  var needingParameters: Set<ServiceKey> { state.withLock { $0.needingParameters } }

  var types: [Any.Type] {
    state.withLock { $0.failures }.flatMap { DiagnosisFormatter.keys(in: $0).map(\.type) }
  }

  /// Returns the failures that are not among other findings.
  func findings(besides others: [WiringFinding], of resolver: Resolver) -> [WiringFinding] {
    let missing = Set(others.filter { $0.kind == .missing }.compactMap(\.key))
    let cycles = Set(others.filter { $0.kind == .cycle }.map { Set($0.chain) })
    var seen = Set(others.compactMap { $0.error.map(Self.cause) })
    return state.withLock { $0.failures }.compactMap { error in
      switch error.reason {
      case .notRegistered where error.key.map(missing.contains) ?? false: return nil
      case .cycle where cycles.contains(Set(error.chain)): return nil
      // A factory that needs arguments cannot run without them, and may return nil.
      case .factoryReturnedNil: return nil
      case .missingArgument, .wrongArgument, .severalArguments:
        // One that takes none has none to pass on.
        if error.chain.dropLast().allSatisfy({ Self.takesArguments($0, in: resolver) }) {
          return nil
        }
      // A dry run cannot wait, nor run on a factory's actor. But a sync factory that requests an
      // async service never gets it. A decoration and what it wraps have the same key.
      case .needsMainActor: return nil
      case .needsAwait where Set(error.chain).count < 2: return nil
      default: break
      }
      guard seen.insert(Self.cause(error)).inserted else { return nil }
      return WiringFinding(error)
    }
  }

  /// Whether the factory of a service receives the request's arguments, as far as it is known.
  private static func takesArguments(_ key: ServiceKey, in resolver: Resolver) -> Bool {
    let frame = ContextFrame.current
    guard let found = Lookup.findComplete(key, in: resolver.core, frame) else {
      return true
    }
    return found.followed.contains {
      $0.maker.details.takesArguments || $0.registration.options.takesParameter
    }
  }

  /// Returns the identity of a failure; that of a cycle does not depend on where it was entered.
  private static func cause(_ error: ResolutionError) -> String {
    if error.reason == .cycle {
      return Set(error.chain.map(\.description)).sorted().joined(separator: "|")
    }
    return "\(error.reason) \(error.key?.description ?? "") \(error.requestedAt)"
  }
}

extension WiringFinding {
  /// Creates a finding from the error of a request.
  init(_ error: ResolutionError) {
    let kind: Kind =
      switch error.reason {
      case .notRegistered: .missing
      case .cycle: .cycle
      case .notImplemented, .implementedOnActor: .notImplemented
      default: .failed
      }
    self.init(
      kind, error.key, chain: error.chain, DiagnosisFormatter.headline(error),
      DiagnosisFormatter.facts(error), fix: DiagnosisFormatter.fixes(error), error: error)
  }
}

extension Resolver {
  /// Runs every factory once, and returns the graph with the observed dependencies of closures.
  ///
  /// The factories run in a sandbox of their own, on another thread, where their instances are
  /// released, too: none is kept, and no recorder records them. Their effects outside of containers
  /// (files, requests, global variables) do happen; leave such a registration out with
  /// `.leftOutOfDryRuns()`. A factory that traps over a missing service, or the release of an
  /// instance that does, ends its thread's work, not the process. Factories that must run on the
  /// main thread, or wait for it, have to be left out.
  ///
  /// - Returns: The graph.
  public func dryRun() -> DependencyGraph {
    graph(observing: [], DryRun.run(of: self))
  }
}

extension ResolverOptions {
  /// Leaves the registration's factory out of dry runs, for example because of its side effects.
  ///
  /// In a dry run every request for the service fails: also one by another factory, for an alias,
  /// or below a decoration. Services that cannot be made without it stay unseen, without a finding.
  @discardableResult
  public func leftOutOfDryRuns() -> ResolverOptions<Service> {
    changed(options: { $0.isLeftOutOfDryRuns = true })
  }
}
