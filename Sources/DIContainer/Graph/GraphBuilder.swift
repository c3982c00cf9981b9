struct GraphBuilder {
  /// A registration, with the container that its dependencies are resolved from.
  struct Vertex: Sendable {
    // It is immutable.
    private let unchecked: Unchecked<Found>
    let view: ContainerCore
    let scope: Scope
    /// The name of the container that provides it, if the view does not reach that container or has
    /// no registration for it.
    let elsewhere: String?
    /// Whether it is known only by a recording, which may lack later dependencies or those of other
    /// runs.
    fileprivate(set) var isSeenInPart = false
    /// Whether all its dependencies are known.
    fileprivate var isKnown = false
    /// Whether its factory is a closure that was not run.
    fileprivate var isClosure = true
    /// The services that a dry run of its factory failed without, which the run reports.
    fileprivate(set) var failedWithout: Set<ServiceKey> = []
    /// Its dependencies, with their providers' indices, which are not final.
    fileprivate var needs: [Need] = []

    init(_ found: Found, view: ContainerCore) {
      unchecked = Unchecked(found)
      self.view = view
      scope = found.registration.scope
      elsewhere = nil
    }

    /// Creates a placeholder for a service of another container, of which nothing more is known.
    init(_ service: ResolvedService, view: ContainerCore) {
      let registration = Registration(
        key: service.key, scope: .unique, location: service.registeredAt, maker: .nothing,
        options: Registration.Options())
      unchecked = Unchecked(
        Found(registration: registration, owner: view, isDouble: service.isDouble))
      self.view = view
      scope = service.scope
      elsewhere = service.container
    }

    var found: Found { unchecked.value }
    var registration: Registration { found.registration }
  }

  fileprivate struct Need {
    let dependency: Dependency
    let origin: DependencyGraph.Edge.Origin
    let provider: Int?
  }

  /// The identity of a factory in recordings.
  struct FactoryID: Hashable {
    let key: ServiceKey
    let location: CodeLocation
  }

  private struct Identity: Hashable {
    let registration: UInt64
    let view: ObjectIdentifier
  }

  private let resolver: Resolver
  private let frame: ContextFrame?
  private var vertices: [Vertex] = []
  private var places: [Identity: Int] = [:]
  private var factories: [FactoryID: [Int]] = [:]
  private var expanded = 0

  init(_ resolver: Resolver, _ frame: ContextFrame?) {
    self.resolver = resolver
    self.frame = frame
    for key in resolver.core.listedKeys(frame) { _ = place(key, resolver.core) }
    expand()
  }

  // MARK: Nodes

  /// Returns the index of the node for a key in a view, or nil.
  private mutating func place(_ key: ServiceKey, _ view: ContainerCore) -> Int? {
    Lookup.findComplete(key, in: view, frame).map { place(of: $0, view) }
  }

  private mutating func place(of found: Found, _ view: ContainerCore) -> Int {
    let found = found.listed(in: view, frame)
    let registration = found.registration
    let isBuiltByOwner = registration.scope.keptBy == .registeringContainer
    let view = isBuiltByOwner ? found.owner : view
    let identity = Identity(registration: registration.id, view: ObjectIdentifier(view))
    if let place = places[identity] { return place }
    let place = add(Vertex(found, view: view))
    places[identity] = place
    return place
  }

  /// Returns the index of the node for a service of another container.
  private mutating func place(of service: ResolvedService) -> Int {
    let factory = FactoryID(key: service.key, location: service.registeredAt)
    let known = factories[factory]?.first { vertices[$0].elsewhere != nil }
    return known ?? add(Vertex(service, view: resolver.core))
  }

  private mutating func add(_ vertex: Vertex) -> Int {
    let registration = vertex.registration
    let factory = FactoryID(key: registration.key, location: registration.location)
    factories[factory, default: []].append(vertices.count)
    vertices.append(vertex)
    return vertices.count - 1
  }

  /// Adds the declared dependencies of nodes, and the nodes that they lead to.
  private mutating func expand() {
    while expanded < vertices.count {
      let place = expanded
      expanded += 1
      let registration = vertices[place].registration
      if let target = registration.aliasTarget {
        noteSeen(place)
        add(Dependency(target), .implements, to: place)
      }
      let view = vertices[place].view
      if registration.isDecoration, let wrapped = vertices[place].found.next(in: view, frame) {
        // Its closure receives nothing else, but may resolve more from a captured container.
        let provider = self.place(of: wrapped, view)
        vertices[place].needs.append(
          Need(dependency: Dependency(registration.key), origin: .parameter, provider: provider))
      }
      guard let dependencies = registration.options.dependencies else { continue }
      // Its properties are set in a closure.
      vertices[place].isClosure = registration.hasSetters
      vertices[place].isKnown =
        !registration.hasSetters
        && !mayResolveMore(registration.key.type, than: dependencies)
      for dependency in dependencies { add(dependency, .parameter, to: place) }
    }
  }

  private mutating func noteSeen(_ place: Int) {
    vertices[place].isKnown = true
    vertices[place].isClosure = false
  }

  /// Whether an instance may have dependencies besides its initialiser's, such as property
  /// wrappers.
  ///
  /// A class may, as may any type behind a protocol. A value without parameters may if it has
  /// stored properties.
  private func mayResolveMore(_ type: Any.Type, than parameters: [Dependency]) -> Bool {
    func holdsSomething<Service>(_ type: Service.Type) -> Bool { MemoryLayout<Service>.size > 0 }
    if type is AnyClass || Metadata(type).isAnyExistential { return true }
    return parameters.isEmpty && holdsSomething(type)
  }

  /// Adds a dependency of a node; `other`: the service for it if the node's container has none.
  private mutating func add(
    _ dependency: Dependency, _ origin: DependencyGraph.Edge.Origin, to place: Int,
    _ other: ResolvedService? = nil
  ) {
    let known = self.place(dependency.key, vertices[place].view)
    let provider = known ?? other.map { self.place(of: $0) }
    vertices[place].needs.append(
      Need(dependency: dependency, origin: origin, provider: provider))
  }

  // MARK: Observed dependencies

  /// Adds the dependencies of closures that recorded requests show.
  ///
  /// `here`: whether they were made in the context of the graph, and would have the same results.
  /// `failed`: the requests without whose results a factory failed. Any other may have none.
  mutating func observe(
    _ events: [ResolutionEvent], here: Bool = false, failed: Set<ChainLink> = []
  ) {
    for event in events where event.isRequest {
      if let parent = event.parent.map({ events[$0] }), let at = parent.registeredAt {
        // A double does not prove that there is a live service, except for a property, which
        // declares one.
        let isThere = here || !event.isDouble || event.key.property != nil
        let hasFailed =
          event.requestedAt.map {
            failed.contains(ChainLink(key: event.key, location: $0))
          } ?? false
        observe(
          Dependency(event.key, isOptional: event.kind == .missed && !hasFailed), .observed,
          by: FactoryID(key: parent.key, location: at), isThere ? ResolvedService(event) : nil,
          hasFailed: hasFailed)
      }
      guard event.kind == .created, let at = event.registeredAt else { continue }
      // An alias has no factory: requests on its behalf are dependencies of its target.
      for place in factories[FactoryID(key: event.key, location: at)] ?? [] {
        let place = target(of: place)
        if here || !vertices[place].isKnown { vertices[place].isSeenInPart = !here }
        noteSeen(place)
      }
    }
  }

  /// Adds the later dependencies of an instance that a dry run found.
  mutating func observe(_ later: [LaterNeed], of factory: FactoryID) {
    for need in later {
      observe(Dependency(need.key, isLazy: true), .property, by: factory, need.provider)
    }
  }

  /// Adds a dependency of a factory, unless it is declared or was observed before.
  private mutating func observe(
    _ dependency: Dependency, _ origin: DependencyGraph.Edge.Origin, by factory: FactoryID,
    _ provider: ResolvedService?, hasFailed: Bool = false
  ) {
    let isSame = { (other: Need) in
      other.dependency.key == dependency.key && other.dependency.isLazy == dependency.isLazy
    }
    for place in factories[factory] ?? [] {
      let place = target(of: place)
      if hasFailed { vertices[place].failedWithout.insert(dependency.key) }
      let same = vertices[place].needs.filter(isSame)
      if same.contains(where: { !hasFailed || !$0.dependency.isOptional }) { continue }
      // The factory did without it at first, and failed without it later.
      vertices[place].needs.removeAll { $0.origin == .observed && isSame($0) }
      add(dependency, origin, to: place, provider)
      expand()
    }
  }

  /// Returns the node that makes the instances of a node: itself, or the target of an alias.
  private func target(of place: Int) -> Int {
    var place = place
    var followed: Set<Int> = []
    while vertices[place].registration.aliasTarget != nil, followed.insert(place).inserted,
      let next = vertices[place].needs.first?.provider
    {
      place = next
    }
    return place
  }

  // MARK: The result

  func graph() -> DependencyGraph {
    let names = TypeNames.telling(apart: vertices.map(\.registration.key)) {
      vertices.map {
        (key: "\($0.registration.key)", container: $0.elsewhere ?? $0.found.owner.label)
      }
    }
    let order = vertices.indices.sorted { one, other in
      (names[one].key, names[one].container, vertices[one].registration.id, one)
        < (names[other].key, names[other].container, vertices[other].registration.id, other)
    }
    var newPlaces = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { newPlaces[old] = new }
    var edges: [DependencyGraph.Edge] = []
    var outgoing: [Range<Int>] = []
    for (new, old) in order.enumerated() {
      let start = edges.count
      edges += vertices[old].needs.map { need in
        DependencyGraph.Edge(
          from: new, to: need.provider.map { newPlaces[$0] }, key: need.dependency.key,
          isOptional: need.dependency.isOptional, isLazy: need.dependency.isLazy,
          origin: need.origin)
      }
      outgoing.append(start..<edges.count)
    }
    let nodes = order.map { old in
      let vertex = vertices[old]
      let registration = vertex.registration
      return DependencyGraph.Node(
        key: registration.key, container: names[old].container, scope: "\(vertex.scope)",
        registeredAt: registration.location, isDouble: vertex.found.isDouble,
        implementedBy: registration.aliasTarget, isKnown: vertex.isKnown,
        isClosure: vertex.isClosure)
    }
    return DependencyGraph(
      container: resolver.core.label, nodes: nodes, edges: edges, outgoing: outgoing,
      vertices: order.map { vertices[$0] })
  }
}
