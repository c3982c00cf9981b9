// Changes of a registry, with the release of what was kept for the registrations that they
// displace.

extension Registry {
  /// Stores a registration, unless `keep` returns true for the one that has its key.
  ///
  /// - Returns: Whether the registration has its key now, and the one that it replaces.
  @discardableResult
  func set(
    _ registration: Registration, mayBeNew: Bool = true,
    unless keep: (Registration) -> Bool = { _ in false }
  ) -> (isStored: Bool, displaced: Registration?) {
    let (isStored, dropped) = exchange(registration, mayBeNew: mayBeNew, unless: keep)
    if dropped.displaced == nil, dropped.beside.isEmpty { return (isStored, nil) }
    // Releasing them, and what was kept for them, may run user code: no lock is held here.
    if let displaced = dropped.displaced {
      displaced.retire(unlessKeptBy: registration)
    }
    for other in dropped.beside { other.retire(unlessKeptBy: registration) }
    SharedKeepers.release(dropped.all, replacedBy: [registration.id])
    return (isStored, dropped.displaced)
  }

  /// Stores a changed form of a registration, unless its key has another registration than
  /// `present`.
  func replace(_ present: Registration?, with changed: Registration) -> Bool {
    set(changed, unless: { $0 !== present }).isStored
  }

  /// Takes a part of what stands under a key away.
  func remove(_ key: ServiceKey, _ part: Registration.Part) {
    guard let gone = take(key, part) else { return }
    gone.retire(unlessKeptBy: nil)
    SharedKeepers.release([gone])
  }

  func removeAll() { replaceAll(with: []) }

  func replaceAll(with registrations: [Registration]) {
    let gone = exchangeAll(with: registrations)
    let kept = Set(registrations.compactMap { $0.keeper.map { ObjectIdentifier($0) } })
    for old in gone {
      guard let keeper = old.keeper, !kept.contains(ObjectIdentifier(keeper)) else { continue }
      old.retire(unlessKeptBy: nil)
    }
    // What was present before and still is keeps the instance of its site.
    let old = Set(gone.map(\.id))
    let restored = Set(registrations.map(\.id))
    SharedKeepers.release(
      gone.filter { !restored.contains($0.id) }, replacedBy: restored.subtracting(old))
  }
}

extension Registration {
  /// Drops the instance that is kept for the registration, which was displaced.
  ///
  /// Instances that its changed form continues to keep stay, as does a singleton by key path, which
  /// belongs to the process.
  fileprivate func retire(unlessKeptBy new: Registration?) {
    guard let keeper else { return }
    // A wrapped registration is still in use.
    if let new, new.keeper === keeper || new.isOrDecorates(id) { return }
    if key.property != nil, scope === Scope.singleton { return }
    keeper.retire()
  }
}
