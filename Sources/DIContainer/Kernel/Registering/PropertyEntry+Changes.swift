// Changes of the entry that a container, or a sandbox's view of it, has for a property.

extension ContainerCore {
  /// Changes the entry for a property in the current view, and releases what the view kept for what
  /// is replaced; returns whether the entry is another one then.
  ///
  /// Another thread may change the entry at the same time: then the change is made again.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - target: The container, or the sandbox's view of it.
  ///   - isRegistering: Whether a registration for the property is made, by the user.
  ///   - declared: The property that a layer's registration is for, if it has another key.
  ///   - change: Changes the entry, as the context sees it.
  /// - Returns: Whether the entry is another one.
  @discardableResult
  func changeEntry(
    for key: ServiceKey, _ target: RegistrationTarget,
    isRegistering: Bool = false, for declared: DeclaredService? = nil,
    _ change: (inout PropertyEntry) -> Void
  ) -> Bool {
    while true {
      // First, so that what is found next is not older.
      let present = target.registry.find(key)
      let (old, here) = (entry(for: key, target.frame), PropertyEntry(present))
      var (new, changed) = (old, here)
      change(&new)
      guard changed.take(new, over: old) else { return false }
      let stored = changed.stored(for: key)
      if isRegistering {
        guard target.store(stored, over: present, for: declared) else { continue }
      } else {
        SharedKeepers.note(stored, in: self)
        guard target.registry.replace(present, with: stored) else { continue }
        SharedKeepers.note(stored, in: self)
        target.forget(old.registered, here.registered, replacedBy: new.registered)
      }
      target.forget(old.implicit, here.implicit, replacedBy: new.implicit)
      return true
    }
  }
}

extension RegistrationTarget {
  /// Releases what the view kept for a part of an entry, which was in the view if it is `here`.
  fileprivate func forget(
    _ old: Registration?, _ here: Registration?, replacedBy new: Registration?
  ) {
    // A singleton survives the reset of its registration.
    guard let frame, let old, old !== new, old.scope !== Scope.singleton,
      old.keeper !== new?.keeper || old.isOfSite
    else { return }
    forget(
      old === here ? old : nil, old === here ? [] : [old], in: frame, replacedBy: new?.id)
  }
}
