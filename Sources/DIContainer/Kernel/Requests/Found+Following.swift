// What answers in the end, where a registration is another name for another (`implements`) or
// decorates it.

extension Found {
  /// Where the factory runs that answers in the end.
  func home(asked: Resolver, _ frame: ContextFrame?) -> Home {
    maker(asked: asked, frame)?.home ?? .anywhere
  }

  /// The registration that answers in the end, once aliases and decorations are followed.
  private func maker(asked: Resolver, _ frame: ContextFrame?) -> Registration? {
    var found = self
    // Aliases may be registered in a circle, which only resolving reports.
    for _ in 0..<64 {
      guard found.registration.aliasTarget != nil || found.registration.home.isUnder else {
        return found.registration
      }
      guard let next = found.next(asked: asked, frame) else { break }
      found = next
    }
    return nil
  }

  /// The same, where a decoration has the scope of what it wraps now, for lists.
  func listed(asked: Resolver, _ frame: ContextFrame?) -> Found {
    guard registration.home.isUnder, let scope = maker(asked: asked, frame)?.scope,
      scope !== registration.scope
    else { return self }
    return Found(
      registration: Registration(registration, scope: scope), owner: owner, isDouble: isDouble)
  }

  /// Whether it is another name for what is not there, or decorates that.
  func standsForNothing(asked: Resolver, _ frame: ContextFrame?) -> Bool {
    var found = self
    for _ in 0..<64 {
      guard found.registration.aliasTarget != nil || found.registration.home.isUnder else { break }
      guard let next = found.next(asked: asked, frame) else {
        // Below the decoration of a property is its declaration.
        return found.registration.options.factory == nil
      }
      found = next
    }
    return false
  }

  /// The request that comes to nothing if this is, or wraps, another name for what is not there.
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

  /// What an alias stands for, or a decoration wraps; nil if that is nothing, and for all others.
  func next(asked: Resolver, _ frame: ContextFrame?) -> Found? {
    if let target = registration.aliasTarget {
      return Lookup.find(target.rawKey, in: asked.core, frame)
    }
    guard case .under(let decorated) = registration.home else { return nil }
    switch decorated {
    case .search(let id, _):
      return Lookup.find(registration.key.rawKey, in: asked.core, frame, below: id)
    case .registration(let registration):
      return Found(registration: registration, owner: owner, isDouble: isDouble)
    }
  }

  /// Whether a double answers in the end: what counts for an alias is what it stands for.
  func isEffectivelyDouble(asked: Resolver, _ frame: ContextFrame?) -> Bool {
    isDouble || registration.aliasTarget != nil && standsFor(asked: asked, frame).isDouble
  }

  /// What answers in the end, by way of aliases that may stand for each other.
  ///
  /// It counts as a double if one of them is.
  func standsFor(asked: Resolver, _ frame: ContextFrame?) -> Found {
    var last = self
    // They may stand for each other in a circle, which resolving reports.
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
