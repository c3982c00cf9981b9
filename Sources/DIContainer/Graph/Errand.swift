internal import DIPrimitives

// Asking for a service may end the process: a plain `resolve` of something that is missing traps,
// and no caller can catch that. An errand runs such work on a thread of its own. Instead of
// trapping, that thread hands over the diagnosis, releases what others may wait for, and is parked
// for good.

/// Work on a thread of its own, which may give up where it would trap.
final class Errand {
  private let body: () -> Void
  private let hasGivenUp: (ResolutionError) -> Void
  /// What others wait for while its thread is at it, innermost last; the thread's own.
  private var duties: [() -> Void] = []

  private init(_ body: @escaping () -> Void, _ hasGivenUp: @escaping (ResolutionError) -> Void) {
    self.body = body
    self.hasGivenUp = hasGivenUp
  }

  /// Runs some work and waits until it ends, or gives up.
  static func run(
    _ body: @escaping () -> Void, hasGivenUp: @escaping (ResolutionError) -> Void
  ) {
    let errand = Errand(body, hasGivenUp)
    let owner = Unmanaged.passRetained(errand)
    let hasEnded = di_run_errand(
      { Unmanaged<Errand>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.body() } },
      owner.toOpaque())
    // A parked thread still stands in the middle of it.
    if hasEnded { owner.release() }
  }

  /// Runs what others may wait for, other than for an instance.
  ///
  /// `letGo` runs where the calling thread gives its errand up: then `body` never returns.
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

  /// Gives up the errand of the calling thread; returns if it runs none.
  static func giveUp(_ error: ResolutionError) {
    guard let owner = di_errand_owner() else { return }
    let errand = Unmanaged<Errand>.fromOpaque(owner).takeUnretainedValue()
    // Whoever waits for what this thread is building, or is setting up, must not wait for ever.
    let slots = ResolutionStack.steps().compactMap(\.pointee.slot)
    for slot in slots { Unmanaged<Slot>.fromOpaque(slot).takeUnretainedValue().abandon() }
    for letGo in errand.duties.reversed() { letGo() }
    errand.hasGivenUp(error)
    di_park_errand()
  }
}
