// A registration that wraps the one below it: what a request would find without it. That is the
// one whose place it takes, in the same container or layer, if there is one; otherwise the search
// goes on below it (`below` in Kernel/Lookup.swift).

extension Resolver {
  /// Registers, under a key, what `transform` makes of the instance below.
  package func decorate<Service>(
    _ key: ServiceKey, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let id = Registration.nextID()
    let core = core
    let scope = scopeBelow(key)
    let present = RegistrationTarget.current(for: core).registry.find(key.typeAndName)
    let displaced = present.flatMap {
      $0.isRemoval ? nil : Unchecked($0)
    }
    var recipe = Recipe(
      Make<Service>.arguments { asked, args in
        let request = Request(key.type, name: key.name, property: key.property, location: location)
        let passed = args.isEmpty ? nil : args
        guard let displaced = displaced?.value else {
          // Nothing below, or one that answered nil, leaves nothing to decorate.
          let service: Service? = try Engine.answer(request, args: passed, asked: asked, below: id)
          return try service.map(transform)
        }
        let found = Found(
          registration: displaced, owner: core, isDouble: displaced.options.isDouble)
        let service: Service? = try found.produce(request, args: passed, asked: asked)
        return try service.map(transform)
      })
    // What is decorated may be async.
    let later = Unchecked(transform)
    recipe.details.home = .under(displaced.map { .registration($0.value) } ?? .search(below: id))
    recipe.details.makeAsync = AsyncMaker<Service> { asked, args in
      let request = Request(key.type, name: key.name, property: key.property, location: location)
      let found = displaced.map {
        Found(registration: $0.value, owner: core, isDouble: $0.value.options.isDouble)
      }
      let service: Service? = try await AsyncEngine.answer(
        request, args: args.value, asked: asked, below: id, at: found, isPatient: false)
      return Unchecked(try service.map(later.value))
    }
    _ = store(recipe, id: id, key: key, scope, location)
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
