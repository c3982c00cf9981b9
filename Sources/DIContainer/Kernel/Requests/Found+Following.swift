// Following aliases (`implements`) and decorations to the registration that makes the instance. A
// request for an alias resolves to the current registration of its service, whose instance is then
// converted.

extension Found {
  /// Returns the registration, then in turn the targets of its aliases and what its decorations
  /// wrap; unless `throughDecorations`, only up to the first that is no alias.
  ///
  /// Aliases may be registered in a cycle, which only resolving reports: it ends before it would
  /// return to one.
  func followed(
    in core: ContainerCore, _ frame: ContextFrame?, throughDecorations: Bool = true
  ) -> [Found] {
    var all = [self]
    while let last = all.last, throughDecorations || last.registration.aliasTarget != nil,
      let next = last.next(in: core, frame),
      !all.contains(where: { $0.registration === next.registration })
    {
      all.append(next)
    }
    return all
  }

  /// Returns the target of an alias or what a decoration wraps; nil if there is none.
  func next(in core: ContainerCore, _ frame: ContextFrame?) -> Found? {
    if let alias = registration.alias { return Lookup.target(of: alias, in: core, frame) }
    return wrapped
  }

  /// Returns the registration that makes the instance; nil if there is none.
  func making(in core: ContainerCore, _ frame: ContextFrame?) -> Found? {
    followed(in: core, frame).last { $0.registration.aliasTarget == nil && $0.decoration == nil }
  }

  /// Returns how long the instance is kept: what a decoration makes, as long as what it wraps.
  func scope(in core: ContainerCore, _ frame: ContextFrame?) -> Scope {
    if decoration == nil { return registration.scope }
    return making(in: core, frame)?.registration.scope ?? registration.scope
  }

  /// Returns the registration for lists, in which a decoration has the scope of what it wraps now.
  func listed(in core: ContainerCore, _ frame: ContextFrame?) -> Found {
    let scope = scope(in: core, frame)
    if scope === registration.scope { return self }
    return Found(
      registration: registration.changed(scope: scope), owner: owner, isDouble: isDouble,
      wrapped: wrapped)
  }

  /// Whether it is an alias for, or decorates, a service that is not registered, or the declaration
  /// of a property that another module is to register.
  func standsForNothing(in core: ContainerCore, _ frame: ContextFrame?) -> Bool {
    if isPromise { return true }
    let last = followed(in: core, frame).last!
    return (last.registration.aliasTarget != nil || last.isOverNothing)
      && last.next(in: core, frame) == nil
  }

  /// Whether it is a decoration of a service that is not registered.
  var isOverNothing: Bool {
    guard decoration != nil else { return false }
    // Below the decoration of a property is its declaration.
    return wrapped?.isOverNothing ?? (registration.key.property == nil)
  }

  /// Whether it is the declaration of a property that another module is to register.
  var isPromise: Bool {
    declared?.declaration.settings.isPromise ?? false && modifiers?.maker == nil
  }

  /// Returns the request that fails if this is, or wraps, an alias of a service that is not
  /// registered.
  func absentTarget(in core: ContainerCore, _ frame: ContextFrame?) -> Request? {
    for found in followed(in: core, frame) {
      if let target = found.registration.aliasTarget,
        Lookup.findComplete(target, in: core, frame) == nil
      {
        return Request(target.type, name: target.name, location: found.registration.location)
      }
    }
    return nil
  }

  /// Returns the final target of an alias, which may lead through others; itself if it is none.
  ///
  /// It counts as a double if one of them is.
  package func target(in core: ContainerCore, _ frame: ContextFrame?) -> Found {
    if registration.aliasTarget == nil { return self }
    let aliases = followed(in: core, frame, throughDecorations: false)
    let last = aliases.last!
    return Found(
      registration: last.registration, owner: last.owner,
      isDouble: aliases.contains(where: \.isDouble), wrapped: last.wrapped)
  }

  /// Returns the aliases that form a cycle, if following them never ends.
  func aliasCycle(in core: ContainerCore, _ frame: ContextFrame?) -> [ChainLink]? {
    let aliases = followed(in: core, frame, throughDecorations: false).map(\.registration)
    guard let alias = aliases.last?.alias,
      let first = Lookup.target(of: alias, in: core, frame)?.registration,
      let start = aliases.firstIndex(where: { $0 === first })
    else { return nil }
    return aliases[start...].map { ChainLink(key: $0.key, location: $0.location) }
  }
}

extension Lookup {
  /// Returns the registration that an alias stands for: what is registered for its service now.
  ///
  /// But where one container's set-up registered the service several times, each with aliases, an
  /// alias keeps its own registration, unless the service has a double.
  static func target(
    of alias: Alias, in core: ContainerCore, _ frame: ContextFrame?
  ) -> Found? {
    guard let found = find(alias.target, in: core, frame), !found.isDouble,
      let own = found.registration.earlier.first(where: { $0.innermost.id == alias.owner })
    else { return find(alias.target, in: core, frame) }
    return frame.found(own, found.owner)
  }
}

extension Alias {
  /// Returns an instance of the target as the service; throws if it is none.
  func convert(_ instance: Instance, _ request: Request) throws -> Instance {
    if let converted = conversion(instance) { return converted }
    throw ResolutionError.notImplemented(
      service, by: target.type, instance.any, request, at: location)
  }
}

extension Found {
  /// Throws if the factory is left out of the dry run that the request is part of.
  func checkDryRun(_ request: Request, _ frame: ContextFrame?) throws {
    guard registration.options.isLeftOutOfDryRuns, frame?.dryRun != nil else { return }
    throw ResolutionError(
      .other("`\(request.key)` is left out of dry runs."), request,
      registeredAt: registration.location, circumstances: [.leftOut])
  }

  /// Throws if the factory cannot run in the caller's context without waiting.
  func checkIsolation(_ request: Request) throws {
    switch maker.isolation {
    case .anywhere: break
    case .main:
      if !MainActor.isCurrent {
        throw ResolutionError(.needsMainActor, request, registeredAt: registration.location)
      }
    case .task:
      throw ResolutionError.cycleThroughAwait(request, registration)
        ?? ResolutionError(.needsAwait, request, registeredAt: registration.location)
    }
  }
}
