internal import DIPrimitives

// A dry run asks for every registration once, in a sandbox that nobody else sees: nothing that it
// builds is kept, and no recorder outside hears of it. It is an errand (Errand.swift): a factory
// that would trap ends the errand, and the next one goes on with the rest.

/// A run of every factory, and what came of it.
package final class DryRun: Sendable {
  private let state = Lock(State())

  private struct State {
    /// What instances will ask for later, by the registrations that made them.
    var later: [(maker: GraphBuilder.Maker, needs: [LaterNeed])] = []
    var failures: [ResolutionError] = []
    var needingParameters: [ServiceKey] = []
    /// Those to run, and how far the run has come.
    var registrations: [RegistrationInfo] = []
    var next = 0
    /// The misses that were printed.
    var printed: Set<ChainLink> = []
  }

  let recorder = ResolutionRecorder()

  /// Runs every factory that a container can reach, but for those that were left out.
  static func run(of resolver: Resolver) -> DryRun {
    let run = DryRun()
    let frame = ContextFrame(
      .sandbox, parent: ContextFrame.around, caches: .all, policy: SharedPolicy(run.policy),
      dryRun: run)
    run.state.withLock { $0.registrations = resolver.registrations }
    while run.hasMore {
      Errand.run {
        ContextFrame.$bound.withValue(frame) {
          while let next = run.takeNext() { run.make(next) }
        }
      } hasGivenUp: {
        run.note($0)
      }
    }
    frame.end()
    // Threads that gave up hold it for ever, and work that factories started may: neither is to
    // slow all requests of the process down.
    frame.leaveAttention()
    return run
  }

  /// What a test asks of its services, it does not ask of a dry run.
  private var policy: ScopePolicy {
    var policy = ScopePolicy()
    policy.strictness = .allow
    return policy
  }

  private var hasMore: Bool { state.withLock { $0.next < $0.registrations.count } }

  private func takeNext() -> RegistrationInfo? {
    state.withLock { state in
      guard state.next < state.registrations.count else { return nil }
      defer { state.next += 1 }
      return state.registrations[state.next]
    }
  }

  private func make(_ registration: RegistrationInfo) {
    guard !registration.isLeftOutOfDryRuns else { return }
    if let error = registration.failure(registration.registeredAt) { note(error) }
  }

  /// Notes why the registration that was taken last could not be made.
  private func note(_ error: ResolutionError) {
    state.withLock { state in
      let registration = state.registrations[state.next - 1]
      if registration.isForWantOfParameters(error) {
        state.needingParameters.append(registration.key)
      } else {
        state.failures.append(error)
      }
    }
  }

  // MARK: What the kernel tells

  /// A factory made an instance: the lazy wrappers in it show what it will ask for.
  func made(_ service: Any, _ registration: Registration) {
    var needs: [LaterNeed] = []
    var mirror: Mirror? = Mirror(reflecting: service)
    while let current = mirror {
      needs += current.children.compactMap { ($0.value as? any AsksLater)?.laterNeed }
      mirror = current.superclassMirror
    }
    guard !needs.isEmpty else { return }
    let maker = GraphBuilder.Maker(registration.key, registration.location)
    state.withLock { $0.later.append((maker, needs)) }
  }

  /// A request that could do without was answered with nil, since nothing is registered.
  ///
  /// Whether the factory unwraps the answer with `!`, which ends the process, cannot be told: then
  /// this is the last chance to say what is missing.
  fileprivate func answeredNil(_ request: Request, _ asked: Resolver) {
    guard state.withLock({ $0.printed.insert(request.chainLink).inserted }) else { return }
    let error = Engine.failure(request, asked: asked)
    guard error.reason == .notRegistered else { return }
    di_print_error(
      "A dry run answers nil here; a factory that unwraps it with `!` ends the process.\n\n"
        + "\(error)\n")
  }

  // MARK: What came of it

  func add(to builder: inout GraphBuilder) {
    builder.observe(recorder.events, here: true)
    for (maker, needs) in state.withLock({ $0.later }) { builder.observe(needs, of: maker) }
  }

  /// The services that could not be made, since nobody knows what to pass to their factories.
  var needingParameters: Set<ServiceKey> { state.withLock { Set($0.needingParameters) } }

  /// What the failures name.
  var types: [Any.Type] {
    state.withLock { $0.failures }.flatMap { DiagnosisFormatter.keys(in: $0).map(\.type) }
  }

  /// The failures that are not findings already.
  func findings(besides others: [WiringFinding]) -> [WiringFinding] {
    let missing = Set(others.filter { $0.kind == .missing }.compactMap(\.key))
    let cycles = Set(others.filter { $0.kind == .cycle }.map { Set($0.chain) })
    var seen: Set<String> = []
    return state.withLock { $0.failures }.compactMap { error in
      switch error.reason {
      case .notRegistered where error.key.map(missing.contains) ?? false: return nil
      case .cycle where cycles.contains(Set(error.chain)): return nil
      // What needs arguments cannot be run without, and may return nil.
      case .missingArgument, .wrongArgument, .severalArguments, .factoryReturnedNil: return nil
      // A dry run cannot wait, nor be where an actor's factory runs. But a sync factory that asks
      // for an async service never gets it.
      case .needsActor: return nil
      case .needsAwait where error.chain.count < 2: return nil
      default: break
      }
      guard seen.insert(Self.cause(error)).inserted else { return nil }
      return WiringFinding(error)
    }
  }

  /// What went wrong, whoever asked: a cycle is the same wherever one enters it.
  private static func cause(_ error: ResolutionError) -> String {
    if error.reason == .cycle {
      return Set(error.chain.map(\.description)).sorted().joined(separator: "|")
    }
    return "\(error.reason) \(error.key?.description ?? "") \(error.requestedAt)"
  }
}

extension WiringFinding {
  /// What a dry run failed with, as a finding.
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
      DiagnosisFormatter.facts(error), fix: DiagnosisFormatter.fixes(error))
  }
}

extension Resolver {
  /// The graph, with what closures ask for: runs every factory once.
  ///
  /// They run in a sandbox of their own, on another thread: nothing that they build is kept, and
  /// no recorder hears of it. What they do outside of containers (files, requests, global
  /// variables) does happen; leave such a registration out with `.leftOutOfDryRuns()`. A factory
  /// that traps over a missing service ends its thread's work, not the process. Factories that must
  /// run on the main thread, or wait for it, have to be left out.
  public func dryRun() -> DependencyGraph {
    prepareForListing()
    let run = DryRun.run(of: self)
    var builder = GraphBuilder(self, ContextFrame.current)
    run.add(to: &builder)
    return builder.graph()
  }
}

extension OptionalServiceResolver {
  /// Has a dry run say what it lacks: `resolve(Mailer.self)!` asks for an optional, too.
  @inline(never)
  @usableFromInline
  func noteNil(_ key: ServiceKey, at location: CodeLocation) {
    guard di_attention_needed() != 0, let asked = viewed,
      let run = ContextFrame.current?.chain.lazy.compactMap(\.dryRun).first
    else { return }
    run.answeredNil(Request(key.type, name: key.name, location: location), asked)
  }
}

extension ResolverOptions {
  /// Leaves the registration's factory out of dry runs, for example because of its side effects.
  @discardableResult
  public func leftOutOfDryRuns() -> ResolverOptions<Service> {
    var options = registration.optionsOfOtherForm
    options.isLeftOutOfDryRuns = true
    return changed(options: options)
  }
}
