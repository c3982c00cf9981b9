internal import DIPrimitives

extension Engine {
  /// Puts the instance for a request in a plain scope into memory while recorders listen; nil to
  /// take the long way.
  ///
  /// Called in a read section, which it leaves.
  @inline(never)
  static func deliverRecorded(
    _ thread: UnsafeMutablePointer<di_thread>, _ answer: PlainScope.Answer,
    _ scope: UnsafeMutablePointer<di_scope>, _ listener: UnsafeMutablePointer<di_scope>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    let registration = answer.found.takeUnretainedValue()
    let path = registration.path
    let cycle = answer.caches?.toOpaque()
    let isKept =
      switch path {
      case .kept: copyKept(answer, to: out)
      case .graph:
        di_frames(thread) != nil && GraphArena.copy(registration.id, cycle, to: out, thread)
      case .unique, .alias, .other: false
      }
    di_unpin(thread)
    guard isKept || path == .unique || path == .graph else { return nil }
    registration.noteUse()
    // What is heard counts no references: this holds the registration until all is said, a layer's
    // container is held by its frame, and the other by the caller.
    defer { withExtendedLifetime(registration) {} }
    let owner = answer.layer ?? .passUnretained(asked.core)
    let heard = HeardRequest(
      request: request, registration: answer.found, owner: owner,
      scope: .passUnretained(registration.scope),
      isDouble: registration.options.isDouble || scope.installs(owner.toOpaque()),
      // No async resolution is under way: scopes would be odd.
      parent: ResolutionStack.innermostEvent(thread))
    if isKept {
      heard.addKept(to: listener)
      ContextFrame.noteHandedOut(
        out, answer.found, isDouble: heard.isDouble, request, scope, thread)
      return true
    }
    let event = heard.begin(listener, thread)
    var isBuilt = false
    do {
      if path == .graph {
        isBuilt = try share(
          thread, GraphStep(registration), request, args, asked: asked, scope: cycle,
          event: event.number, to: out)
      } else {
        isBuilt = try construct(
          thread, registration.id, request, hasArguments: args != nil, event: event.number,
          in: asked.core
        ) {
          try registration.build(out, asked, args)
        }
      }
    } catch {
      event.finish(listener, as: .missed)
      throw error
    }
    if isBuilt {
      ContextFrame.noteHandedOut(
        out, answer.found, isDouble: heard.isDouble, request, scope, thread)
    }
    event.finish(listener, as: isBuilt ? .created : .missed)
    return isBuilt
  }
}
