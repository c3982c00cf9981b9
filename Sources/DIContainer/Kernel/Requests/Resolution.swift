// The general path from a request to an instance, which handles every case: contexts, nested
// containers, aliases, decorations, first requests, recorders, errors. In order:
//
//   1. Start-up code runs, if it has not.
//   2. The registration that serves the request is looked up (Lookup.swift).
//   3. If it is live, a fallback's double may be returned instead, or the request is reported or
//      refused (ContextFrame+LiveCheck.swift).
//   4. A decoration is represented by a registration of its own (Decorated.swift); the event
//      begins.
//   5. An alias is followed. Otherwise the instance that is kept or shared is returned, if there is
//      one; or else the factory runs, and the new instance's properties are set.
//   6. The process's decorator receives the instance, the event ends, and the decorators of the
//      property and its container receive it.
//
// Steps 1 to 3 are in Resolution+Requests.swift; the rest is an object. Only `deliver` and `make`,
// and `follow` for each alias, are on the stack while the factory runs: dependencies can be nested
// thousands deep, also in unoptimised builds.

/// The way of one request on the general path, from the registration to the instance.
package final class Resolution {
  /// The request in memory of the caller, as the steps of a thread have it.
  private let address: Borrowed<Request>
  /// A copy of the request, which counts references: read it only where it is needed.
  var request: Request { address.value }
  let args: Borrowed<Any>?
  /// The container that builds: the requested one, unless the registration's owner does.
  private(set) var container: Resolver
  let frame: ContextFrame?
  let found: Found
  var registration: Registration { found.registration }
  /// The memory for the result.
  let out: InstanceMemory
  /// The number of the recorded event, or 0.
  let event: UInt64
  /// The recorders' notes; nil if none is active, and for the target of an alias.
  private let recording: RecordedRequest?
  /// Whether it is the request itself, not the target of an alias.
  private let isWhole: Bool
  private let chain = Chain.current
  private var holder = Holder.nobody
  private var isShared = false
  /// The setters put off for an instance that the object graph shares.
  private var putOff: PutOff?

  /// The holder of the instance, besides the caller.
  private enum Holder {
    case nobody
    /// The object graph, as long as the same caches are in force: those of the frame with the
    /// number, if there are any.
    case graph(cacheFrame: UInt64)
    /// A keeper, and the build for it; of a scope, if that brings its own caches.
    case keeper(Keeper, Build, in: ContextFrame?)
  }

  /// The state before the factory is called: a result, or an instance to be made.
  enum Start {
    case done(Outcome)
    case make(Resolution)
  }

  /// Creates the resolution of a request, for which an attempt found a registration.
  init(
    _ attempt: borrowing Attempt, _ request: Borrowed<Request>, args: Borrowed<Any>?,
    container: Resolver, to out: InstanceMemory
  ) {
    frame = attempt.frame
    found = attempt.found!.wrapping(container: container, frame, request.value.declared)
    recording = frame?.begin(request.value, found, container: container)
    event = recording?.number ?? 0
    isWhole = true
    address = request
    (self.args, self.container, self.out) = (args, container, out)
  }

  /// Creates the resolution of an alias's target, as a part of the alias's own.
  private init(_ target: Found, to out: InstanceMemory, for alias: Resolution) {
    found = target.wrapping(container: alias.container, alias.frame)
    recording = nil
    event = alias.event
    isWhole = false
    address = alias.address
    (args, container) = (alias.args, alias.container)
    (frame, self.out) = (alias.frame, out)
  }
}

// MARK: - Kept and shared instances

extension Resolution {
  /// Puts an existing instance into memory, or begins the build of one.
  func start() throws -> Start {
    do {
      guard let outcome = try existing() else { return .make(self) }
      end(outcome)
      return .done(outcome)
    } catch {
      end(.missed)
      throw error
    }
  }

