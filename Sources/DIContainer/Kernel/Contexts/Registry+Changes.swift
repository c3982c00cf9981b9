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
    // Last, when those that it replaces have let go of their site's keeper.
    defer { registration.holdSites() }
    if dropped.displaced == nil, dropped.beside.isEmpty { return (isStored, nil) }
    // Releasing them, and what was kept for them, may run user code: no lock is held here.
    if let displaced = dropped.displaced {
      displaced.retire(unlessKeptBy: registration, isStillBeside: dropped.isStillBeside)
    }
    for other in dropped.beside { other.retire(unlessKeptBy: registration) }
    return (isStored, dropped.displaced)
  }

  /// Takes a part of what stands under a key away.
  func remove(_ key: ServiceKey, _ part: Registration.Part) {
    guard let gone = take(key, part) else { return }
    gone.retire(unlessKeptBy: nil)
  }

  func removeAll() { replaceAll(with: []) }

  func replaceAll(with registrations: [Registration]) {
    let gone = exchangeAll(with: registrations)
    let kept = Set(registrations.flatMap(\.atItsPlace).compactMap(\.keeperIdentity))
    for old in gone { old.retire(unlessKeptBy: nil, except: kept) }
    for registration in registrations { registration.holdSites() }
  }
}

extension Registration {
  /// Drops the instance that is kept for the registration, which was displaced.
  ///
  /// Instances that its changed form continues to keep stay, as does a singleton by key path, which
  /// belongs to the process.
  fileprivate func retire(
    unlessKeptBy new: Registration?, except kept: Set<ObjectIdentifier> = [],
    isStillBeside: Bool = false
  ) {
    guard keeperIdentity != nil || isDecoration || options.rare.earlier != nil else { return }
    // A wrapped registration is still in use.
    if let new, new.isOrDecorates(id) { return }
    if let new, keeperIdentity != nil, new.keeperIdentity == keeperIdentity { return }
    for registration in atItsPlace {
      if let identity = registration.keeperIdentity, kept.contains(identity) { continue }
      if !isStillBeside { registration.ofSite?.letGo() }
      if registration.key.property != nil, registration.scope === Scope.singleton { continue }
      registration.ownKeeper?.retire()
    }
  }

  /// The registrations that go with it: itself, those that aliases tell apart from it, and what all
  /// of these wrapped.
  fileprivate var atItsPlace: [Registration] { ([self] + earlier).flatMap(\.withDisplaced) }

  /// The identity of the keeper of its instances, by which its forms are told apart.
  fileprivate var keeperIdentity: ObjectIdentifier? {
    ownKeeper.map { ObjectIdentifier($0) } ?? ofSite.map { ObjectIdentifier($0) }
  }
}
