internal import DIPrimitives

// A scope's own caches: it has a slot of its own for each slot outside that is used inside the
// scope, and keeps the instance there.

extension ContextFrame {
  /// The frame's slots that replace others.
  var slots: FrameSlots { FrameSlots(word: di_scope_slots(plain)) }

  /// Whether the frame keeps nothing, and never did.
  var hasNoSlots: Bool { di_load(di_scope_slots(plain)) == nil }

  /// Returns the frame's own slot that replaces `base`.
  func slot(for base: Keeper) -> Keeper {
    let thread = di_thread_get()
    di_pin(thread)
    let present = slots.find(Unmanaged.passUnretained(base).toOpaque())?.takeUnretainedValue()
    di_unpin(thread)
    return present ?? makeSlot(for: base)
  }

  private func makeSlot(for base: Keeper) -> Keeper {
    let made = base.makeForContext()
    let (own, left) = withLock { () -> (Keeper, [FrameSlots.Entry]) in
      if let own = ownSlot(for: base) { return (own, []) }
      // A scope that has ended keeps nothing.
      return (made, hasEnded ? [] : slots.add(made, for: base))
    }
    if !left.isEmpty {
      di_quiesce()
      for entry in left { entry.free() }
    }
    return own
  }

  // The caller holds the lock.
  private func ownSlot(for base: Keeper) -> Keeper? {
    slots.find(Unmanaged.passUnretained(base).toOpaque())?.takeUnretainedValue()
  }

  /// Forgets the instances that this frame keeps in scopes for which a predicate is true.
  package func forget(where fits: (Scope) -> Bool) {
    let fitting = withLock { slots.all }.filter { fits($0.scope) }
    for slot in fitting { slot.forget() }
  }

  /// Forgets the frame's instance for a slot.
  ///
  /// The frame's slot stays: callers that wait for the next instance share it with all later
  /// callers.
  func reset(_ base: Keeper) {
    if hasNoSlots { return }
    withLock { ownSlot(for: base) }?.forget()
  }

  /// Forgets the frame's instance for a slot that is no longer used, and its own slot.
  func forget(_ base: Keeper) {
    guard !hasNoSlots, let taken = withLock({ slots.take(base) }) else { return }
    di_quiesce()
    taken.forget()
    taken.free()
  }

  /// Whether the frame keeps an instance for a slot.
  func keeps(_ base: Keeper) -> Bool {
    if hasNoSlots { return false }
    return withLock { ownSlot(for: base) }.map { !$0.isEmpty } ?? false
  }

  /// Releases all instances that the frame keeps.
  ///
  /// Instances are torn down inside the scope, on whatever thread it ends: what their deinits
  /// resolve and change belongs to the scope.
  func dropSlots() {
    guard !hasNoSlots, let taken = withLock({ slots.takeAll() }) else { return }
    di_quiesce()
    ContextFrame.$bound.withValue(self) {
      taken.forgetAll()
      taken.free()
      dropParameters()
    }
  }
}
