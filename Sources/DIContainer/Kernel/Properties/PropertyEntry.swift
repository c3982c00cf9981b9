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

  /// Replaces the parts that differ between two entries; returns whether any does.
  mutating func change(_ old: PropertyEntry, to new: PropertyEntry) -> Bool {
    func differs<Part: AnyObject>(_ part: KeyPath<PropertyEntry, Part?>) -> Bool {
      old[keyPath: part] !== new[keyPath: part]
    }
    if differs(\.registered) { registered = new.registered }
    if differs(\.declared) { declared = new.declared }
    if differs(\.settings) { settings = new.settings }
    return differs(\.registered) || differs(\.declared) || differs(\.settings)
  }

  /// Returns the form that registries store: the registration or else the declaration, with the
  /// rest as its details.
  func stored(for key: ServiceKey) -> Registration {
    let first = registered ?? declared ?? .holdingSettings(of: key)
    return first.otherForm {
      var details = $0.property ?? PropertyDetails()
      details.settings = settings
      details.declared = registered == nil ? nil : declared
      $0.property = details
    }
  }
}

extension Registration {
  var settings: StoredSettings? { options.property?.settings }

  /// Returns the registration that is, or holds, a part of the entry; nil if the entry lacks it.
  ///
  /// For a key that is no property's, it is the registration itself.
  func part(_ part: PropertyEntry.Part) -> Registration? {
    switch part {
    case .registered: options.kind == .registered ? self : nil
    case .declared: options.kind == .declared ? self : options.property?.declared
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
  /// is replaced.
  func changeEntry(
    for key: ServiceKey, _ target: RegistrationTarget, _ change: (inout PropertyEntry) -> Void
  ) {
    let exchange = exchangeEntry(for: key, target, storing: target.registry.replace) { entry, _ in
      change(&entry)
    }
    guard let exchange else { return }
    exchange.forget(\.registered, target)
    exchange.forget(\.declared, target)
  }

  /// Exchanges the entry for a property in the current view; returns nil if it stays the same.
  ///
  /// Another thread may change the entry at the same time: then the change is made again.
  ///
  /// - Parameters:
  ///   - store: Stores an entry, unless its place no longer has `present`.
  ///   - change: Changes the entry as the context sees it; `here` is the part in the view.
  func exchangeEntry(
    for key: ServiceKey, _ target: RegistrationTarget,
    storing store: (_ present: Registration?, _ changed: Registration) -> Bool,
    _ change: (_ entry: inout PropertyEntry, _ here: PropertyEntry) -> Void
  ) -> PropertyEntry.Exchange? {
    while true {
      // First, so that what is found next is not older.
      let present = target.registry.find(key.rawKey)
      let here = PropertyEntry(present)
      let old = entry(for: key, target.frame)
      var new = old
      change(&new, here)
      var changed = here
      guard changed.change(old, to: new) else { return nil }
      let parts = [changed.registered, changed.declared].compactMap { $0 }
      for part in parts { SharedKeepers.note(part, in: self) }
      guard store(present, changed.stored(for: key)) else { continue }
      for part in parts { SharedKeepers.note(part, in: self) }
      return PropertyEntry.Exchange(old: old, here: here, new: new)
    }
  }
}

extension PropertyEntry {
  /// A change of an entry: as the context sees it, and the part that the current view had.
  struct Exchange {
    let old: PropertyEntry
    fileprivate let here: PropertyEntry
    let new: PropertyEntry

    /// Releases what the view kept for a part that was replaced.
    func forget(_ part: KeyPath<PropertyEntry, Registration?>, _ target: RegistrationTarget) {
      let (old, new) = (old[keyPath: part], new[keyPath: part])
      // A singleton survives the reset of its registration.
      guard let frame = target.frame, let old, old !== new, old.scope !== Scope.singleton,
        old.keeper !== new?.keeper || old.isOfSite
      else { return }
      let isDropped = old === here[keyPath: part]
      target.forget(
        isDropped ? old : nil, isDropped ? [] : [old], in: frame, replacedBy: new?.id)
    }
  }
}
