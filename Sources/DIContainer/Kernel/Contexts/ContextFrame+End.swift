// The end of a frame, and requests that come after it.

extension ContextFrame {
  package var hasEnded: Bool { withState { $0.hasEnded } }

  /// Ends the scope and releases the instances that it kept.
  ///
  /// Its doubles stay for work that still carries the frame: such late requests are reported, and
  /// get a double or nothing, never a live service.
  package func end() {
    dropReplacements()
    // Instances are torn down while the scope is still open. What that makes anew is torn down
    // too, in some rounds: a `deinit` that always resolves again would never come to an end.
    for _ in 0..<8 where !keepsNothing { dropKeepers() }
    withState { $0.hasEnded = true }
    noteEnd()
    dropKeepers()
    dropReplacements()
    setPushedTop(nil)
    Tests.delegate?.didEnd(self)
  }

  /// The enclosing scope that has ended, which makes the requesting work late.
  var endedScope: ContextFrame? {
    guard chain.contains(where: \.hasEnded) else { return nil }
    return endedSandbox ?? chain.first { ($0.kind == .root || $0.kind == .layer) && $0.hasEnded }
  }

  /// The enclosing sandbox that has ended, in which late work gets no live service.
  ///
  /// The sandbox of a dry run does not count: its factories start what they start in production.
  var endedSandbox: ContextFrame? {
    sandboxes.first { $0.hasEnded && $0.dryRun == nil }
  }
}
