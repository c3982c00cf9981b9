/// A build of a keeper's instance by one thread.
///
/// A build by a task is an `AsyncBuild`.
final class Build: Turn {
  /// The keeper's generation when the build began.
  let generation: Int
  /// The new instance, while its properties are set.
  var early: Instance?
  /// The instance for waiting threads that may not find it in the keeper afterwards.
  var handedOver: Instance?

  init(of thread: ThreadRecord, generation: Int) {
    self.generation = generation
    super.init(of: thread)
  }

  /// Whether its instance may be used, although its properties are being set.
  override var isOpen: Bool { early != nil }

  /// Makes the new instance available to its properties' resolutions, and to those that would wait
  /// for it in a cycle.
  ///
  /// Services that refer to each other through properties resolve on one thread, because the
  /// instance counts as made while its properties are set. The same has to hold for two threads
  /// that start at different ends.
  func show(early instance: Instance) {
    releaseUnlocked(BuildLock.withLock { exchange(&early, with: instance) })
  }

  /// Ends the build of an abandoned thread; the keeper sees by `isOver` that it is.
  override func end() {
    super.end()
    releaseUnlocked(BuildLock.withLock { exchange(&early, with: nil) })
  }
}
