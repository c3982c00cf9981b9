// The entries of a container for a property, as a context sees them: what was registered for it,
// the settings made outside the declaration, and the declaration's own, made at its first use.

extension Declaration {
  /// Returns what was registered for the property in the containers that a request reaches, or in a
  /// layer for the container's type.
  ///
  /// The container's own registration wins over the layer's if it is a later double.
  func registered(_ frame: ContextFrame?, below: UInt64?) -> Found? {
    guard property.uses.contains(.registration) || QualifiedKeys.areUsed.isSet else { return nil }
    let key = key.rawKey
    guard QualifiedKeys.areUsed.isSet, core.settings.containerType != Resolver.self else {
      guard below != nil else { return Lookup.find(key, in: core, frame) }
      return registered(frame, key, in: core, nil, in: core, below: below)
    }
    let root = frame?.rootCore ?? Resolver.processRoot.core
    return registered(frame, key, in: core, qualifiedKey.rawKey, in: root, below: below)
  }

  private func registered(
    _ frame: ContextFrame?, _ key: RawKey, in core: ContainerCore, _ qualified: RawKey?,
    in root: ContainerCore, below: UInt64?
  ) -> Found? {
    var own = Lookup.find(key, in: core, frame)
    var other = qualified.flatMap { Lookup.find($0, in: root, frame) }
    var below = below
    while true {
      let isOwn: Bool =
        if let other {
          own.map { $0.isDouble && $0.registration.id > other.registration.id } ?? false
        } else { true }
      guard let next = isOwn ? own : other else { return nil }
      guard let id = below else { return next }
      if next.registration.id == id { below = nil }
      if isOwn {
        own = next.wrapped(key, in: core, frame)
      } else {
        other = next.wrapped(qualified!, in: root, frame)
      }
    }
  }

  /// Returns the settings made outside the declaration that apply in a context, if there are any.
  func outside(_ frame: ContextFrame?) -> StoredSettings? {
    guard property.uses.contains(.settings) else { return nil }
    return Lookup.find(key.rawKey(.settings), in: core, frame)?.registration
      .options.property?.settings
  }

  /// Returns the scope of instances that the declaration makes.
  func scope(_ outside: StoredSettings?, _ frame: ContextFrame?) -> Scope {
    outside?.value.scope ?? declaredScope ?? (core.setting(\.defaultScope, frame) ?? nil) ?? .unique
  }

  /// Returns the entry for the declaration, made at its first use.
  ///
  /// It belongs to the container. Where a sandbox has the property in another scope, it has an
  /// entry of its own.
  func entry(_ outside: StoredSettings?, _ frame: ContextFrame?) -> Registration {
    let key = self.key.rawKey(.declaration)
    while true {
      let scope = scope(outside, frame)
      let own = core.own(key, frame)
      if let own, own.scope === scope { return own }
      let isOfContainer =
        own == nil && core.registries(frame).last === core.registry
        && scope === self.scope(self.outside(nil), nil)
      let sandbox = isOfContainer ? nil : frame?.sandbox
      let registry = sandbox?.makeRegistry(over: core) ?? core.registry
      let present = registry.find(key)
      // Another thread was faster.
      if present != nil, present !== own { continue }
      var options = Registration.Options()
      options.entry = .declaration
      options.declaredScope = marks.scope
      let made = registration(
        Maker.nothing, scope, self.key, property.location, options, outside: outside)
      SharedKeepers.note(made, in: core)
      guard registry.replace(present, with: made) else { continue }
      SharedKeepers.note(made, in: core)
      if self.scope(outside, frame) === scope { return made }
    }
  }
}

extension Found {
  /// Returns what a property's decoration wraps.
  fileprivate func wrapped(_ key: RawKey, in core: ContainerCore, _ frame: ContextFrame?) -> Found?
  {
    if case .registration(let displaced) = registration.maker.decorates {
      return Found(registration: displaced, owner: owner, isDouble: isDouble)
    }
    return Lookup.find(key, in: core, frame, below: registration.id)
  }
}

/// The flag that any layer has registered a double for a property of another container type.
enum QualifiedKeys {
  static let areUsed = Atomic()
}
