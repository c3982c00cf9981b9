internal import DIPrimitives

extension Engine {
  /// Puts the instance for a request in a plain scope into memory while recorders listen; nil to
  /// take the slow path.
  ///
  /// Called in a read section, which it leaves.
  @inline(__always)
  static func deliverRecorded(
    _ thread: UnsafeMutablePointer<di_thread>, _ answer: PlainScope.Answer,
    _ scope: UnsafeMutablePointer<di_scope>, _ listener: UnsafeMutablePointer<di_scope>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    let isDouble =
      answer.found._withUnsafeGuaranteedRef { $0.options.isDouble }
      || scope.installs(
        (answer.layer ?? .passUnretained(asked.core)).toOpaque())
    return try deliverRecorded(
      thread, answer, scope, listener, request, hasArguments: args != nil, in: asked.core,
      isDouble: isDouble, to: out
    ) { out in
      try answer.found._withUnsafeGuaranteedRef { try $0.build(out, asked, args) }
    }
  }

  /// Records a request whose instance a closure makes: the registration's factory, or that of the
  /// property which declares it.
  ///
  /// Called in a read section, which it leaves.
  @inline(never)
  static func deliverRecorded(
    _ thread: UnsafeMutablePointer<di_thread>, _ answer: PlainScope.Answer,
    _ scope: UnsafeMutablePointer<di_scope>, _ listener: UnsafeMutablePointer<di_scope>,
    _ request: UnsafePointer<Request>, hasArguments: Bool, in core: ContainerCore,
    isDouble: Bool, to out: UnsafeMutableRawPointer,
    by build: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool? {
    let found = answer.found
    let (path, id) = found._withUnsafeGuaranteedRef { ($0.path, $0.id) }
    let cycle = answer.caches?.toOpaque()
    let isKept =
      switch path {
      case .kept: copyKept(answer, to: out)
      case .graph: di_frames(thread) != nil && GraphArena.copy(id, cycle, to: out, thread)
      case .unique, .awaited, .alias, .other: false
      }
    guard isKept || path == .unique || path == .graph else {
      di_unpin(thread)
      return nil
    }
    found._withUnsafeGuaranteedRef { $0.noteUse() }
    // Everything is read from the registration before the read section ends, so that it needs no
    // reference. A layer's container is held by its frame, and the other by the caller.
    let owner = answer.layer ?? .passUnretained(core)
    let heard = HeardRequest(
      request: request, registration: found, owner: owner,
      scope: found._withUnsafeGuaranteedRef { .passUnretained($0.scope) },
      isDouble: isDouble,
      // No async resolution is in progress: scopes would take the slow path.
      parent: ResolutionStack.innermostEvent(thread))
    if isKept {
      heard.addKept(to: listener)
      di_unpin(thread)
      ContextFrame.noteHandedOut(out, isDouble: heard.isDouble, request, scope, thread)
      return true
    }
    let event = heard.begin(listener, thread)
    let isShared = path == .graph && di_frames(thread) != nil
    let isBuilt: Bool
    do {
      let step = try enter(
        thread, id, request, hasArguments: hasArguments, event: event.number, isReading: true)
      do {
        isBuilt = try build(out)
      } catch {
        throw leave(thread, step, request, in: core, after: error)
      }
      if isBuilt, isShared { share(found, out, cycle, thread) }
      try leave(thread, step, found, out, isBuilt: isBuilt, scope: cycle)
    } catch {
      event.finish(listener, as: .missed)
      throw error
    }
    if isBuilt {
      ContextFrame.noteHandedOut(out, isDouble: heard.isDouble, request, scope, thread)
    }
    event.finish(listener, as: isBuilt ? .created : .missed)
    return isBuilt
  }
}
