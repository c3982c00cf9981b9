internal import DIPrimitives

// What serves a request for a property, as a context sees it.

extension Declaration {
  /// Whether a layer may have registered a double for the property of its container's type.
  private var mayBeQualified: Bool { di_qualified_keys_are_used() }

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
  func outerContexts(_ frame: ContextFrame?) -> [ContextFactory] {
    guard property.hadContexts.isSet else { return [] }
    let key = key
    var contexts: [ContextFactory] = []
    var owners: Set<ObjectIdentifier> = []
    var next = Lookup.find(key, .contexts, in: core, frame)
    while let found = next {
      // Those that a sandbox has of a container include the container's own.
      if owners.insert(ObjectIdentifier(found.owner)).inserted {
        contexts = contexts.over(found.registration.options.rare.contexts)
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
