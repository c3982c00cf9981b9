// A frame's own caches: it has a keeper of its own for each keeper outside that is used inside the
// frame, and keeps the instance there.

extension ContextFrame {
  /// Whether the frame keeps nothing.
  var keepsNothing: Bool { withState { $0.keepers.isEmpty } }

  /// Returns the frame's own keeper that replaces `base`.
  func substitute(for base: Keeper) -> Keeper {
    if let own = ownKeeper(for: base) { return own }
    let made = base.makeSubstitute(isOfContext: true)
    let (own, dropped) = withState { state -> (Keeper, [Keeper]) in
      if let own = state.keepers[base] { return (own, []) }
      // A scope that has ended keeps nothing.
      if state.hasEnded { return (made, []) }
      return (made, state.keepers.add(made, for: base))
    }
    withExtendedLifetime(dropped) {}
    return own
  }

  /// Returns the frame's own keeper that replaces `base`, if there is one yet.
  func ownKeeper(for base: Keeper) -> Keeper? { withState { $0.keepers[base] } }

  /// Forgets the instances that this frame keeps in scopes for which a predicate is true.
  package func forget(where fits: (Scope) -> Bool) {
    for keeper in withState({ $0.keepers.all }) where fits(keeper.scope) { keeper.forget() }
  }

  /// Whether the frame keeps an instance for a keeper, or for a parameter of it.
  func keeps(_ base: Keeper) -> Bool {
    guard let own = ownKeeper(for: base) else { return false }
    return !own.isEmpty || own.byParameter.contains { !$0.isEmpty }
  }

  /// Releases all instances that the frame keeps.
  ///
  /// Instances are torn down inside the scope, on whatever thread it ends: what their deinits
  /// resolve and change belongs to the scope.
  func dropKeepers() {
    let taken = withState { $0.keepers.removeAll() }
    if taken.isEmpty { return }
    ContextFrame.$bound.withValue(self) {
      for keeper in taken { keeper.forget() }
    }
  }
}
