// The general path from a request to an instance, which handles every case: contexts, nested
// containers, aliases, decorations, first requests, recorders, errors. In order (steps 2 to 9 of
// HowTheKernelWorks.md):
//
//   1. Start-up code runs, if it has not.
//   2. The registration that serves the request is looked up (Lookup.swift).
//   3. If it is live, a fallback's double may be returned instead, or the request is reported or
//      refused (ContextFrame+LiveCheck.swift).
//   4. The event begins.
//   5. An alias is followed. Otherwise the instance that is kept or shared is returned, if there is
//      one; or else the factory runs, or what the decoration wraps is resolved and decorated, and
//      the new instance's properties are set.
//   6. The process's decorator receives the instance, the event ends, and the decorators of the
//      property and its container receive it.
//
// Steps 1 to 3 are in Resolution+Requests.swift; the rest is an object. Only `instance`, `make`
// with `Chain.perform` and `build`, and what follows an alias or decorates, are on the stack while
// the factory runs: dependencies can be nested a thousand deep, also in unoptimised builds.

/// The way of one request on the general path, from the registration to the instance.
package final class Resolution {
  let request: Request
  let args: Any?
  private let hasArguments: Bool
  /// The container that builds: the requested one, unless the registration's owner does.
  private(set) var container: Resolver
  let frame: ContextFrame?
  let found: Found
  var registration: Registration { found.registration }
  /// The number of the recorded event, or 0.
  let event: UInt64
  /// The recorders' notes; nil if none is active, and for the target of an alias.
  private let recording: RecordedRequest?
  /// Whether it is the request itself, not the target of an alias.
  private let isWhole: Bool
  private let chain = Chain.current
  private var holder = Holder.nobody
  private let subject: Chain.Subject
  /// Whether the object graph shares the new instance already.
  private var isShared = false
  /// The setters put off for an instance that the object graph shares.
  private var putOff: PutOff?

  /// The holder of the instance, besides the caller.
  private enum Holder {
    case nobody
    case graph(cacheFrame: UInt64)
    /// A keeper, and the build for it; of a scope, if that brings its own caches.
    case keeper(Keeper, Build, in: ContextFrame?)
  }

  /// The state before the factory is called: a result, if there is one, or an instance to be made.
  enum Start {
    case done(Made?)
    case make(Resolution)
  }

  /// Creates the resolution of a request, for which a registration was found; of an alias's target,
  /// as a part of the alias's own.
  init(
    _ found: Found, _ request: Request, args: Any?, container: Resolver, _ frame: ContextFrame?,
    for alias: Resolution? = nil
  ) {
    (self.found, self.frame) = (found, frame)
    recording = alias == nil ? frame?.begin(request, found, container: container) : nil
    event = alias?.event ?? recording?.number ?? 0
    isWhole = alias == nil
    (self.request, self.args, self.container) = (request, args, container)
    hasArguments = args != nil
    subject = found.subject
  }
}

extension Found {
  /// The identity of the instance in its object graph, and among the factories under way.
  var subject: Chain.Subject {
    if decoration == nil { return registration.subject }
    return Chain.Subject(registration: registration.id, over: making?.registration.id ?? 0)
  }
}

/// An instance, and whether it was made for the request.
struct Made {
  let instance: Instance
  let isNew: Bool

  init(_ instance: Instance, isNew: Bool) { (self.instance, self.isNew) = (instance, isNew) }

  init?(new instance: Instance?) {
    guard let instance else { return nil }
    self.init(instance, isNew: true)
  }
}

// MARK: - Kept and shared instances

extension Resolution {
  /// Finds an existing instance, or begins the build of one.
  func start() throws -> Start {
    do {
      let start = try existing()
      if case .done(let made) = start { end(made) }
      return start
    } catch {
      end(nil)
      throw error
    }
  }

