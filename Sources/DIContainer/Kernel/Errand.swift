internal import DIPrimitives

// A request may end the process: a plain `resolve` of a missing service traps, and no caller can
// catch that. An errand runs such work on a thread of its own. Instead of trapping, that thread
// passes on the diagnosis, releases whatever other threads may wait for, and is suspended for good.

/// Work on a thread of its own, which is abandoned where it would trap.
final class Errand {
  private let body: () -> Void
  private let hasGivenUp: (ResolutionError) -> Void
  /// The clean-up for work that others wait for, innermost last; used by its thread only.
  private var duties: [() -> Void] = []

  private init(_ body: @escaping () -> Void, _ hasGivenUp: @escaping (ResolutionError) -> Void) {
    self.body = body
    self.hasGivenUp = hasGivenUp
  }

  /// Runs work, and waits until it ends or is abandoned.
  static func run(
    _ body: @escaping () -> Void, hasGivenUp: @escaping (ResolutionError) -> Void
  ) {
    let errand = Errand(body, hasGivenUp)
    let owner = Unmanaged.passRetained(errand)
    let hasEnded = di_run_errand(
      { Unmanaged<Errand>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.body() } },
      owner.toOpaque())
    // An abandoned thread is still inside the work, and uses it.
    if hasEnded { owner.release() }
  }

  /// Runs work that others may wait for, other than the building of an instance.
  ///
  /// `letGo` runs if the calling thread abandons its errand; then `body` never returns.
  static func run<Result>(
    _ body: () throws -> Result, orElse letGo: () -> Void
  ) rethrows -> Result {
    guard let owner = di_errand_owner() else { return try body() }
    let errand = Unmanaged<Errand>.fromOpaque(owner).takeUnretainedValue()
    return try withoutActuallyEscaping(letGo) { letGo in
      errand.duties.append(letGo)
      defer { errand.duties.removeLast() }
      return try body()
    }
  }

  /// Abandons the errand of the calling thread; returns if it runs none.
  static func giveUp(_ error: ResolutionError) {
    guard let owner = di_errand_owner() else { return }
    let errand = Unmanaged<Errand>.fromOpaque(owner).takeUnretainedValue()
    // Threads that wait for instances or other work of this thread must not wait for ever.
    let slots = ResolutionStack.steps().compactMap(\.pointee.slot)
    for slot in slots { Unmanaged<Keeper>.fromOpaque(slot).takeUnretainedValue().abandon() }
    for letGo in errand.duties.reversed() { letGo() }
    errand.hasGivenUp(error)
    di_park_errand()
  }
}
