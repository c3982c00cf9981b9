// The end of a frame.

extension ContextFrame {
  package var hasEnded: Bool { withState { $0.hasEnded } }

  /// Ends the scope and releases the instances that it kept.
  ///
  /// Its doubles stay for work that still carries the frame: such late requests are reported, and
  /// get a double or nothing, never a live service.
  package func end() {
    dropLazies()
    // Instances are torn down while the scope is still open. What that makes anew is torn down
    // too, in some rounds: a `deinit` that always resolves again would never come to an end.
    for _ in 0..<8 where !keepsNothing { dropKeepers() }
    withState { $0.hasEnded = true }
    noteEnd()
    dropKeepers()
    dropLazies()
    setPushedTop(nil)
    reportUnscopedNotes()
  }
}
