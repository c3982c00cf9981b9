// Following aliases (`implements`) and decorations to the registration that makes the instance.

extension Found {
  /// Returns the isolation of the factory that makes the instance.
  func isolation(
    asked: Resolver, _ frame: ContextFrame?, _ declared: DeclaredProperty? = nil
  ) -> Isolation {
    followed(asked: asked, frame, declared)?.maker.isolation ?? .anywhere
  }

  /// Returns the registration that makes the instance, once aliases and decorations are followed.
  private func followed(
    asked: Resolver, _ frame: ContextFrame?, _ declared: DeclaredProperty? = nil
  ) -> Found? {
    var found = self
    // Aliases may be registered in a circle, which only resolving reports.
    for _ in 0..<64 {
      guard found.registration.aliasTarget != nil || found.isDecoration else { return found }
      guard let next = found.next(asked: asked, frame, declared) else { break }
      found = next
    }
    return nil
  }

  /// Returns the registration for lists, in which a decoration has the scope of what it wraps now.
  func listed(asked: Resolver, _ frame: ContextFrame?) -> Found {
    guard registration.isDecoration, let scope = followed(asked: asked, frame)?.registration.scope,
      scope !== registration.scope
    else { return self }
    return Found(
      registration: registration.changed(scope: scope), owner: owner, isDouble: isDouble)
  }

  /// Whether it is an alias for, or decorates, a service that is not registered.
  func standsForNothing(asked: Resolver, _ frame: ContextFrame?) -> Bool {
    var found = self
    for _ in 0..<64 {
      guard found.registration.aliasTarget != nil || found.registration.isDecoration else { break }
      guard let next = found.next(asked: asked, frame) else {
        // Below the decoration of a property is its declaration.
        return found.registration.key.property == nil
      }
      found = next
    }
    return false
  }

  /// Returns the request that fails if this is, or wraps, an alias of a service that is not
  /// registered.
  func absentTarget(asked: Resolver, _ frame: ContextFrame?) -> Request? {
    var next: Found? = self
    for _ in 0..<64 {
      guard let found = next else { break }
      if let target = found.registration.aliasTarget,
        Lookup.answer(target.rawKey, in: asked.core, frame) == nil
      {
        return Request(target.type, name: target.name, location: found.registration.location)
      }
      next = found.next(asked: asked, frame)
    }
    return nil
  }

  /// Returns the target of an alias or what a decoration wraps; nil if there is none.
  ///
  /// `declared`: the property, in a request that brings it along.
  func next(
    asked: Resolver, _ frame: ContextFrame?, _ declared: DeclaredProperty? = nil
  ) -> Found? {
    if let target = registration.aliasTarget {
      return Lookup.find(target.rawKey, in: asked.core, frame)
    }
    guard let decorated = registration.maker.decorates else { return nil }
    if let declared { return declared.found(frame, below: registration.id) }
    switch decorated {
    case .search(let id, _):
      return Lookup.find(registration.key.rawKey, in: asked.core, frame, below: id)
    case .registration(let registration):
      return Found(registration: registration, owner: owner, isDouble: isDouble)
    }
  }

  /// Whether the request resolves to a double: an alias counts as one if a target does.
  func isEffectivelyDouble(asked: Resolver, _ frame: ContextFrame?) -> Bool {
    isDouble || registration.aliasTarget != nil && standsFor(asked: asked, frame).isDouble
  }

  /// Returns the final target of an alias, which may lead through others.
  ///
  /// It counts as a double if one of them is.
  func standsFor(asked: Resolver, _ frame: ContextFrame?) -> Found {
    var last = self
    // Aliases may form a circle, which resolving reports.
    for _ in 0..<64 {
      guard let key = last.registration.aliasTarget,
        let target = Lookup.find(key.rawKey, in: asked.core, frame)
      else { break }
      last = Found(
        registration: target.registration, owner: target.owner,
        isDouble: last.isDouble || target.isDouble)
    }
    return last
  }
}

extension Found {
  /// Throws if the factory cannot run in the caller's context without waiting.
  func checkIsolation(_ requested: UnsafePointer<Request>) throws {
    switch maker.isolation {
    case .anywhere: break
    case .actor(let actor):
      if !actor.isCurrent {
        throw ResolutionError.needsActor(actor, requested.pointee, registration)
      }
    case .task:
      throw ResolutionError.circleThroughAwait(requested.pointee, registration)
        ?? .needsAwait(requested.pointee, registration)
    }
  }
}
