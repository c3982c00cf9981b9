// A double for a property that wraps the instance that the property has without it. As by type
// (Decoration.swift), it replaces the registration that it wraps or lies above it, and the
// decorated instance is kept as long as the wrapped one. The search ends at the property's
// declaration, which always exists.

/// A decoration of the instance that a property has without it.
final class FactoryDecoration<T> {
  let transform: (T) throws -> T
  let location: CodeLocation
  /// The registration that it wraps; a declaration that it replaced represents whatever is found
  /// below.
  let wrapped: Home.Decorated
  let wrappings: Wrappings
  private let standIn = Lock<Registration?>(nil)

  init(
    over wrapped: Home.Decorated, _ location: CodeLocation, wrappings: Wrappings = Wrappings(),
    _ transform: @escaping (T) throws -> T
  ) {
    self.wrapped = wrapped
    self.wrappings = wrappings
    self.location = location
    self.transform = transform
  }

  /// Returns a copy over a copy of the registration that it replaced.
  func copy(_ frame: ContextFrame?) -> FactoryDecoration {
    func copy(_ registration: Registration) -> Registration? {
      registration.options.factory?.copy(registration, frame)
    }
    var wrapped = wrapped
    if case .registration(let displaced) = wrapped, let own = copy(displaced) {
      wrapped = .registration(own)
    }
    let decoration = FactoryDecoration(
      over: wrapped, location, wrappings: Wrappings(copyOf: wrappings), transform)
    let own = standIn.withLock { $0 }.flatMap(copy)
    decoration.standIn.withLock { $0 = own }
    return decoration
  }

  /// Returns the registration that represents the declaration, which this replaced in the table.
  func standIn(_ scope: Scope, make: () -> Registration) -> Registration {
    if case .registration(let own) = wrapped, own.options.isDeclaration, own.scope === scope {
      return own
    }
    let made = make()
    return standIn.withLock { present in
      if let present, present.scope === scope { return present }
      present = made
      return made
    }
  }

  /// Forgets the instances kept for it and for what it replaced, in a context or outside all
  /// contexts.
  func forget(_ frame: ContextFrame?) {
    wrappings.leaveOrigin()
    for own in wrappings.all { own.options.factory?.forgetOwn(own, frame) }
    var below = [standIn.withLock { $0 }]
    if case .registration(let displaced) = wrapped { below.append(displaced) }
    for registration in below.compactMap(\.self) {
      registration.options.factory?.forget(registration, frame)
    }
  }
}

extension Resolver {
  /// Registers a decoration that applies `transform` to a property's instance.
  ///
  /// It applies to this container if it is of the type, otherwise to all containers of the type.
  package func decorate<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, at location: CodeLocation,
    _ transform: @escaping (Declared.T) throws -> Declared.T
  ) {
    if let own = self as? C {
      own[keyPath: keyPath].registration.decorate(at: location, transform)
    } else {
      C.shared[keyPath: keyPath].registration.decorate(in: self, at: location, transform)
    }
  }
}

extension FactoryRegistration {
  /// Registers a decoration that applies `transform` to the instance that there is without it.
  package func decorate(at location: CodeLocation, _ transform: @escaping (T) throws -> T) {
    decorate(key, in: core, at: location, transform) { own, decoration in
      var settings = own.map { record($0).settings } ?? FactorySettings()
      if settings.decoratorIsOfRegistration { settings.decorator = nil }
      return record(settings, .decoration(decoration))
    }
  }

  fileprivate func decorate(
    in layer: Resolver, at location: CodeLocation, _ transform: @escaping (T) throws -> T
  ) {
    QualifiedKeys.areUsed.set(true)
    decorate(RawKey(qualifiedKey), in: layer.core, at: location, transform) { _, decoration in
      qualifiedRecord(.decoration(decoration))
    }
  }

