internal import DIPrimitives

/// What copies of a lazy wrapper share: where the service comes from, and what is kept of it.
///
/// Nothing is resolved with the lock held, and nothing is let go.
final class LazyStorage<Service, Kept>: Sendable {
  private struct State {
    var source: LazySource<Service>
    var kept: Kept?
    /// The thread that resolves for all first users.
    var first: UnsafeMutablePointer<di_thread>?
    /// Where the others wait for it; nil until there is one.
    var turn: Slot?

    /// Ends the first user's turn; where others wait, if somebody does.
    mutating func endTurn() -> Slot? {
      defer { turn = nil }
      first = nil
      return turn
    }
  }

  private let state: Lock<State>

  init(_ source: LazySource<Service>) { state = Lock(State(source: source)) }

  var source: LazySource<Service> { state.withLock { $0.source } }

  func change(_ change: (inout LazySource<Service>) -> Void) {
    let old = state.withLock { state in
      let old = state.source
      change(&state.source)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// The factory, for wrappers that name a property.
  var factory: Factory<Service>? {
    let source = source
    return source.inContext { source.factory?.value() }
  }

  /// Resolves the service, whether or not something is kept.
  func resolve(reset options: FactoryResetOptions) -> Service {
    let source = source
    if options != .none { source.inContext { _ = source.factory?.value().reset(options) } }
    return source.resolve()
  }

  /// What is kept of the service; nil until it is resolved or assigned.
  var kept: Kept? { state.withLock { $0.kept } }

  func keep(_ kept: Kept?) {
    let old = state.withLock { state in
      defer { state.kept = kept }
      return state.kept
    }
    withExtendedLifetime(old) {}
  }

  /// What a use gets: something that is kept, or a service that was made for it.
  enum Use {
    case kept(Kept)
    case made(Service)
  }

  /// What is kept; failing that, the first user resolves the service, and all others wait for it.
  ///
  /// Unless waiting would never end: those who are asked on the first user's behalf, on its thread
  /// or by way of others, resolve for themselves. What is kept first, or assigned meanwhile, stays.
  func use(_ keep: (Service) -> Kept) -> Use {
    let thread = di_thread_get()
    while true {
      switch begin(thread) {
      case .kept(let kept):
        return .kept(kept)
      case .first:
        return Errand.run({ resolve(keep, endsTurn: true) }, orElse: { end() })
      case .own:
        return resolve(keep, endsTurn: false)
      case .other(let turn):
        if !turn.wait(thread) { return resolve(keep, endsTurn: false) }
      }
    }
  }

  private enum Turn {
    case kept(Kept)
    case first
    /// The calling thread's turn is under way.
    case own
    case other(Slot)
  }

  private func begin(_ thread: UnsafeMutablePointer<di_thread>) -> Turn {
    state.withLock { state in
      if let kept = state.kept { return .kept(kept) }
      guard let first = state.first else {
        state.first = thread
        return .first
      }
      if first == thread { return .own }
      let turn = state.turn ?? Slot(openTurnOf: first)
      state.turn = turn
      return .other(turn)
    }
  }

  private func resolve(_ keep: (Service) -> Kept, endsTurn: Bool) -> Use {
    let service = source.resolve()
    let kept = keep(service)
    let (before, turn) = state.withLock { state in
      let before = state.kept
      if before == nil { state.kept = kept }
      return (before, endsTurn ? state.endTurn() : nil)
    }
    turn?.abandon()
    return before.map { .kept($0) } ?? .made(service)
  }

  /// Ends the first user's turn with nothing to keep.
  private func end() {
    state.withLock { $0.endTurn() }?.abandon()
  }
}
