// A registration that wraps the one below it: what a request would find without it. That is the
// one whose place it takes, in the same container or layer, if there is one; otherwise the search
// goes on below it (`below` in Lookup.swift). Where a service was taken away, the search
// finds what it would find then: the removal is remembered, and stands there for it.
//
// What it makes is kept for as long as what it wraps, which may be several registrations: one for
// each container that is asked. So another registration stands for it over each (Wrappings.swift).

extension Resolver {
  /// Registers, under a key, what `transform` makes of the instance below.
  package func decorate<Service>(
    _ key: ServiceKey, at location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let scope = scopeBelow(key)
    // What was registered meanwhile is to be wrapped, too.
    while true {
      let target = RegistrationTarget.current(for: core)
      let present = target.registry.find(key.rawKey)
      let id = Registration.nextID()
      let decoration = Registration(
        id: id, key: key, scope: scope, location: location,
        recipe: recipe(key, id: id, over: present, location, transform),
        options: target.options())
      guard target.store(decoration, over: present) else { continue }
      target.tell(of: decoration)
      return
    }
  }

  private func recipe<Service>(
    _ key: ServiceKey, id: UInt64, over present: Registration?, _ location: CodeLocation,
    _ transform: @escaping (Service) throws -> Service
  ) -> Recipe {
    let removal = present.flatMap { $0.isRemoval ? $0 : nil }
    let displaced = present.flatMap { $0.isRemoval ? nil : Displaced($0, in: core) }
    var recipe = Recipe(
      Make<Service>.arguments { asked, args in
        let request = Request(key.type, name: key.name, property: key.property, location: location)
        let passed = args.isEmpty ? nil : args
        guard let displaced else {
          // Nothing below, or one that answered nil, leaves nothing to decorate.
          let service: Service? = try Engine.answer(request, args: passed, asked: asked, below: id)
          return try service.map(transform)
        }
        let service: Service? = try displaced.found(asked: asked).produce(
          request, args: passed, asked: asked)
        return try service.map(transform)
      })
    recipe.details.wrappings = Wrappings()
    // What is decorated may be async.
    let later = Unchecked(transform)
    recipe.details.home = .under(
      displaced.map { .registration($0.registration) } ?? .search(below: id, removal: removal))
    recipe.details.makeAsync = AsyncMaker<Service> { asked, args in
      let request = Request(key.type, name: key.name, property: key.property, location: location)
      let service: Service? = try await AsyncEngine.answer(
        request, args: args.value, asked: asked, below: id, at: displaced?.found(asked: asked),
        isPatient: false)
      return Unchecked(try service.map(later.value))
    }
    return recipe
  }

  // What is said of the decoration in lists of registrations; see `Wrappings` for what counts.
  private func scopeBelow(_ key: ServiceKey) -> Scope {
    let frame = ContextFrame.current
    let containers = [self, frame?.root ?? Resolver.root]
    for container in containers { container.prepareForListing() }
    for core in containers.map(\.core) {
      guard let found = Lookup.find(key.rawKey, in: core, frame) else { continue }
      guard let target = found.registration.aliasTarget else { return found.registration.scope }
      return Lookup.find(target.rawKey, in: core, frame)?.registration.scope ?? .unique
    }
    return .unique
  }
}

/// The registration whose place another took that wraps it.
private final class Displaced: Sendable {
  // What a registration says never changes.
  private let wrapped: Unchecked<Registration>
  // Not held: the container holds the registration that holds this. But who is making an instance
  // may be all that still holds that, so it may be gone. It is read only, by an atomic retain.
  private let owner: Unchecked<WeakHold>
  var registration: Registration { wrapped.value }

  init(_ registration: Registration, in core: ContainerCore) {
    wrapped = Unchecked(registration)
    owner = Unchecked(WeakHold(.passUnretained(core)))
  }

  /// The registration as the answer to a request.
  func found(asked: Resolver) -> Found {
    let owner = owner.value.value.map { unsafeDowncast($0, to: ContainerCore.self) }
    return ContextFrame.current.found(registration, owner ?? asked.core)
  }
}

extension Registration {
  /// The registration that this one wraps, whose place it took.
  private var displaced: Registration? {
    if case .under(.registration(let displaced)) = home { return displaced }
    return nil
  }

  /// It, and those whose place it took to wrap them.
  var withDisplaced: [Registration] { [self] + (displaced?.withDisplaced ?? []) }

  /// Whether what the container has outside the sandbox counts as well: it is wrapped, or this is
  /// a property's, for which nothing was registered.
  var showsWhatLiesBelow: Bool {
    if options.isDeclaration { return !options.isTakenBack }
    return searchesBelow != nil && displacedRemoval == nil
  }

  /// Whether it only stands for a property of which nothing was said in its place.
  var saysNothing: Bool {
    options.isDeclaration && !options.isTakenBack && options.factory?.hasSettings == false
  }

  /// Whether it is the registration of that id, or stands in its place and wraps it.
  func isOrDecorates(_ id: UInt64) -> Bool {
    self.id == id || displaced?.isOrDecorates(id) ?? false
  }

  /// The id below which the search goes on for what is wrapped here in the end, if it does.
  var searchesBelow: UInt64? {
    if case .under(.search(let id, _)) = home { return id }
    // Where only the declaration of a property was, there is more to find.
    if let displaced, displaced.options.isDeclaration {
      return displaced.options.isTakenBack ? nil : id
    }
    return displaced?.searchesBelow
  }

  /// The removal in whose place it stands, or what it wraps there.
  var displacedRemoval: Registration? {
    if case .under(.search(_, let removal)) = home { return removal }
    if let displaced, displaced.options.isTakenBack { return displaced }
    return displaced?.displacedRemoval
  }
}