  private func existing() throws -> Start {
    if frame?.dryRun == nil { registration.noteResolved() }
    do {
      try found.checkDryRun(request, frame)
      try found.checkIsolation(request)
    } catch {
      frame?.dryRun?.passedOver(with: error)
      throw error
    }
    if let alias = registration.alias { return .done(try follow(alias)) }
    if let known = try ofTrial() { return .done(Made(known, isNew: false)) }
    switch found.keeping(requestedFrom: container, args, frame) {
    case .nobody:
      break
    case .graph(let cacheFrame):
      holder = .graph(cacheFrame: cacheFrame)
      // The outermost instance of a graph is shared with no other service.
      if chain.steps.isEmpty { break }
      if let parameter = found.modifiers?.parameter(args) {
        let keeper = chain.keeperByParameter(of: subject, registration.key.type, in: cacheFrame)
        return try begin(keeper.keeper(for: parameter), in: nil)
      }
      if let shared = registration.shared(as: subject, in: cacheFrame, chain) {
        return .done(Made(shared, isNew: false))
      }
    case .keeper(let keeper, let cacheFrame, let builder):
      container = builder
      return try begin(keeper, in: cacheFrame)
    }
    return .make(self)
  }

  private func begin(_ keeper: Keeper, in cacheFrame: ContextFrame?) throws -> Start {
    switch keeper.begin(chain.thread) {
    case .kept(let instance):
      return .done(Made(instance, isNew: false))
    case .other(.cycle(let turns)):
      throw ResolutionError.cycle(request, through: Chain.links(through: turns))
    case .other(.build(let build)):
      holder = .keeper(keeper, build, in: cacheFrame)
      return .make(self)
    }
  }

  /// Returns the instance that a trial run has of the registration, or throws the error of its
  /// factory; returns nil if there is neither.
  private func ofTrial() throws -> Instance? {
    guard let dryRun = frame?.dryRun, !hasArguments,
      let visit = dryRun.visit(registration, from: container.core)
    else { return nil }
    switch visit {
    case .made(let instance): return instance
    case .failed(let error, let first):
      let error = error.replacing(first, by: request, after: ResolutionError.chain)
      dryRun.passedOver(with: error)
      throw error
    }
  }

  private func note(_ visit: @autoclosure () -> TrialVisit) {
    guard let dryRun = frame?.dryRun, !hasArguments else { return }
    dryRun.note(visit(), registration, from: container.core)
  }

  /// Returns the instance of an alias's target.
  private func follow(_ alias: Alias) throws -> Made? {
    // An alias of a removed service is not registered either. In a circle with a decoration, that
    // is met a second time, which the chain tells.
    guard let target = found.next ?? Lookup.find(alias.target, in: container.core, frame) else {
      return nil
    }
    if let cycle = found.aliasCycle { throw ResolutionError.cycle(request, through: cycle) }
    let resolution = Resolution(
      target, request, args: args, container: container, frame, for: self)
    let made: Made? =
      switch try resolution.start() {
      case .done(let made): made
      case .make(let resolution): Made(new: try resolution.make())
      }
    return try made.map { Made(try alias.convert($0.instance, request), isNew: $0.isNew) }
  }
}

// MARK: - Making an instance

extension Resolution {
  /// Makes the instance; returns nil if the factory returned nil.
  func make() throws -> Instance? {
    var ofKeeper: Build?
    if case .keeper(_, let build, _) = holder { ofKeeper = build }
    do {
      try chain.check(subject, request, hasArguments: hasArguments)
    } catch {
      giveUp()
      throw error
    }
    return try chain.perform(
      subject, request, hasArguments: hasArguments, build: ofKeeper, event: event, build)
  }

  private func build() throws -> Instance? {
    let made: Instance?
    do {
      if let decoration = found.decoration {
        made = try decorate(decoration)
      } else {
        made = try found.maker.build(container, args)
      }
      if let made, registration.hasSetters {
        // Dependencies set as properties may request this instance in turn.
        showEarly(made)
        try runSetters(of: made)
      }
      if chain.isOutermost, chain.hasPutOff {
        if let made { showEarly(made) }
        try chain.runPutOff()
      }
    } catch {
      throw leave(after: error)
    }
    leave(made)
    return made
  }

