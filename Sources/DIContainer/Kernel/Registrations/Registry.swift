internal import DIPrimitives

/// The registrations of one container, or of one sandbox's view of it, by key.
///
/// Copies share the registrations.
package struct Registry: Sendable {
  fileprivate struct State {
    var byKey = RegistrationsByKey()
    /// For properties, by key: those that stand for the declaration.
    var declarations: [ServiceKey: Registration] = [:]
    /// For properties, by key: those that hold the contexts set outside the declaration.
    var contexts: [ServiceKey: Registration] = [:]
    /// Registrations that share a key with one of these, which only `many` looks for.
    ///
    /// They are those that `implements` displaced, and displaced aliases.
    var beside: [Registration] = []

    var all: [Registration] {
      byKey.all + beside + declarations.values + contexts.values
    }

    subscript(key: ServiceKey, part: Registration.Part) -> Registration? {
      get {
        switch part {
        case .registered: byKey[key]
        case .declaration: declarations[key]
        case .contexts: contexts[key]
        }
      }
      set {
        switch part {
        case .registered: byKey[key] = newValue
        case .declaration: declarations[key] = newValue
        case .contexts: contexts[key] = newValue
        }
      }
    }
  }

  private let state = Lock(State())

  package init() {}

  /// Returns the registration for a key, or a removal marker.
  @inline(__always)
  func find(_ key: ServiceKey) -> Registration? { state.withLock { $0.byKey[key] } }

  /// Returns what stands under a key, or a removal marker: for properties, one of three parts.
  func find(_ key: ServiceKey, _ part: Registration.Part) -> Registration? {
    state.withLock { $0[key, part] }
  }

  /// Returns what serves requests for a property in its container: what was registered, or else the
  /// registration that stands for the declaration; nil if contexts were set outside that.
  func findUnlessContexts(_ key: ServiceKey) -> Registration? {
    state.withLock { state in
      state.contexts[key] == nil ? state.byKey[key] ?? state.declarations[key] : nil
    }
  }

  /// Returns the registration of a service; nil if there is none, or it was removed.
  package func registration(of key: ServiceKey) -> Registration? {
    find(key).flatMap { $0.registersService ? $0 : nil }
  }

  /// Whether a registration satisfies a predicate of the kernel.
  func contains(where predicate: (Registration) -> Bool) -> Bool {
    state.withLock { $0.byKey.contains(where: predicate) }
  }

  /// Returns what stands first under each key, including removal markers, in the order made.
  package func foremost() -> [Registration] {
    state.withLock { $0.byKey.all }.sorted { $0.id < $1.id }
  }

  /// Returns the registrations that satisfy a predicate, including those that share a key and the
  /// parts of properties, in the order made.
  func everything(where counts: (Registration) -> Bool = { _ in true }) -> [Registration] {
    state.withLock { $0.all }.filter(counts).sorted { $0.id < $1.id }
  }
}

/// Registrations by their keys: a list of few, as a sandbox has, or a dictionary of many.
///
/// To make a dictionary for one, hash its key three times and release it takes longer than all
/// else that a sandbox does for it.
private struct RegistrationsByKey {
  private var few: [Registration] = []
  private var many: [ServiceKey: Registration] = [:]

  var all: [Registration] { many.isEmpty ? few : Array(many.values) }

  subscript(key: ServiceKey) -> Registration? {
    get { many.isEmpty ? index(of: key).map { few[$0] } : many[key] }
    set {
      if few.count == 8, newValue != nil, index(of: key) == nil {
        for registration in few { many[registration.key] = registration }
        few = []
      }
      if !many.isEmpty {
        many[key] = newValue
      } else if let index = index(of: key) {
        if let newValue { few[index] = newValue } else { few.remove(at: index) }
      } else if let newValue {
        few.append(newValue)
      }
    }
  }

