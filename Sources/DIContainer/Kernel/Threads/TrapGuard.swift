internal import Dispatch
internal import Foundation

// A request may end the process: a plain `resolve` of a missing service traps, and no caller can
// catch that. A trap guard runs such work on a thread of its own. Instead of trapping, that thread
// passes on the diagnosis, releases whatever other threads may wait for, and is parked for good.

/// Work on a thread of its own, which is abandoned where it would trap.
final class TrapGuard: @unchecked Sendable {
  // Sendable: what it holds is used by its thread only, and by the one that waits for it.
  private var body: (() -> Void)?
  private var onTrap: ((any Error) -> Void)?
  /// The clean-up of work that others wait for, innermost last.
  private var cleanUps: [() -> Void] = []
  private let isOver = DispatchSemaphore(value: 0)

  private init(_ body: @escaping () -> Void, _ onTrap: @escaping (any Error) -> Void) {
    self.body = body
    self.onTrap = onTrap
  }

  /// Runs work, and waits until it ends or is abandoned.
  static func run(
    _ body: @escaping () -> Void, onTrap: @escaping (any Error) -> Void
  ) {
    let guarded = TrapGuard(body, onTrap)
    areUsed.set(true)
    let thread = Thread {
      let values = Thread.current.threadDictionary
      values[key] = guarded
      guarded.body?()
      // Whoever waits is the last to release what it holds.
      values.removeObject(forKey: key)
      (guarded.body, guarded.onTrap) = (nil, nil)
      guarded.isOver.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    guarded.isOver.wait()
  }

  private static let key = "DIContainer.TrapGuard"

  /// Whether any guard was made: most processes look for none.
  private static let areUsed = Atomic()

  /// The guard of the calling thread.
  private static var current: TrapGuard? {
    areUsed.isSet ? Thread.current.threadDictionary[key] as? TrapGuard : nil
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
    current.onTrap?(error)
    current.isOver.signal()
    while true { DispatchSemaphore(value: 0).wait() }
  }
}
