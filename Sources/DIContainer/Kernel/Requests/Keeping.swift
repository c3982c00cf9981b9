/// The holder of an instance for a request.
enum Keeping {
  case nobody
  /// The object graph, as long as the same caches are in force: those of the frame with the number,
  /// if there are any.
  case graph(cacheFrame: UInt64)
  /// A keeper; of a frame, if that brings its own caches. The builder is the container that builds.
  case keeper(Keeper, in: ContextFrame?, builder: Resolver)
}

extension Found {
  /// Returns the holder of the instance for a request to a container, and the container that
  /// builds it.
  ///
  /// | scope | one instance per | built by |
  /// |---|---|---|
  /// | `.unique` | request | the container requested |
  /// | `.graph` | object graph and registration | the container requested |
  /// | `.cached`, `.shared`, `.application`, … | registration | the container requested first |
  /// | `.singleton` by type | registration | the container requested first |
  /// | `.singleton` by key path | container type and property | the container requested first |
  /// | `.container` | registration and container requested | the container requested |
  /// | `.perContainer` | registration and container that owns it | the owner |
  /// | `.perRun`, `.single` | registration site | the container requested first |
  ///
  /// The registration's own keeper stands for the registration, the site, or the container type and
  /// property: registrations of one site have one keeper, and so has a property's singleton. A
  /// frame that brings caches has a keeper of its own in place of each.
  ///
  /// Of an instance for each parameter, the keeper is that of the request's; what it has kept too
  /// long is forgotten. What a decoration makes is kept as what it wraps is, in a keeper that
  /// depends on that one's.
  func keeping(
    requestedFrom container: Resolver, _ args: Any?, _ frame: ContextFrame?
  ) -> Keeping {
    if decoration == nil { return ownKeeping(requestedFrom: container, args, frame) }
    let parts = Array(followed)
    guard let last = parts.last, last.decoration == nil, last.registration.alias == nil else {
      return .nobody
    }
    let keeping = last.ownKeeping(requestedFrom: container, args, frame)
    guard case .keeper(var keeper, let cacheFrame, _) = keeping else { return keeping }
    for part in parts.reversed() {
      guard let decoration = part.decoration else { continue }
      keeper = decoration.keeper(over: keeper, of: part.registration.key.type)
    }
    return .keeper(keeper, in: cacheFrame, builder: container)
  }

  private func ownKeeping(
    requestedFrom container: Resolver, _ args: Any?, _ frame: ContextFrame?
  ) -> Keeping {
    let cacheFrame = frame?.cacheFrame(for: registration.scope)
    func kept(in base: Keeper, by builder: Resolver) -> Keeping {
      let keeper = cacheFrame?.makeReplacement(for: base) ?? base
      return .keeper(
        modifiers?.keeper(keeper, args) ?? keeper, in: cacheFrame, builder: builder)
    }
    switch registration.scope.keptBy {
    case .none:
      return .nobody
    case .objectGraph:
      return .graph(cacheFrame: cacheFrame?.number ?? 0)
    case .registration, .site:
      return kept(in: registration.keeper!, by: container)
    case .requestedContainer:
      let base = registration.keeper!
      return kept(
        in: container.core === owner ? base : container.core.keeper(for: base), by: container)
    case .registeringContainer:
      return kept(in: registration.keeper!, by: owner.resolver ?? container)
    }
  }
}
