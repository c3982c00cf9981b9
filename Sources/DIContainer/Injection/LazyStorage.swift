/// What copies of a lazy wrapper share: where the service comes from, and what is kept of it.
///
/// Nothing is resolved with the lock held, and nothing is let go.
final class LazyStorage<Service, Kept>: Sendable {
  private struct State {
    var source: LazySource<Service>
    var kept: Kept?
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

  /// Keeps what came of a first use, unless another use, or an assignment, came to its end before.
  ///
  /// - Returns: What is kept instead, if so.
  func keepFirst(_ kept: Kept) -> Kept? {
    state.withLock { state in
      if state.kept == nil {
        state.kept = kept
        return nil
      }
      return state.kept
    }
  }
}
