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

  override func end() {
    super.end()
    releaseUnlocked(BuildLock.withLock { exchange(&early, with: nil) })
  }
}
