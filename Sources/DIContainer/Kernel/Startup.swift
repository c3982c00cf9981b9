internal import DIPrimitives

// `registerAllServices` runs once, before the first resolution: outside every context, so that
// what it sets up is base state whichever test happens to come first. Until it has run,
// `di_attention` is not zero, so that nobody needs to look at it afterwards. Other threads wait
// for it, and what start-up code itself asks for is let through: see StartupTurn.swift.

enum Startup {
  // The count of what is odd, and that of what asks for attention, begin with one for this.
  private static let turn = StartupTurn(isPending: true)

  @inline(__always)
  static func runIfNeeded() {
    if di_attention_needed() != 0 { runIfPending() }
  }

  static func runIfPending() {
    if let frame = ContextFrame.current, frame.hasExtrasAround {
      for sandbox in frame.sandboxes {
        // Into the view of the sandbox that was reset, not into one inside it.
        sandbox.startup?.runIfPending { ContextFrame.$bound.withValue(sandbox) { register() } }
      }
    }
    // What is pending for the process makes all scopes odd.
    guard di_scopes_are_odd() else { return }
    turn.runIfPending {
      ContextFrame.$bound.withValue(ContextFrame.base) { register() }
      RuntimeCopies.report()
      TestListing.announce()
    } whenDone: {
      di_odd_scopes_add(-1)
      di_attention_add(-1)
    }
  }

  /// Has start-up run again before the next resolution.
  static func rearm() {
    turn.ask(ifNew: {
      di_odd_scopes_add(1)
      di_attention_add(1)
    })
  }

  private static func register() {
    guard let services = Resolver.self as Any as? any ResolverRegistering.Type else { return }
    RegisteringContext.with({ $0.isStartingUp = true }) { services.registerAllServices() }
  }
}