  func contains(where predicate: (Registration) -> Bool) -> Bool {
    few.contains(where: predicate) || many.values.contains(where: predicate)
  }

  private func index(of key: ServiceKey) -> Int? { few.firstIndex { $0.key == key } }
}

// MARK: - Changes, without what follows from them

extension Registry {
  /// Registrations that are no longer used; whoever receives them releases them.
  struct Dropped {
    /// The registration that had the key.
    var displaced: Registration?
    /// Whether that one is still there, beside the new one.
    var isStillBeside = false
    /// The registrations beside it, which are rare; an array of all would cost 800 instructions.
    var beside: [Registration] = []
  }
}

extension Registry.State {
  /// Stores a registration if that `isDue`, given what has its key; otherwise only an earlier form
  /// of it beside that is replaced.
  ///
  /// Registering a key again replaces its registration; implementing a protocol adds to the
  /// registrations that already implement it.
  mutating func store(
    _ registration: Registration, if isDue: (Registration?) -> Bool = { _ in true }
  ) -> (isStored: Bool, dropped: Registry.Dropped) {
    let part = registration.options.part
    let displaced = self[registration.key, part]
    if !isDue(displaced) {
      return (false, Registry.Dropped(displaced: change(beside: registration)))
    }
    self[registration.key, part] = registration
    // A decoration holds what it wraps, and leaves the registrations beside it alone.
    if registration.isDecoration || part != .registered {
      return (true, Registry.Dropped(displaced: displaced))
    }
    var dropped = Registry.Dropped(displaced: displaced, beside: removeBeside(registration))
    if let displaced, !registration.isRemoval, !displaced.isRemoval,
      displaced.innermost.aliasTarget != registration.aliasTarget
    {
      beside.append(displaced)
      dropped.isStillBeside = true
    }
    return (true, dropped)
  }

  /// Removes what a registration replaces beside the one that has its key.
  private mutating func removeBeside(_ registration: Registration) -> [Registration] {
    if beside.isEmpty { return [] }
    let isReplaced = { (other: Registration) in
      other.key == registration.key
        && (registration.isRemoval || other.innermost.aliasTarget == registration.aliasTarget)
    }
    defer { beside.removeAll(where: isReplaced) }
    return beside.filter(isReplaced)
  }

  /// Replaces a registration beside the one that has its key with a changed form of it; returns the
  /// earlier one.
  private mutating func change(beside registration: Registration) -> Registration? {
    guard let index = beside.firstIndex(where: { $0.id == registration.id }) else { return nil }
    defer { beside[index] = registration }
    return beside[index]
  }
}

// MARK: - Changes, with the release of what was kept for what they displace

extension Registry {
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      // Whoever sees the change sees the generation, too.
      defer { di_begin_generation() }
      return body(&state)
    }
  }

  /// Stores a registration, if that `isDue`: it is given what has the key, under the lock.
  ///
  /// - Returns: Whether the registration has its key now, and the one that it replaces.
  @discardableResult
  func set(
    _ registration: Registration, if isDue: (Registration?) -> Bool = { _ in true }
  ) -> (isStored: Bool, displaced: Registration?) {
    let (isStored, dropped) = change { $0.store(registration, if: isDue) }
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
    let gone = change { exchange(&$0[key, part], with: nil) }
    gone?.retire(unlessKeptBy: nil)
  }

  func removeAll() { replaceAll(with: []) }

  func replaceAll(with registrations: [Registration]) {
    var new = State()
    for registration in registrations { _ = new.store(registration) }
    let gone = change { exchange(&$0, with: new) }.all
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
  var atItsPlace: [Registration] { ([self] + earlier).flatMap(\.withWrapped) }

  /// The identity of the keeper of its instances, by which its forms are told apart.
  fileprivate var keeperIdentity: ObjectIdentifier? {
    ownKeeper.map { ObjectIdentifier($0) } ?? ofSite.map { ObjectIdentifier($0) }
  }
}
