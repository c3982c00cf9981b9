internal import DIPrimitives

extension Engine {
  /// Puts the instance for a request in a recorded plain scope into memory; nil to take the slow
  /// path.
  ///
  /// Called in a read section, which it leaves.
  @inline(never)
  static func deliverRecorded(
    _ thread: UnsafeMutablePointer<di_thread>, _ answer: PlainScope.Answer,
    _ scope: UnsafeMutablePointer<di_scope>, _ listener: UnsafeMutablePointer<di_scope>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    let found = answer.found
    let (path, id, form) = found._withUnsafeGuaranteedRef { ($0.path, $0.id, $0.form) }
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
    let owner = answer.layer ?? .passUnretained(asked.core)
    let heard = HeardRequest(
      request: request, registration: found, owner: owner,
      scope: found._withUnsafeGuaranteedRef { .passUnretained($0.scope) },
      isDouble: found._withUnsafeGuaranteedRef { $0.options.isDouble }
        || scope.installs(owner.toOpaque()),
      // No async resolution is in progress: scopes would take the slow path.
      parent: ResolutionStack.innermostEvent(thread))
    if isKept {
      heard.addKept(to: listener)
      di_unpin(thread)
      ContextFrame.noteHandedOut(out, form, isDouble: heard.isDouble, request, scope, thread)
      return true
    }
    let event = heard.begin(listener, thread)
    let isBuilt: Bool
    do {
      if path == .graph {
        isBuilt = try share(
          found, thread, request, args, asked: asked, scope: cycle, event: event.number, to: out)
      } else {
        isBuilt = try make(
          found, thread, request, args, asked: asked, event: event.number, to: out)
      }
    } catch {
      event.finish(listener, as: .missed)
      throw error
    }
    if isBuilt {
      ContextFrame.noteHandedOut(out, form, isDouble: heard.isDouble, request, scope, thread)
    }
    event.finish(listener, as: isBuilt ? .created : .missed)
    return isBuilt
  }
}
