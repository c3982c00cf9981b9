// The circumstances of a request that nothing is registered for.

extension ResolutionError {
  static func notRegistered(_ request: Request, asked: Resolver) -> ResolutionError {
    let advice = Tests.delegate?.advice(onMissing: request, asked: asked) ?? []
    let facts = [initialiser(asked: asked), started(elsewhereThan: request, asked: asked)]
    return ResolutionError(
      .notRegistered, request, asked: asked,
      circumstances: NearMiss.find(for: request.key, asked: asked).map { .close($0) }
        + advice + facts.compactMap(\.self))
  }

  /// Returns the initialiser that the factory calls which makes the request, if that is known.
  private static func initialiser(asked: Resolver) -> Circumstance? {
    guard let maker = chain.last else { return nil }
    let frame = ContextFrame.current
    var found = Lookup.find(maker.key.rawKey, in: asked.core, frame)?.registration
    // An alias's target has the initialiser.
    var followed: Set<ServiceKey> = []
    while let target = found?.aliasTarget, followed.insert(target).inserted {
      found = Lookup.find(target.rawKey, in: asked.core, frame)?.registration
    }
    guard let found, let parameters = found.options.dependencies else { return nil }
    return .initialiser(of: found.key, parameters: parameters)
  }

  /// Returns the place where `registerAllServices` ran; nil if the container reaches none of its
  /// registrations, or one by the request's module.
  ///
  /// Several modules of a process may conform `Resolver` to `ResolverRegistering`, with no
  /// diagnostic of the compiler if none of them imports another, and the runtime finds one:
  /// registrations of the others are never made. SwiftPM links all test targets of a package into
  /// one process.
  private static func started(
    elsewhereThan request: Request, asked: Resolver
  ) -> Circumstance? {
    let ids = Startup.registered
    guard !ids.isEmpty else { return nil }
    let places = asked.core.reachable(ContextFrame.current).filter { ids.contains($0.id) }
      .sorted { $0.id < $1.id }.map(\.location)
    let isOfModule = places.contains { $0.module == request.location.module }
    return isOfModule ? nil : places.first.map { .started($0) }
  }
}
