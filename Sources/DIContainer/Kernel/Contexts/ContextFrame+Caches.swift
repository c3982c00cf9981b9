// A scope's own caches: it has a keeper of its own for each keeper outside that is used inside the
// scope, and keeps the instance there.

extension ContextFrame {
  /// Whether the frame keeps nothing.
  var keepsNothing: Bool { withState { $0.keepers.isEmpty } }

  /// Returns the frame's own keeper that replaces `base`.
  func slot(for base: Keeper) -> Keeper {
    if let own = ownSlot(for: base) { return own }
    let made = base.makeForContext()
    let (own, left) = withState { state -> (Keeper, [Keeper]) in
      if let own = state.keepers[base.id] { return (own, []) }
      // A scope that has ended keeps nothing.
      if state.hasEnded { return (made, []) }
      state.keepers[base.id] = made
      return (made, state.dropLeftKeepers())
    }
    withExtendedLifetime(left) {}
    return own
  }

  /// Returns the frame's own keeper that replaces `base`, if there is one yet.
  func ownSlot(for base: Keeper) -> Keeper? { withState { $0.keepers[base.id] } }

  /// Forgets the instances that this frame keeps in scopes for which a predicate is true.
  package func forget(where fits: (Scope) -> Bool) {
    let all = withState { Array($0.keepers.values) }
    for keeper in all where fits(keeper.scope) { keeper.forget() }
  }

  /// Forgets the frame's instance for a keeper.
  ///
  /// The frame's keeper stays: callers that wait for the next instance share it with all later
  /// callers.
  func reset(_ base: Keeper) { ownSlot(for: base)?.forget() }

  /// Forgets the frame's instance for a keeper that is no longer used, and its own keeper.
  func forget(_ base: Keeper) {
    withState { $0.keepers.removeValue(forKey: base.id) }?.forget()
  }

  /// Whether the frame keeps an instance for a keeper.
  func keeps(_ base: Keeper) -> Bool { ownSlot(for: base).map { !$0.isEmpty } ?? false }

  /// Releases all instances that the frame keeps.
  ///
  /// Instances are torn down inside the scope, on whatever thread it ends: what their deinits
  /// resolve and change belongs to the scope.
  func dropSlots() {
    let taken = withState { state in
      defer { state.keepers = [:] }
      return state.keepers.values
    }
    if taken.isEmpty { return }
    ContextFrame.$bound.withValue(self) {
      for keeper in taken { keeper.forget() }
      dropParameters()
    }
  }
}

extension ContextFrame.State {
  /// Drops keepers that can no longer be requested, once there are many; returns them, to be
  /// released under no lock.
  fileprivate mutating func dropLeftKeepers() -> [Keeper] {
    guard keepers.count >= keeperLimit else { return [] }
    let left = keepers.filter(\.value.isLeft)
    for number in left.keys { keepers[number] = nil }
    keeperLimit = max(32, keepers.count * 2)
    return Array(left.values)
  }
}
