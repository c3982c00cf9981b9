// All registrations of a type. The list is made by these rules:
//
// - The container's own registrations come first, in registration order, then those of its nested
//   containers in the order added, depth first, under any name. Layers' stand where the search
//   arrives at what the root reaches, before it.
// - A service that is registered for the type in several ways (under two names, by two containers
//   that nest the same one, at one `.perRun` site) counts once.
// - A double (a registration of a sandbox or a layer) replaces every registration below it under
//   its key, as it does for `resolve`, but not what its sandbox, or one inside that, registered in
//   nested containers. A registration that a layer removes is left out.
// - Services that are being built are left out, so that one of them may be composed of all others.
// - If the requested type is an optional and nothing is registered for it, the registrations of
//   the wrapped type are returned.

extension ServiceResolver {
  /// Returns all services that are registered for a type, under any name.
  ///
  /// The container's own services come first, in registration order, then those of its nested
  /// containers, each once. A layer's stand before those of the root. If none is registered, the
  /// list is empty. Traps with a diagnosis when one of them cannot be resolved; `requireMany`
  /// throws instead.
  ///
  /// - Parameters:
  ///   - type: The type that the services were registered for.
  ///   - args: The arguments that each factory receives.
  /// - Returns: The instances.
  public func resolveMany<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [Service] {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      return try _container.requireMany(type, under: nil, args: args, at: location)
    } catch {
      trap(error)
    }
  }

  /// Returns all services that are registered for a type, as `resolveMany(_:args:)` does.
  ///
  /// - Throws: The diagnosis of the first one that cannot be resolved.
  public func requireMany<Service>(
    _ type: Service.Type = Service.self, args: Any? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws(ResolutionError) -> [Service] {
    try _container.requireMany(
      type, under: nil, args: args, at: CodeLocation(fileID, filePath, line, column),
      mayBeRefused: true)
  }
}

extension Resolver {
  /// Returns all services that are registered for a type, under one name if it is given.
  ///
  /// `mayBeRefused`: whether to throw if the test refuses one, although a double may stand in.
  package func requireMany<Service>(
    _ type: Service.Type, under name: Name?, args: Any?, at location: CodeLocation,
    mayBeRefused: Bool = false
  ) throws(ResolutionError) -> [Service] {
    prepareForListing()
    let many = Many(of: type, under: name, at: location, in: self)
    if many.found.isEmpty, type is any RequestWrapper.Type {
      throw ResolutionError(
        .other("Lists contain services, not lazy wrappers, which resolve by type and name."),
        at: location)
    }
    if many.found.isEmpty, let optional = type as? any OptionalType.Type {
      func wrapped<Wrapped>(_ type: Wrapped.Type) throws(ResolutionError) -> Any {
        try requireMany(type, under: name, args: args, at: location, mayBeRefused: mayBeRefused)
          as [Wrapped?]
      }
      return try wrapped(optional.wrapped) as! [Service]
    }
    do {
      return try Chain.asOneGraph {
        try many.found.compactMap { found in
          let request = Request(type, name: found.registration.key.name, location: location)
          if let frame = many.frame ?? .refusing(request, container: self), frame.isGuarded,
            case .replaced(let double) = try frame.checkLive(found, request, container: self)
          {
            if mayBeRefused { try Boundary.check(request, container: self) }
            return try double?.value(as: type)
              ?? frame.refused(request, registeredAt: found.registration.location)
          }
          return try Resolution.instance(
            for: request, args: args, container: self, attempt: Attempt(known: found))?
            .value(as: type)
        }
      }
    } catch {
      throw ResolutionError.known(error)
    }
  }
}

/// The search for all registrations of a type.
struct Many {
  private let type: Any.Type
  private let container: ContainerCore
  let frame: ContextFrame?
  private let underWay: Set<UInt64>
  /// The serial numbers of what was found: registrations, and the keepers of sites, which several
  /// containers share.
  private var counted: Set<UInt64> = []
  private(set) var found: [Found] = []

  /// Searches in the current context, after reporting any misuse of it.
  init(
    of type: Any.Type, under name: Resolver.Name?, at location: CodeLocation, in resolver: Resolver
  ) {
    let request = Request(type, name: nil, location: location)
    self.type = type
    container = resolver.core
    frame = ContextFrame.frameNoting(request, container: resolver).frame
    underWay = Chain.registrations
    var results: [ServiceKey: Found?] = [:]
    for core in container.searched(frame) {
      for candidate in own(core) {
        let key = candidate.registration.key
        if let name, key.name != name { continue }
        let result = results[key] ?? Lookup.find(key, in: container, frame)
        results[key] = .some(result)
        // A layer removed it for everything that it covers.
        guard let result else { continue }
        if result.owner !== core, hides(result, candidate) { continue }
        let known = sequence(first: result, next: \.next).first {
          $0.registration === candidate.registration
        }
        add(known ?? frame.found(candidate.registration, core, in: container))
      }
    }
  }

  /// Whether the registration found for a key is a double that replaces another container's.
  private func hides(_ result: Found, _ candidate: Candidate) -> Bool {
    // Found in a layer, or in a container that it nests: neither nested by the root nor by
    // `container`.
    if let frame, frame.layer != nil,
      frame.isLayer(result.owner)
        || !frame.rootNests(result.owner) && !frame.nests(result.owner, in: container)
    {
      return true
    }
    guard result.registration.options.isDouble else { return false }
    // What the same sandbox, or one inside it, registered counts as it would without sandboxes.
    let id = result.registration.id
    guard let holder = own(result.owner).first(where: { $0.registration.id == id })?.sandbox
    else { return true }
    return !(candidate.sandbox?.isInside(holder) ?? false)
  }

  /// A registration for the type, and the sandbox whose view holds it, if one does.
  private typealias Candidate = (registration: Registration, sandbox: ContextFrame?)

  /// Returns a container's registrations for the type, as the current sandboxes show them.
  private func own(_ core: ContainerCore) -> [Candidate] {
    var own: [Candidate] = []
    var hidden: Set<ServiceKey> = []
    for (registry, sandbox) in core.registries(frame) {
      let added = registry.everything {
        $0.key.type == type && $0.key.property == nil && !hidden.contains($0.key)
          && !frame.leavesOut($0)
      }
      own = added.map { ($0, sandbox) } + own
      hidden.formUnion(added.map(\.key))
    }
    return own
  }

  private mutating func add(_ candidate: Found) {
    guard !candidate.registration.isRemoval else { return }
    let target = candidate.target.registration
    // An alias of a removed registration, or of itself, leads to no service.
    guard target.alias == nil, !underWay.contains(target.id) else { return }
    let id = target.scope.isPerSite ? target.keeper?.id ?? target.id : target.id
    if counted.insert(id).inserted { found.append(candidate) }
  }
}
