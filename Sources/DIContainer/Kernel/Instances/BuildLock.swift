internal import DIPrimitives

/// The one lock of all once-states.
///
/// What it guards is told in Slot.swift. Where it is held
/// - no user code runs: no factory, and no release that may be an object's last, for that runs a
///   `deinit`. What is let go is handed out of the body and released after it;
/// - no other lock is taken, and nobody is waited for.
///
/// Waiting for another thread's instance is the one thing for which the lock is taken bare:
/// `di_wait` lets go of it meanwhile, so what was true before is not true after.
enum BuildLock {
  @inline(__always)
  static func withLock<Answer>(_ body: () -> Answer) -> Answer {
    di_build_lock_acquire()
    defer { di_build_lock_release() }
    return body()
  }
}
