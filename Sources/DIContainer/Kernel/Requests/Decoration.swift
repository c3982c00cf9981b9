// A registration that wraps the one that a request would find without it. If there is such a
// registration in the same container or layer, the decoration replaces and wraps that one;
// otherwise the search continues below it (`below` in Lookup.swift). If the service was removed
// there, the search finds what it would then find: the removal is remembered and still counts at
// that place.
//
// The decorated instance is kept as long as the wrapped one, and the wrapped registration may
// differ with the container of the request. So another registration represents the decoration over
// each (Maker.swift).

extension Resolver {
  /// Registers, under a key, a decoration that applies `transform` to the instance below.
  package func decorate<Service>(
    _ key: ServiceKey, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let scope = scopeBelow(key)
    let target = RegistrationTarget.current(for: core)
    var decoration: Registration
    var present: Registration?
    repeat {
      let id = SerialNumber.next()
      present = target.registry.find(key)
      decoration = Registration(
        id: id, key: key, scope: scope, location: location,
        maker: Maker(decorating: key, id: id, over: present, in: core, at: location, transform),
        options: target.options())
      // Again, if another thread registers meanwhile, for that is to be wrapped, too.
    } while !target.store(decoration, over: present)
    target.tell(of: decoration)
  }

  // The scope shown in lists of registrations; see `Wrappings` for the effective one.
  private func scopeBelow(_ key: ServiceKey) -> Scope {
    let frame = ContextFrame.current
    let containers = [self, frame?.root ?? Resolver.root]
    for container in containers { container.prepareForListing() }
    for core in containers.map(\.core) {
      guard let found = Lookup.find(key, in: core, frame) else { continue }
      let target = found.target(in: core, frame).registration
      return target.aliasTarget == nil ? target.scope : .unique
    }
    return .unique
  }
}

extension Maker {
  /// Creates the maker of a decoration that is registered in place of another registration.
  init<Service>(
    decorating key: ServiceKey, id: UInt64, over present: Registration?, in core: ContainerCore,
    at location: CodeLocation, _ transform: @escaping (Service) throws -> Service
  ) {
    let removal = present.flatMap { $0.isRemoval ? $0 : nil }
    let wrapped = present.flatMap { $0.isRemoval ? nil : $0 }
    // A property's decoration wraps what the request finds below it, such as its declaration.
    let displaced = key.property == nil ? wrapped.map { Displaced($0, in: core) } : nil
    let request = {
      Chain.currentProperty?.request(location)
        ?? Request(key, location: location)
    }
    // A property always has an instance, if only the nil of an optional.
    let absent =
      key.property == nil
      ? nil : (Service.self as? any OptionalType.Type).map { $0.none as! Service }
    self.init { container, args in
      let service: Service? =
        if let displaced {
          try displaced.found(container: container).produce(
            request(), args: args, container: container)
        } else {
          try Resolution.instance(request(), args: args, container: container, below: id)
        }
      // With no registration below, or nil from its factory, there is nothing to decorate.
      guard let live = service ?? absent else { return nil }
      let decorated = try transform(live)
      return absent != nil && isNil(decorated) ? nil : Instance(decorated)
    }
    details.wrappings = Wrappings()
    details.decorates =
      wrapped.map { .registration($0) } ?? .search(below: id, removal: removal)
    // The decorated service may be async.
    let (transform, make, none) = (Unchecked(transform), Unchecked(request), Unchecked(absent))
    details.buildAsync = { container, args in
      let service: Service? = try await AsyncRequest(
        request: make.value(), args: args.value, container: container, below: id,
        known: displaced?.found(container: container)
      ).instance()
      guard let live = service ?? none.value else { return Unchecked(nil) }
      let decorated = try transform.value(live)
      return Unchecked(none.value != nil && isNil(decorated) ? nil : Instance(decorated))
    }
  }
}

/// A registration that was replaced by one that wraps it.
private final class Displaced: Sendable {
  // A registration never changes.
  private let wrapped: Unchecked<Registration>
  // Not held: the container holds the registration that holds this. But a thread that is making an
  // instance may be the only one that still holds that registration, so the container may be gone.
  private let owner: Weak<ContainerCore>
  var registration: Registration { wrapped.value }

  init(_ registration: Registration, in core: ContainerCore) {
    wrapped = Unchecked(registration)
    owner = Weak(value: core)
  }

  /// Returns the registration as the result of a search.
  func found(container: Resolver) -> Found {
    ContextFrame.current.found(registration, owner.value ?? container.core)
  }
}

extension Found {
  /// Returns itself, or the registration that represents a decoration over what it wraps.
  ///
  /// `outer`: the decorations that wrap it. Through aliases it may wrap itself, which resolving
  /// reports.
  func represented(
    container: Resolver, _ frame: ContextFrame?, _ declared: DeclaredProperty? = nil,
    within outer: [UInt64] = []
  ) -> Found {
    guard registration.path == .other, self.declared == nil, frame?.dryRun == nil,
      !outer.contains(registration.id), let wrappings = registration.maker.details.wrappings
    else { return self }
    registration.noteResolved()
    let wrapped = next(in: container.core, frame, declared)
    // The wrapped registration, or the target of a wrapped alias, may itself be a decoration.
    let target = wrapped?.target(in: container.core, frame)
    let inner =
      target?.registration.aliasTarget != nil
      ? nil
      : target?.represented(
        container: container, frame, declared, within: outer + [registration.id])
    let own = wrappings.registration(for: registration, over: inner?.registration)
    return Found(registration: own, owner: owner, isDouble: isDouble, modifiers: modifiers)
  }
}
