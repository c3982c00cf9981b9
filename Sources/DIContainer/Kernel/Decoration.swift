// A registration that wraps the one below it: what a request would find without it.

extension Resolver {
  /// Registers, under a key, what `transform` makes of the instance below.
  package func decorate<Service>(
    _ key: ServiceKey, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let id = AnyRegistration.nextID()
    let recipe = Registration<Service>.Recipe(
      .arguments { asked, args in
        let request = Request(key.type, name: key.name, property: key.property, location: location)
        return try transform(
          Engine.need(request, args: args, asked: asked, below: id, as: Service.self))
      })
    _ = store(
      Registration(
        id: id, key: key, scope: scopeBelow(key), location: location, recipe: recipe,
        options: AnyRegistration.Options()))
  }

  // The decorated instance lives as long as the one it wraps.
  private func scopeBelow(_ key: ServiceKey) -> Scope {
    Startup.runIfNeeded()
    let frame = ContextFrame.current
    let cores = [core, (frame?.root ?? Resolver.root).core]
    for core in cores {
      guard let found = Lookup.find(key.typeAndName, in: core, frame) else { continue }
      guard let target = found.registration.aliasTarget else { return found.registration.scope }
      return Lookup.find(target.typeAndName, in: core, frame)?.registration.scope ?? .unique
    }
    return .unique
  }
}