  /// Resolves what a decoration wraps, and returns what it makes of that.
  private func decorate(_ decoration: Decoration) throws -> Instance? {
    let request = found.requestForWrapped(request)
    guard let wrapped = found.next else {
      frame?.recordMiss(request, in: container.core)
      return try decoration.apply(nil)
    }
    wrapped.noteWrapped(request, container: container, frame)
    let inner = Resolution(wrapped, request, args: args, container: container, frame)
    switch try inner.start() {
    case .done(let made): return try decoration.apply(made?.instance)
    case .make(let resolution): return try decoration.apply(try resolution.make())
    }
  }

  private func runSetters(of made: Instance) throws {
    let isOfCycle =
      registration.maker.details.setters.contains(where: \.isOfCycle) && made.classInstance != nil
    let isOutermost = chain.isOutermost
    if isOfCycle, isOutermost {
      // What is kept meanwhile is forgotten if one of these setters fails.
      chain.putOff(deferred([], of: made))
    }
    let later = try registration.runSetters(
      of: made, container, args, puttingOffCycles: isOfCycle && !isOutermost)
    if !later.isEmpty { putOff = deferred(later, of: made) }
  }

  private func deferred(_ setters: ArraySlice<Maker.Setter>, of instance: Instance) -> PutOff {
    PutOff(
      registration, setters, of: instance, request, args: args, container: container, event: event)
  }

  private func showEarly(_ made: Instance) {
    switch holder {
    case .nobody:
      break
    case .graph(let cacheFrame):
      if isShared { return }
      isShared = true
      share(made, in: cacheFrame)
    case .keeper(_, let build, _):
      // Not in the graph, which would return it even after a reset.
      build.show(early: made)
    }
  }

  private func share(_ made: Instance, in cacheFrame: UInt64) {
    registration.share(made, as: subject, in: cacheFrame, chain)
  }

  private func leave(_ made: Instance?) {
    guard let made else {
      giveUp()
      return chain.leave()
    }
    note(.made(made))
    switch holder {
    case .nobody:
      break
    case .graph(let cacheFrame):
      if !isShared, !chain.isOutermost { share(made, in: cacheFrame) }
    case .keeper(let keeper, let build, let cacheFrame):
      keeper.end(build, keeping: made, onRelease: registration.onRelease(in: cacheFrame))
    }
    if let putOff {
      // In any scope: a graph that shares nothing has no end.
      if !isShared { registration.share(made, chain, values: false) }
      chain.putOff(putOff)
    }
    if case .keeper(let keeper, _, _) = holder { chain.noteFilled(keeper) }
    chain.leave()
    end(Made(made, isNew: true))
  }

  private func leave(after error: any Error) -> any Error {
    let error = Chain.described(
      error, request, registeredAt: registration.location)
    note(.failed(ResolutionError.known(error), in: request.chainLink))
    if chain.isOutermost { chain.dropPutOff() }
    giveUp(after: error)
    chain.leave()
    return error
  }

  private func giveUp(after error: (any Error)? = nil) {
    if case .keeper(let keeper, let build, _) = holder { keeper.end(build) }
    end(nil, after: error)
  }

  private func end(_ made: Made?, after error: (any Error)? = nil) {
    holder = .nobody
    if isWhole { found.end(made, after: error, frame, recording) }
  }
}

extension Found {
  /// Passes the instance, if there is one, to decorators and the watching scopes, and ends the
  /// event.
  func end(
    _ made: Made?, after error: (any Error)? = nil, _ frame: ContextFrame?,
    _ recording: RecordedRequest?
  ) {
    if let made, let decorate = Resolver.currentDecorator(frame) { decorate(made.instance.any) }
    if let made, let dryRun = frame?.dryRun { dryRun.made(made.instance.any, registration) }
    if let recording {
      frame?.finish(
        recording, as: made.map { $0.isNew ? .created : .kept } ?? .missed,
        made == nil ? registration.failure(error) : nil)
    }
    if let made { modifiers?.tellDecorators(made.instance, isNew: made.isNew) }
  }
}
