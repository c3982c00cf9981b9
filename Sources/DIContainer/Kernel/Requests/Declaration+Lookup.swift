internal import DIPrimitives

// The parts of the entries for a property that serve a request, as a context sees them.

extension Declaration {
  /// Returns what was registered for the property, and the contexts set outside the declaration, as
  /// they apply to a request.
  ///
  /// `own`: the container's own entry, which is all that most containers have.
  func applying(
    _ own: PropertyEntry, _ frame: ContextFrame?, below: UInt64?
  ) -> (registered: Found?, contexts: [ContextFactory]) {
    guard below == nil, core.isSearchedAlone(frame), !mayBeQualified else {
      return (registered(frame, below: below), outerContexts(frame))
    }
    let registered = own.registered.flatMap {
      $0.isRemoval || frame.leavesOut($0) ? nil : frame.found($0, core)
    }
    return (registered, own.contexts?.all ?? [])
  }

  /// Whether a layer may have registered a double for the property of its container's type.
  private var mayBeQualified: Bool { di_qualified_keys_are_used() }

  /// Whether it is a `Container` that the root reaches.
  func isReached(_ frame: ContextFrame?) -> Bool {
    guard core.settings.containerType == Resolver.self else { return false }
    return frame?.rootReaches(core)
      ?? Resolver.processRoot.core.searched(nil).contains { $0 === core }
  }

  /// Returns what was registered for the property in the containers that a request reaches, or in a
  /// layer for the container's type, unless it is a `Container` that the root reaches.
  ///
  /// The container's own registration wins over the layer's if it is a later double.
  func registered(_ frame: ContextFrame?, below: UInt64?) -> Found? {
    let key = key
    // What the root reaches is named by its own key.
    let qualified = mayBeQualified && !isReached(frame) ? qualifiedKey : nil
    var root: ContainerCore { frame?.rootCore ?? Resolver.processRoot.core }
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

  /// Returns the contexts set outside the declaration in the containers that a request reaches.
  private func outerContexts(_ frame: ContextFrame?) -> [ContextFactory] {
    let key = key
    var contexts: [ContextFactory] = []
    var owners: Set<ObjectIdentifier> = []
    var next = Lookup.find(key, .contexts, in: core, frame)
    while let found = next {
      // Those that a sandbox has of a container include the container's own.
      if owners.insert(ObjectIdentifier(found.owner)).inserted {
        contexts = contexts.over(found.registration.contexts?.all ?? [])
      }
      next = Lookup.find(key, .contexts, in: core, frame, below: found.registration.id)
    }
    return contexts
  }

  /// Returns the scope of instances that the declaration makes.
  ///
  /// `core`: the container whose default counts, unless it is the declaration's.
  func scope(_ frame: ContextFrame?, in core: ContainerCore? = nil) -> Scope {
    declaredScope ?? ((core ?? self.core).setting(\.defaultScope, frame) ?? nil) ?? .unique
  }

  /// Returns the registration that stands for the declaration, made at its first use.
  ///
  /// It belongs to the container. Where a sandbox has the property in another scope, it has one
  /// of its own.
  ///
  /// `known`: the one that the container's own entry has.
  func implicitRegistration(_ frame: ContextFrame?, known: Registration? = nil) -> Registration {
    var known = known
    while true {
      let scope = scope(frame)
      let own = known ?? core.entry(for: key, frame).implicit
      known = nil
      if let own, own.scope === scope, frame != nil || own.options.declaredScope != nil {
        return own
      }
      let isOfContainer =
        own == nil && !core.isMasked(frame)
        && scope === self.scope(nil)
      let sandbox = isOfContainer ? nil : frame?.sandbox
      let registry = sandbox?.makeRegistry(over: core) ?? core.registry
      let present = registry.find(key)
      var entry = PropertyEntry(present)
      // Another thread was faster.
      if entry.implicit != nil, entry.implicit !== own { continue }
      let made =
        own?.scope === scope
        ? own!.otherForm { $0.declaredScope = marks.scope } : declaring(scope)
      entry.implicit = made
      let stored = entry.stored(for: key)
      SharedKeepers.note(made, in: core)
      guard registry.replace(present, with: stored) else { continue }
      SharedKeepers.note(made, in: core)
      if self.scope(frame) === scope { return made }
    }
  }

  private func declaring(_ scope: Scope) -> Registration {
    var options = Registration.Options()
    options.part = .implicit
    options.declaredScope = marks.scope
    return registration(Maker.nothing, scope, key, property.location, options)
  }
}

extension Found {
  /// Returns what a property's decoration wraps.
  fileprivate func wrapped(_ key: ServiceKey, in core: ContainerCore, _ frame: ContextFrame?)
    -> Found?
  {
    if case .registration(let displaced) = registration.maker.decorates {
      return Found(registration: displaced, owner: owner, isDouble: isDouble)
    }
    return Lookup.find(key, in: core, frame, below: registration.id)
  }
}
