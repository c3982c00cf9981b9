internal import DIPrimitives

/// The caches that are in force for a scope at one moment.
///
/// Those of a build's requests may change: see Contexts/CachesInForce.swift.
struct CachesInForce: Equatable {
  /// The frame that brings them; 0 for the process's.
  let frame: UInt64
  /// The number of frames that came into force over them, also if these are gone again.
  let timesCovered: UInt

  /// The caches for an instance that depends on no context.
  static let process = CachesInForce(frame: 0, timesCovered: 0)
}

/// A build of a keeper's instance by one thread.
///
/// A build by a task is an `AsyncBuild`.
final class Build: Turn {
  /// The keeper's generation when the build began; none of its generations after `disown`.
  private(set) var generation: Int
  /// The caches that were in force then.
  let inForce: CachesInForce
  /// The new instance, while its properties are set.
  var early: AnyBox?
  /// The instance for waiting threads that may not find it in the keeper afterwards.
  var handedOver: AnyBox?

  init(of thread: ThreadRecord, generation: Int, _ inForce: CachesInForce) {
    (self.generation, self.inForce) = (generation, inForce)
    super.init(of: thread)
  }

  /// Has its instance be neither kept nor shared, because its registration was replaced before.
  func disown() { BuildLock.withLock { generation = -1 } }

  /// Whether its instance may be used, although its properties are being set.
  override var isOpen: Bool { early != nil }

  override func end() {
    super.end()
    releaseUnlocked(BuildLock.withLock { exchange(&early, with: nil) })
  }
}
