internal import DIPrimitives

/// The instances that the resolutions of one async graph share: the `.graph` scope.
final class AsyncGraph: Sendable {
  private struct State {
    /// The number of resolutions under way.
    var users = 0
    /// The instances that it shares, as those of a thread's chain.
    ///
    /// Branches of one graph that resolve at the same time may each make an instance for a
    /// registration: that of the first branch to be done is shared from then on.
    var instances: [Chain.GraphKey: AnyObject] = [:]
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

  /// Returns the instance that the graph shares for a registration, if there is one.
  func instance(of registration: Registration, _ cacheFrame: ContextFrame?) -> Instance? {
    let key = Chain.GraphKey(registration: registration.id, cacheFrame: cacheFrame?.number ?? 0)
    return instances[key].map { Instance(object: $0) }
  }

  /// Shares a new instance of a registration, if graphs share such.
  func share(_ instance: Instance, of registration: Registration, _ cacheFrame: ContextFrame?) {
    guard registration.shares(instance) else { return }
    let key = Chain.GraphKey(registration: registration.id, cacheFrame: cacheFrame?.number ?? 0)
    share([key: instance.object])
  }

  /// The instances that are shared so far.
  var instances: [Chain.GraphKey: AnyObject] { state.withLock { $0.instances } }

  /// Shares the instances that a thread has made as part of the graph, unless it has ended.
  func share(_ instances: [Chain.GraphKey: AnyObject]) {
    if instances.isEmpty { return }
    state.withLock { state in
      if state.users > 0 { state.instances.merge(instances) { first, _ in first } }
    }
  }
}
