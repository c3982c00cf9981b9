internal import DIPrimitives

/// The instances that the resolutions of one async graph share: the `.graph` scope.
final class AsyncGraph: Sendable {
  private struct State {
    /// The number of resolutions under way.
    var users = 0
    /// The instances that sync factories share.
    ///
    /// Branches of one graph that resolve at the very same time may each build an instance for a
    /// registration: that of the first branch to return is shared from then on.
    var instances: [Chain.GraphKey: AnyObject] = [:]
    /// The keepers of the instances that async factories made.
    var keepers: [Chain.GraphKey: Keeper] = [:]
  }

  private let state = Lock(State())

  func addUser() {
    let isFirst = state.withLock { state in
      state.users += 1
      return state.users == 1
    }
    // The shortest path of requests does not follow async chains.
    if isFirst { di_attention_add_async(1) }
  }

  func removeUser() {
    let old = state.withLock { state -> State? in
      state.users -= 1
      guard state.users == 0 else { return nil }
      defer { state = State() }
      return state
    }
    guard let old else { return }
    di_attention_add_async(-1)
    releaseUnlocked(old)
  }

  /// Returns the keeper of the instance that the graph shares for a registration.
  func keeper(for registration: Registration, _ cacheFrame: ContextFrame?) -> Keeper {
    let key = Chain.GraphKey(
      registration: registration.id, cacheFrame: cacheFrame?.number ?? 0)
    if let present = state.withLock({ $0.keepers[key] }) { return present }
    let made = Keeper(registration.scope, registration.key.type, isOfFrame: true)
    return state.withLock { state in
      if let present = state.keepers[key] { return present }
      // A graph that has ended shares nothing.
      if state.users > 0 { state.keepers[key] = made }
      return made
    }
  }

  /// The instances that sync factories share.
  var instances: [Chain.GraphKey: AnyObject] { state.withLock { $0.instances } }

  /// Shares the instances that a thread has made as part of the graph, unless it has ended.
  func share(_ instances: [Chain.GraphKey: AnyObject]) {
    if instances.isEmpty { return }
    state.withLock { state in
      if state.users > 0 { state.instances.merge(instances) { first, _ in first } }
    }
  }
}
