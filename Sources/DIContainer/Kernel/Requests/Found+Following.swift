// Following aliases (`implements`) and decorations to the registration that makes the instance. A
// request for an alias resolves to the current registration of its service, whose instance is then
// converted.

extension Found {
  /// The registration, then in turn the targets of its aliases and what its decorations wrap.
  var followed: some Sequence<Found> { sequence(first: self, next: \.next) }

  /// The registration, then in turn the targets of its aliases, up to the first that is none.
  private var aliases: some Sequence<Found> {
    sequence(first: self) { $0.registration.alias == nil ? nil : $0.next }
  }

  /// The registration that makes the instance; nil if there is none.
  var making: Found? {
    followed.reversed().first { $0.registration.alias == nil && $0.decoration == nil }
  }

  /// How long the instance is kept: what a decoration makes, as long as what it wraps.
  var scope: Scope {
    decoration == nil ? registration.scope : making?.registration.scope ?? registration.scope
  }

  /// The registration for lists, in which a decoration has the scope of what it wraps now.
  var listed: Found {
    if scope === registration.scope { return self }
    return Found(
      registration: registration.changed(scope: scope), owner: owner, isDouble: isDouble,
      next: next)
  }

  /// Whether it is an alias for, or decorates, a service that is not registered, or the declaration
  /// of a property that another module is to register.
  var standsForNothing: Bool {
    if isPromise { return true }
    let last = Array(followed).last!
    return last.registration.alias == nil ? last.isOverNothing : !endsInCircle
  }

  /// Whether the aliases lead back to one of them, perhaps through decorations.
  private var endsInCircle: Bool {
    let all = followed.map(\.registration)
    return all.last!.alias != nil && all.dropLast().contains { $0.id == all.last!.id }
  }

  /// Whether it is a decoration of a service that is not registered.
  var isOverNothing: Bool {
    guard decoration != nil else { return false }
    // Below the decoration of a property is its declaration.
    return next?.isOverNothing ?? (registration.key.property == nil)
  }

  /// Whether it is the declaration of a property that another module is to register.
  var isPromise: Bool {
    declared?.declaration.settings.isPromise ?? false && modifiers?.maker == nil
  }

  /// The request that fails if this is, or wraps, an alias of a service that is not registered.
  var absentTarget: Request? {
    if endsInCircle { return nil }
    for found in followed {
      if let target = found.registration.aliasTarget, found.next?.isOverNothing ?? true {
        return Request(target.type, name: target.name, location: found.registration.location)
      }
    }
    return nil
  }

  /// The final target of an alias, which may lead through others; itself if it is none.
  ///
  /// It counts as a double if one of them is.
  package var target: Found {
    if registration.alias == nil { return self }
    let aliases = Array(aliases)
    let last = aliases.last!
    return Found(
      registration: last.registration, owner: last.owner,
      isDouble: aliases.contains(where: \.isDouble), next: last.next)
  }

  /// The aliases that form a circle by themselves, if they do.
  var aliasCycle: [ChainLink]? {
    let all = aliases.map(\.registration)
    guard let start = all.dropLast().firstIndex(where: { $0.id == all.last!.id }) else {
      return nil
    }
    return all[start...].dropFirst().map { ChainLink(key: $0.key, location: $0.location) }
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
