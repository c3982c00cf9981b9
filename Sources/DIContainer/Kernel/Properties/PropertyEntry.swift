// A container has one entry for each of its properties, under the property's key in its registry;
// a sandbox's view has another one, for what was changed there. An entry is stored as one
// registration, so that requests find all of it at once and changes exchange it as a whole.

/// The state of a property in one container.
struct PropertyEntry {
  /// What was registered for the property, or a removal marker.
  var registered: Registration?
  /// The property's own declaration, made at its first use, which keeps the instances of the
  /// declared factory.
  ///
  /// That factory is not stored, for it would hold the container: each request brings it along.
  var declared: Registration?
  /// The settings that were made outside the declaration.
  var settings: StoredSettings?

  enum Part {
    case registered, declared, settings
  }

  init(_ stored: Registration? = nil) {
    if let stored { readThrough(to: stored) }
  }

  /// Adds the parts of an entry further out that this one lacks.
  mutating func readThrough(to stored: Registration) {
    registered = registered ?? stored.part(.registered)
    declared = declared ?? stored.part(.declared)
    settings = settings ?? stored.settings
  }

  /// Takes over the parts in which an entry differs from another one; returns whether any does.
  mutating func take(_ new: PropertyEntry, over old: PropertyEntry) -> Bool {
    let before = self
    if new.registered !== old.registered { registered = new.registered }
    if new.declared !== old.declared { declared = new.declared }
    if new.settings !== old.settings { settings = new.settings }
    return registered !== before.registered || declared !== before.declared
      || settings !== before.settings
  }

  /// Returns the form that registries store: the registration or else the declaration, with the
  /// rest as its details.
  func stored(for key: ServiceKey) -> Registration {
    let first = registered ?? declared ?? .holdingSettings(of: key)
    let present = PropertyEntry(first)
    if present.settings === settings, registered == nil || present.declared === declared {
      return first
    }
    return first.otherForm {
      var details = $0.entry ?? PropertyEntry.Details()
      details.settings = settings
      details.declared = registered == nil ? nil : declared
      $0.entry = details
    }
  }
}

extension PropertyEntry {
  /// The part of the stored form that other registrations do not have.
  struct Details {
    /// The settings made outside the declaration.
    var settings: StoredSettings?
    /// The declaration, beside what was registered.
    var declared: Registration?
    /// A decorator that was set together with a registration, and applies to its instances only.
    var decorator: InstanceObserver?
    var takesParameter = false
    /// Whether its scope is the container's default.
    var usesDefaultScope = false
    /// Whether `reset(.context)` also resets the declaration's own contexts.
    var isOnce = false

    /// Whether only the general path heeds them.
    ///
    /// A registration takes over a scope that was set; the declaration, which a sandbox may share,
    /// does so at the next request.
    func needGeneralPath(_ kind: Registration.Kind) -> Bool {
      decorator != nil || settings.map { kind == .declared || !$0.isOnlyScope } ?? false
    }
  }
}

extension Registration {
  var settings: StoredSettings? { options.entry?.settings }

  /// Returns the registration that is, or holds, a part of the entry; nil if the entry lacks it.
  ///
  /// For a key that is no property's, it is the registration itself.
  func part(_ part: PropertyEntry.Part) -> Registration? {
    switch part {
    case .registered: options.kind == .registered ? self : nil
    case .declared: options.kind == .declared ? self : options.entry?.declared
    case .settings: settings == nil ? nil : self
    }
  }

  fileprivate static func holdingSettings(of key: ServiceKey) -> Registration {
    var options = Options()
    options.kind = .settings
    return Registration(
      key: key, scope: .unique, location: key.property!.location, maker: .nothing,
      options: options)
  }

  /// Returns another form of it, for which the same instances are kept.
  func otherForm(_ change: (inout Options) -> Void) -> Registration {
    var options = options
    change(&options)
    return Registration(
      id: id, key: key, scope: scope, location: location, maker: maker, keeper: keeper,
      options: options)
  }
}

extension ContainerCore {
  /// Returns the container's own entry for a property, as a context sees it.
  func entry(for key: ServiceKey, _ frame: ContextFrame?) -> PropertyEntry {
    var entry = PropertyEntry()
    let rawKey = key.rawKey
    forEachRegistry(frame) { registry, _ in
      if let stored = registry.find(rawKey) { entry.readThrough(to: stored) }
      return true
    }
    return entry
  }

  /// Changes the entry for a property in the current view, and releases what the view kept for what
  /// is replaced; returns the former entry, or nil if it stays the same.
  ///
  /// Another thread may change the entry at the same time: then the change is made again.
  ///
  /// - Parameters:
  ///   - key: The property's key.
  ///   - target: The container, or the sandbox's view of it.
  ///   - store: Stores a registration, and releases what was kept for the replaced one; returns
  ///     false if its place no longer has `present`.
  ///   - change: Changes the entry, as the context sees it.
  /// - Returns: The former entry.
  @discardableResult
  func changeEntry(
    for key: ServiceKey, _ target: RegistrationTarget,
    storing store: ((_ present: Registration?, _ changed: Registration) -> Bool)? = nil,
    _ change: (inout PropertyEntry) -> Void
  ) -> PropertyEntry? {
    while true {
      // First, so that what is found next is not older.
      let present = target.registry.find(key.rawKey)
      let (old, here) = (entry(for: key, target.frame), PropertyEntry(present))
      var (new, changed) = (old, here)
      change(&new)
      guard changed.take(new, over: old) else { return nil }
      let stored = changed.stored(for: key)
      SharedKeepers.note(stored, in: self)
      guard store?(present, stored) ?? target.registry.replace(present, with: stored) else {
        continue
      }
      SharedKeepers.note(stored, in: self)
      target.forget(old.declared, here.declared, replacedBy: new.declared)
      if store == nil { target.forget(old.registered, here.registered, replacedBy: new.registered) }
      return old
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
