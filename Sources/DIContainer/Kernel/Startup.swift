internal import DIPrimitives

// `registerAllServices` runs once, before the first resolution: outside every context, so that
// what it sets up is base state whichever test happens to come first. Until it has run,
// `di_attention` is not zero, so that nobody needs to look at it afterwards. A once-state makes
// other threads wait for it and lets through what start-up code itself asks for.

enum Startup {
  private static let isPending = Lock(true)
  private static let once = Unchecked(Slot(Scope.application, Bool.self))

  @inline(__always)
  static func runIfNeeded() {
    if di_attention_needed() != 0 { runIfPending() }
  }

  static func runIfPending() {
    if let frame = ContextFrame.current, frame.hasExtrasAround {
      for sandbox in frame.chain where sandbox.kind == .sandbox && sandbox.takeStartup() {
        // Into the view of the sandbox that was reset, not into one inside it.
        ContextFrame.$bound.withValue(sandbox) { register() }
      }
    }
    // What is pending for the process makes all scopes odd.
    guard di_scopes_are_odd(), isPending.withLock({ $0 }) else { return }
    // A request made by start-up code would wait for itself: it is let through.
    _ = try? once.value.value(
      di_thread_get(), cycle: { _ in ResolutionError.startupUnderWay }
    ) {
      ContextFrame.$bound.withValue(ContextFrame.base) { register() }
      RuntimeCopies.report()
      isPending.withLock { $0 = false }
      di_odd_scopes_add(-1)
      di_attention_add(-1)
      return true
    }
  }

  /// Has start-up run again before the next resolution.
  static func rearm() {
    let wasDone = isPending.withLock { isPending in
      defer { isPending = true }
      return !isPending
    }
    guard wasDone else { return }
    once.value.forget()
    di_odd_scopes_add(1)
    di_attention_add(1)
  }

  private static func register() {
    RegisteringContext.with({ $0.isStartingUp = true }) {
      (Resolver.self as Any as? any ResolverRegistering.Type)?.registerAllServices()
    }
  }
}
