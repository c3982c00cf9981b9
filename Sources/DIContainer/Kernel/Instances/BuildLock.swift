internal import DIPrimitives

/// The single lock of all keepers.
///
/// Keeper.swift lists what it guards. While it is held:
/// - no user code runs: no factory, and no release that may be an object's last, because that runs
///   a `deinit`. Objects to be released are returned from the body and released after it;
/// - no other lock is taken, and the thread waits for no other one.
///
/// The lock is used directly only to wait for another thread's instance: `di_wait` releases it
/// meanwhile, so that conditions have to be checked again afterwards.
enum BuildLock {
  @inline(__always)
  static func withLock<Answer>(_ body: () -> Answer) -> Answer {
    di_build_lock_acquire()
    defer { di_build_lock_release() }
    return body()
  }
}
