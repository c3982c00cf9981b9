internal import DIPrimitives

// A request may end the process: a plain `resolve` of a missing service traps, and no caller can
// catch that. A trap guard runs such work on a thread of its own. Instead of trapping, that thread
// passes on the diagnosis, releases whatever other threads may wait for, and is parked for good.

/// Work on a thread of its own, which is abandoned where it would trap.
final class TrapGuard {
  private let body: () -> Void
  private let onTrap: (any Error) -> Void
  /// The clean-up of work that others wait for, innermost last; used by its thread only.
  private var cleanUps: [() -> Void] = []

  private init(_ body: @escaping () -> Void, _ onTrap: @escaping (any Error) -> Void) {
    self.body = body
    self.onTrap = onTrap
  }

  /// Runs work, and waits until it ends or is abandoned.
  static func run(
    _ body: @escaping () -> Void, onTrap: @escaping (any Error) -> Void
  ) {
    let guarded = TrapGuard(body, onTrap)
    let owner = Unmanaged.passRetained(guarded)
    let hasEnded = di_run_guarded(
      { Unmanaged<TrapGuard>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.body() } },
      owner.toOpaque())
    // An abandoned thread is still inside the work, and uses it.
    if hasEnded { owner.release() }
  }

  /// The guard of the calling thread.
  private static var current: TrapGuard? {
    di_guarded_owner().map { Unmanaged<TrapGuard>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs work that others may wait for, other than the building of an instance.
  ///
  /// `cleanUp` runs if the calling thread is abandoned; then `body` never returns.
  static func protect<Result>(
    _ body: () throws -> Result, cleanUp: () -> Void
  ) rethrows -> Result {
    guard let current else { return try body() }
    return try withoutActuallyEscaping(cleanUp) { cleanUp in
      current.cleanUps.append(cleanUp)
      defer { current.cleanUps.removeLast() }
      return try body()
    }
  }

  /// Abandons the calling thread; returns if no guard runs on it.
  ///
  /// `endBuilds` ends the builds of the thread, for which others must not wait for ever.
  static func abandon(_ error: any Error, endBuilds: () -> Void) {
    guard let current else { return }
    endBuilds()
    for cleanUp in current.cleanUps.reversed() { cleanUp() }
    current.onTrap(error)
    di_park_guarded()
  }
}
