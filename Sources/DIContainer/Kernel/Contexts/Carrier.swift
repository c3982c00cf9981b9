// Work that carries a sandbox. A sandbox that needs to know whether such work is still running
// binds not its own frame to the task but another one inside it, the carrier. Everything that
// captures the context, such as a `Task { }` or a `ResolutionContext`, keeps the carrier alive, and
// nothing else does. So the end of the carrier marks the end of all such work.

extension ContextFrame {
  private struct Carrier: Sendable {
    let frame: Lock<Weak<ContextFrame>>
  }

  /// Returns a frame to bind instead of this one, which is alive as long as work carries it.
  package func makeCarrier() -> ContextFrame {
    let carrier = ContextFrame(
      .carrier, parent: self, name: opener.name, isTest: opener.isTest, location: opener.location,
      report: opener.report)
    extra(Carrier.self, orMake: { Carrier(frame: Lock(Weak(value: nil))) })
      .frame.withLock { $0.value = carrier }
    return carrier
  }

  /// The frame to bind for work in this context: its carrier, if it has one.
  package var withCarrier: ContextFrame { carrier ?? self }

  /// The carrier, as long as it is alive.
  package var carrier: ContextFrame? {
    // Most frames have none, and every scope that closes reads this.
    extra(Carrier.self)?.frame.withLock { $0.value }
  }

  /// The frame to remember for later use, which does not count as work that carries the sandbox.
  package var withoutCarrier: ContextFrame { kind == .carrier ? parent ?? self : self }
}