  /// Puts an existing instance into memory; returns nil if it is to be made.
  private func existing() throws -> Outcome? {
    if frame?.dryRun == nil { registration.noteResolved() }
    do {
      try found.checkDryRun(address, frame)
      try found.checkIsolation(address)
    } catch {
      frame?.dryRun?.passedOver(with: error)
      throw error
    }
    if let alias = registration.alias { return try follow(alias) }
    if try copyOfTrial() { return .kept }
    switch found.keeping(requestedFrom: container) {
    case .nobody:
      return nil
    case .graph:
      found.modifiers?.findSharedID(registration, args)
      let cacheFrame = frame?.cacheFrame(for: registration.scope)?.number ?? 0
      if !chain.steps.isEmpty,
        registration.copyShared(as: found.graphID, in: cacheFrame, chain, to: out)
      {
        return .kept
      }
      holder = .graph(cacheFrame: cacheFrame)
    case .keeper(let base, let builder):
      container = builder
      let cacheFrame = frame?.cacheFrame(for: registration.scope)
      let common = cacheFrame?.makeReplacement(for: base) ?? base
      let keeper = found.modifiers?.keeper(common, args) ?? common
      let build = try keeper.begin(out, chain.thread) {
        ResolutionError.cycle(request, through: Chain.links(through: $0))
      }
      guard let build else { return .kept }
      holder = .keeper(keeper, build, in: cacheFrame)
    }
    return nil
  }

  /// Puts the instance that a trial run has of the registration into memory, or throws the error of
  /// its factory; returns false if there is neither.
  private func copyOfTrial() throws -> Bool {
    guard args == nil, let dryRun = frame?.dryRun,
      let visit = dryRun.visit(registration, from: container.core)
    else { return false }
    switch visit {
    case .made(let box): return box.copy(to: out)
    case .failed(let error, let first):
      let error = error.replacing(first, by: request, after: ResolutionError.chain)
      dryRun.passedOver(with: error)
      throw error
    }
  }

  private func note(_ visit: @autoclosure () -> TrialVisit) {
    guard args == nil, let dryRun = frame?.dryRun else { return }
    dryRun.note(visit(), registration, from: container.core)
  }

  /// Puts the instance of an alias's target into memory.
  private func follow(_ alias: Alias) throws -> Outcome {
    // An alias of a removed service is not registered either.
    guard let target = Lookup.target(of: alias, in: container.core, frame) else {
      return .missed
    }
    if let cycle = target.aliasCycle(in: container.core, frame) {
      throw ResolutionError.cycle(request, through: cycle)
    }
    return try InstanceMemory.with(alias.target.type) { memory in
      let outcome: Outcome
      switch try Resolution(target, to: memory, for: self).start() {
      case .done(let ended): outcome = ended
      case .make(let resolution): outcome = try resolution.make() ? .created : .missed
      }
      if outcome == .missed { return .missed }
      defer { memory.destroy(alias.target.type) }
      guard alias.convert(memory, to: out) else { throw alias.failure(memory, request) }
      return outcome
    }
  }
}

// MARK: - Making an instance

extension Resolution {
  /// Makes the instance; returns false if the factory returned nil.
  func make() throws -> Bool {
    try enter()
    let isBuilt: Bool
    do {
      isBuilt = try found.maker.build(out, container, args)
      if isBuilt, registration.hasSetters {
        // Dependencies set as properties may request this instance in turn.
        showEarly()
        try runSetters()
      }
      if chain.isOutermost, chain.hasPutOff { try runPutOff(isBuilt) }
    } catch {
      throw leave(after: error)
    }
    leave(isBuilt)
    return isBuilt
  }

  private func enter() throws {
    var ofKeeper: Build?
    if case .keeper(_, let build, _) = holder { ofKeeper = build }
    do {
      try chain.enter(
        found.graphID, address, hasArguments: args != nil, build: ofKeeper, event: event)
    } catch {
      giveUp()
      throw error
    }
  }

