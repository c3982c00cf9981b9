internal import DIPrimitives

// What serves a request for a property, as a context sees it.

extension Declaration {
  /// Whether a layer may have registered a double for the property of its container's type.
  private var mayBeQualified: Bool { di_holds(di_qualified_keys_are_used) }

  /// Whether it is a `Container` that the root reaches.
  func isReached(_ frame: ContextFrame?) -> Bool {
    guard core.containerType == Resolver.self else { return false }
    return frame?.rootReaches(core)
      ?? Resolver.processRoot.core.searched(nil).contains { $0 === core }
  }

  /// Returns what was registered for the property in the containers that a request reaches, or in a
  /// layer for the container's type, unless it is a `Container` that the root reaches.
  ///
  /// The container's own registration wins over the layer's if it is a later double.
  func registered(_ frame: ContextFrame?) -> Found? {
    let own = Lookup.find(key, in: core, frame)
    // What the root reaches is named by its own key.
    guard mayBeQualified, !isReached(frame) else { return own }
    let root = frame?.rootCore ?? Resolver.processRoot.core
    return Found.merged(own, Lookup.find(qualifiedKey, in: root, frame))
  }

  /// Returns the contexts set outside the declaration in the containers that a request reaches.
  func outerContexts(_ frame: ContextFrame?) -> [ContextFactory] {
    guard property.hadContexts.isSet else { return [] }
    var contexts: [ContextFactory] = []
    var owners: Set<ObjectIdentifier> = []
    for (registration, owner) in Lookup.places(key, .contexts, in: core, frame)
    // Those that a sandbox has of a container include the container's own.
    where owners.insert(ObjectIdentifier(owner)).inserted {
      contexts = contexts.over(registration.options.rare.contexts)
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
  /// It belongs to the container. Where a sandbox hides that, or has the property in another scope,
  /// it has one of its own.
  func implicitRegistration(_ frame: ContextFrame?) -> Registration {
    let (key, scope) = (key, scope(frame))
    let own = core.own(key, frame, .declaration)
    if let own, !own.isRemoval, own.scope === scope { return own }
    let isOfSandbox = own != nil || core.isMasked(frame) || scope !== self.scope(nil)
    let sandbox = isOfSandbox ? frame?.sandbox : nil
    let registry = sandbox?.makeRegistry(over: core) ?? core.registry
    var options = Registration.Options()
    options.part = .declaration
    let made = registration(.nothing, scope, key, property.location, options)
    // Another thread may be faster.
    registry.set(made, unless: { !$0.isRemoval && $0.scope === scope })
    return registry.find(key, .declaration) ?? made
  }
}

extension Found {
  /// Returns the container's own registration, and what it wraps, with those of a layer.
  fileprivate static func merged(_ own: Found?, _ layers: Found?) -> Found? {
    guard let own, let layers else { return own ?? layers }
    if own.isDouble, own.registration.id > layers.registration.id {
      return own.decoration == nil ? own : own.with(nil, over: merged(own.next, layers))
    }
    return layers.decoration == nil ? layers : layers.with(nil, over: merged(own, layers.next))
  }

  func with(_ modifiers: Modifiers?, over next: Found? = nil) -> Found {
    Found(
      registration: registration, owner: owner, isDouble: isDouble, modifiers: modifiers,
      next: next)
  }
}