  private func decorate(
    _ key: RawKey, in core: ContainerCore, at location: CodeLocation,
    _ transform: @escaping (T) throws -> T,
    record: (Registration?, FactoryDecoration<T>) -> FactoryRecord<P, T>
  ) {
    let frame = ContextFrame.current
    // A registration made meanwhile is to be wrapped, too.
    while true {
      let target = RegistrationTarget.current(for: core)
      let present = target.registry.find(key)
      let own = core.own(key, frame)
      let id = Registration.nextID()
      // The declaration's entry is wrapped as well, even if it is further out.
      let wrapped = present ?? own.flatMap { $0.options.isDeclaration ? $0 : nil }
      let decoration = FactoryDecoration(
        over: wrapped.map { .registration($0) } ?? .search(below: id, removal: nil), location,
        transform)
      let record = record(own, decoration)
      let made = record.registration(
        id: id, scope: scope(record.settings, frame), location: location,
        options: target.options())
      let declared =
        core === self.core ? nil : DeclaredService(key: serviceKey, core: self.core)
      guard target.store(made, over: present, for: declared) else { continue }
      target.tell(of: made)
      return
    }
  }

  /// A position in the search for a registration: the top, or below decorations.
  struct Depth {
    /// The registration that the container reaches there.
    fileprivate var own: Found?
    /// The registration that a layer has for the container's type there.
    fileprivate var qualified: Found?
    /// The last decoration above, if any.
    fileprivate(set) var decoration: FactoryDecoration<T>?

    /// The registration found there; nil means the declaration.
    var found: Found? { isOwn ? own : qualified }

    fileprivate var isOwn: Bool {
      guard let qualified else { return true }
      guard let own else { return false }
      return own.isDouble && own.registration.id > qualified.registration.id
    }
  }

  /// Returns the position at which the search begins.
  func depth(_ frame: ContextFrame?) -> Depth {
    var depth = Depth(own: Lookup.find(key, in: core, frame))
    if QualifiedKeys.areUsed.isSet, core.factories.containerType != Resolver.self {
      depth.qualified = Lookup.find(RawKey(qualifiedKey), in: rootCore(frame), frame)
    }
    return depth
  }

  /// Returns the position below a decoration that was found at another position.
  func below(
    _ decoration: FactoryDecoration<T>, _ above: Depth, _ frame: ContextFrame?
  ) -> Depth {
    var depth = above
    depth.decoration = decoration
    if above.isOwn {
      depth.own = below(decoration, above.own, key, core, frame)
    } else {
      depth.qualified = below(
        decoration, above.qualified, RawKey(qualifiedKey), rootCore(frame), frame)
    }
    return depth
  }

  private func below(
    _ decoration: FactoryDecoration<T>, _ found: Found?, _ key: RawKey, _ core: ContainerCore,
    _ frame: ContextFrame?
  ) -> Found? {
    guard let found else { return nil }
    if case .registration(let displaced) = decoration.wrapped {
      if !displaced.options.isDeclaration {
        let scope = found.registration.scope
        return Found(
          registration: displaced.scope === scope
            ? displaced : decoration.standIn(scope) { Registration(displaced, scope: scope) },
          owner: found.owner, isDouble: found.isDouble)
      }
    }
    return Lookup.find(key, in: core, frame, below: found.registration.id)
  }

  private func rootCore(_ frame: ContextFrame?) -> ContainerCore {
    frame?.rootCore ?? Resolver.processRoot.core
  }

  /// Returns the decoration that replaced the container's own declaration, if any.
  func ownDecoration(_ frame: ContextFrame?) -> FactoryDecoration<T>? {
    var next = own(frame)
    while let own = next, case .decoration(let decoration) = record(own).content {
      guard case .registration(let displaced) = decoration.wrapped,
        !displaced.options.isDeclaration
      else { return decoration }
      next = displaced
    }
    return nil
  }

  /// Returns the registration that represents the declaration below decorations.
  func standIn(_ scope: Scope, below decoration: FactoryDecoration<T>) -> Registration {
    decoration.standIn(scope) {
      let made = record(FactorySettings(), .declaration).registration(
        scope: scope, location: declaration.location, options: Registration.Options())
      if made.scope.kind.isPerSite { SiteSlots.shared.note(made, in: core) }
      return made
    }
  }
}