  private func runSetters() throws {
    let isOfCycle = registration.maker.details.setters.contains(where: \.isOfCycle)
    let box = isOfCycle ? registration.box(out, values: false) : nil
    let isOutermost = chain.isOutermost
    if let box, isOutermost {
      // What is kept meanwhile is forgotten if one of these setters fails.
      chain.putOff(deferred([], of: box))
    }
    let later = try registration.runSetters(
      of: out, container, args, puttingOffCycles: box != nil && !isOutermost)
    if let box, !later.isEmpty { putOff = deferred(later, of: box) }
  }

  /// Runs the setters that were put off until this service, the outermost of the graph, is made.
  private func runPutOff(_ isBuilt: Bool) throws {
    if isBuilt { showEarly() }
    do {
      try chain.runPutOff()
    } catch {
      if isBuilt { registration.destroy(out) }
      throw error
    }
  }

  private func deferred(_ setters: ArraySlice<Maker.Setter>, of instance: AnyBox) -> PutOff {
    PutOff(
      registration, setters, of: instance, request, args: args?.value, container: container,
      event: event)
  }

  private func showEarly() {
    switch holder {
    case .nobody:
      break
    case .graph(let cacheFrame):
      if isShared { return }
      isShared = true
      share(in: cacheFrame)
    case .keeper(let keeper, _, _):
      // Not in the graph, which would return it even after a reset.
      keeper.show(early: out)
    }
  }

  private func share(in cacheFrame: UInt64) {
    registration.share(out, as: found.graphID, in: cacheFrame, chain)
  }

  private func leave(_ isBuilt: Bool) {
    if isBuilt { note(.made(AnyBox.strong(out, of: registration.key.type))) }
    guard isBuilt else {
      giveUp()
      return chain.leave()
    }
    switch holder {
    case .nobody:
      break
    case .graph(let cacheFrame):
      // The outermost instance of a graph is shared with no other service.
      if !isShared, !chain.isOutermost { share(in: cacheFrame) }
    case .keeper(let keeper, let build, let cacheFrame):
      keeper.end(build, keeping: out, onRelease: registration.onRelease(in: cacheFrame))
    }
    if let putOff {
      // In any scope: a graph that shares nothing has no end.
      if !isShared { registration.share(out, chain, values: false) }
      chain.putOff(putOff)
    }
    if case .keeper(let keeper, _, _) = holder { chain.noteFilled(keeper) }
    chain.leave()
    end(.created)
  }

  private func leave(after error: any Error) -> any Error {
    let error = Chain.described(
      error, request, registeredAt: registration.location)
    note(.failed(ResolutionError.known(error), in: request.chainLink))
    if chain.isOutermost { chain.dropPutOff() }
    giveUp()
    chain.leave()
    return error
  }

  private func giveUp() {
    if case .keeper(let keeper, let build, _) = holder { keeper.end(build) }
    end(.missed)
  }

  private func end(_ outcome: Outcome) {
    guard isWhole else { return }
    found.modifiers?.endUse()
    found.end(outcome, out, address, frame, recording)
  }
}

extension Found {
  /// Passes the instance in memory, if there is one, to decorators and the watching scopes, and
  /// ends the event.
  func end(
    _ outcome: Outcome, _ memory: InstanceMemory?,
    _ request: Borrowed<Request>, _ frame: ContextFrame?, _ recording: RecordedRequest?
  ) {
    let memory = outcome == .missed ? nil : memory
    if let memory, let decorate = Resolver.currentDecorator(frame) {
      decorate(registration.asAny(memory))
    }
    if let memory, let frame {
      frame.dryRun?.made(registration.asAny(memory), registration)
    }
    if let recording { frame?.finish(recording, as: outcome) }
    if let memory, let modifiers {
      modifiers.decorate(memory, registration.key.type, isNew: outcome == .created)
    }
  }
}
