// A double that wraps, by key path, what the property would answer without it. As by type
// (Decoration.swift), it stands in the place of what it wraps or above it, and what it makes
// is kept for as long as that. The property's own declaration comes last: it is always there.

/// What wraps the instance that a property would have without it.
final class FactoryDecoration<T> {
  let transform: (T) throws -> T
  let location: CodeLocation
  /// What it wraps; a declaration that it took the place of stands for what is found below it.
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

  /// One like it, over copies of what it wraps in its place.
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

  /// What stands for the declaration where this took its place in the table.
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

  /// Forgets what is kept for it, and for what it took the place of, in a context or outside every
  /// context.
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
  /// Registers, for a property, what `transform` makes of the instance that it has otherwise: in
  /// this container if it is of the type, else for all that are.
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
  /// Registers what `transform` makes of the instance that there is otherwise.
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
    // What was registered meanwhile is to be wrapped, too.
    while true {
      let target = RegistrationTarget.current(for: core)
      let present = target.registry.find(key)
      let own = core.own(key, frame)
      let id = Registration.nextID()
      // What the declaration has made, further out, is wrapped as well.
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

  /// A place in the search for what answers: the top, or below decorations.
  struct Depth {
    /// What the container reaches there.
    fileprivate var own: Found?
    /// What a layer has for its type there.
    fileprivate var qualified: Found?
    /// The last decoration above, if any.
    fileprivate(set) var decoration: FactoryDecoration<T>?

    /// What is found there; nil is the declaration.
    var found: Found? { isOwn ? own : qualified }

    fileprivate var isOwn: Bool {
      guard let qualified else { return true }
      guard let own else { return false }
      return own.isDouble && own.registration.id > qualified.registration.id
    }
  }

  /// The place where the search begins.
  func depth(_ frame: ContextFrame?) -> Depth {
    var depth = Depth(own: Lookup.find(key, in: core, frame))
    if QualifiedKeys.areUsed.isSet, core.factories.containerType != Resolver.self {
      depth.qualified = Lookup.find(RawKey(qualifiedKey), in: rootCore(frame), frame)
    }
    return depth
  }

  /// The place below a decoration that is found at another one.
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

  /// The decoration that took the place of the container's own declaration, if one did.
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

  /// What stands for the declaration below decorations.
  func standIn(_ scope: Scope, below decoration: FactoryDecoration<T>) -> Registration {
    decoration.standIn(scope) {
      let made = record(FactorySettings(), .declaration).registration(
        scope: scope, location: declaration.location, options: Registration.Options())
      if made.scope.kind.isPerSite { SiteSlots.shared.note(made, in: core) }
      return made
    }
  }
}
