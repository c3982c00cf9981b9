/// The holder of an instance outside every frame, and the container that builds it:
/// the requested one, unless a keeper's is another.
///
/// A frame that brings caches has a keeper of its own in place of that
/// (`ContextFrame.makeReplacement(for:)`).
enum Keeping {
  case nobody
  case graph
  case keeper(Keeper, builder: Resolver)
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
  /// property: registrations of one site have one keeper, and so has a property's singleton.
  func keeping(requestedFrom container: Resolver) -> Keeping {
    switch registration.scope.keptBy {
    case .none:
      return .nobody
    case .objectGraph:
      return .graph
    case .registration, .site:
      return .keeper(registration.keeper!, builder: container)
    case .requestedContainer:
      let base = registration.keeper!
      let isOwn = container.core === owner && !isDecoration
      return .keeper(isOwn ? base : container.core.keeper(for: base), builder: container)
    case .registeringContainer:
      // The owner of a registration that a decoration wraps builds in its turn.
      let builder = isDecoration ? container : owner.resolver ?? container
      return .keeper(registration.keeper!, builder: builder)
    }
  }
}
