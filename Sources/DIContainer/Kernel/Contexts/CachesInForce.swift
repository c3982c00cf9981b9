// The requests of a factory are resolved in the context of the moment. A layer that is pushed while
// an instance is built serves those that follow, and so does a sandbox that adopts the work. The
// instance may then hold doubles of theirs: it is returned, but not kept in the caches outside, and
// requests that are made there afterwards do not share it.

extension CachesInForce {
  static func now(for scope: Scope) -> CachesInForce {
    let ofTask = ContextFrame.ofTask
    while true {
      let frame = ContextFrame.current(ofTask: ofTask)?.cacheFrame(for: scope)
      var timesCovered =
        frame?.withState { $0.timesCovered } ?? ContextFrame.timesProcessCovered.value
      // Any scope that is opened may serve work without a context.
      if ofTask == nil { timesCovered += ContextFrame.timesListed.value }
      // A frame may come into force meanwhile.
      guard ContextFrame.current(ofTask: ofTask)?.cacheFrame(for: scope) === frame
      else { continue }
      return CachesInForce(frame: frame?.number ?? 0, timesCovered: timesCovered)
    }
  }
}

extension ContextFrame {
  fileprivate static let timesProcessCovered = Atomic()

  /// Notes that the frame, which brings all caches, comes into force for work that is under way in
  /// the enclosing ones.
  package func coverEnclosing() {
    for frame in chain.dropFirst() {
      frame.withState { $0.timesCovered += 1 }
      if case .all = frame.caches { return }
    }
    Self.timesProcessCovered.increment()
  }
}
