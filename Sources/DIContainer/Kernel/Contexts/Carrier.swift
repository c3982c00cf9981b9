// Work that carries a sandbox. A sandbox that needs to know whether such work is still running
// binds not its own frame to the task but another one inside it, the carrier. Everything that
// captures the context, such as a `Task { }` or a `ResolutionContext`, keeps the carrier alive, and
// nothing else does. So the end of the carrier marks the end of all such work.
//
// A carrier is only ever bound: requests and scopes use the frame that it is for (`serving`), and
// what remembers a context holds that. A scope inside binds a carrier of its own, which holds the
// one outside.

extension ContextFrame {
  private struct Carrier: Sendable {
    let frame: Lock<Weak<ContextFrame>>
  }

  /// The carrier of an enclosing scope, which is alive as long as the one that holds it.
  private struct OuterCarrier: Sendable {
    let frame: ContextFrame
  }

  /// Only tests that drain or look for leaks have carriers.
  private static let carriers = RareFeature()

  /// Returns a frame to bind instead of this one, which is alive as long as work carries it.
  package func makeCarrier() -> ContextFrame {
    makeCarrier(inside: parent?.innermostCarrier)
  }

  private func makeCarrier(inside outer: ContextFrame?) -> ContextFrame {
    Self.carriers.noteUse()
    let carrier = ContextFrame(
      .carrier, parent: self, name: opener.name, isTest: opener.isTest, location: opener.location,
      report: opener.report)
    if let outer { _ = carrier.extra(OuterCarrier.self, orMake: { OuterCarrier(frame: outer) }) }
    extra(Carrier.self, orMake: { Carrier(frame: Lock(Weak(value: nil))) })
      .frame.withLock { $0.value = carrier }
    return carrier
  }

  /// The frame to bind for work in this context: a carrier, if an enclosing scope has one.
  package var withCarrier: ContextFrame {
    guard Self.carriers.isUsed, kind != .carrier else { return self }
    return carrier ?? parent?.innermostCarrier.map { makeCarrier(inside: $0) } ?? self
  }

  /// The carrier, as long as it is alive.
  private var carrier: ContextFrame? {
    extra(Carrier.self)?.frame.withLock { $0.value }
  }

  /// The carrier of the innermost scope, this or an enclosing one, that has one.
  private var innermostCarrier: ContextFrame? {
    guard Self.carriers.isUsed else { return nil }
    return carrier ?? parent?.innermostCarrier
  }

  /// The frame to remember for later use, which does not count as work that carries the sandbox.
  package var withoutCarrier: ContextFrame { kind == .carrier ? parent ?? self : self }
}
