struct GraphBuilder {
  typealias Node = DependencyGraph.Node
  typealias Edge = DependencyGraph.Edge

  /// The identity of a factory in recordings.
  struct FactoryID: Hashable {
    let key: ServiceKey
    let location: CodeLocation
  }

  /// A registration, as a container sees it.
  struct Identity: Hashable {
    private let registration: UInt64
    private let view: ObjectIdentifier

    init(_ registration: Registration, _ view: ContainerCore) {
      (self.registration, self.view) = (registration.id, ObjectIdentifier(view))
    }
  }

  private let resolver: Resolver
  private let frame: ContextFrame?
  private var nodes: [Node] = []
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
    let found = found.listed
    let registration = found.registration
    let isBuiltByOwner = registration.scope.keptBy == .registeringContainer
    let view = isBuiltByOwner ? found.owner : view
    let identity = Identity(registration, view)
    if let place = places[identity] { return place }
    let place = add(Node(found, view: view))
    places[identity] = place
    return place
  }

  /// Returns the index of the node for a service of another container.
  private mutating func place(of service: EventNote) -> Int {
    let node = Node(service, view: resolver.core)
    return factories[node.factory]?.first { nodes[$0].elsewhere != nil } ?? add(node)
  }

  private mutating func add(_ node: Node) -> Int {
    factories[node.factory, default: []].append(nodes.count)
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds the declared dependencies of nodes, and the nodes that they lead to.
  private mutating func expand() {
    while expanded < nodes.count {
      let place = expanded
      expanded += 1
      let registration = nodes[place].registration
      let view = nodes[place].view
      let next = nodes[place].found.next.map { self.place(of: $0, view) }
      if let target = registration.aliasTarget {
        noteSeen(place)
        add(Dependency(target), .implements, to: place, provider: next)
      } else if registration.isDecoration, let next {
        // Its closure receives nothing else, but may resolve more from a captured container.
        add(Dependency(registration.key), .parameter, to: place, provider: next)
      }
      for setter in registration.maker.details.setters {
        for dependency in setter.needs {
          add(dependency, setter.isOfCycle ? .property : .injection, to: place)
        }
      }
      guard let dependencies = registration.options.rare.dependencies else { continue }
      // Its properties are set in a closure.
      nodes[place].isClosure = registration.hasSetters
      nodes[place].isKnown =
        !registration.hasSetters
        && !mayResolveMore(registration.key.type, than: dependencies)
      for dependency in dependencies { add(dependency, .parameter, to: place) }
    }
  }

  private mutating func noteSeen(_ place: Int) {
    nodes[place].isKnown = true
    nodes[place].isClosure = false
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
    _ dependency: Dependency, _ origin: Edge.Origin, to place: Int,
    _ other: EventNote? = nil
  ) {
    let known = self.place(dependency.key, nodes[place].view)
    add(dependency, origin, to: place, provider: known ?? other.map { self.place(of: $0) })
  }

  private mutating func add(
    _ dependency: Dependency, _ origin: Edge.Origin, to place: Int, provider: Int?
  ) {
    nodes[place].needs.append(
      Edge(from: place, to: provider, dependency: dependency, origin: origin))
  }

  // MARK: Observed dependencies

  /// Adds the dependencies of closures that recorded requests show.
  ///
  /// `here`: whether they were made in the context of the graph, and would have the same results.
  /// `failed`: the requests without whose results a factory failed. Any other may have none.
  mutating func observe(
    _ events: EventLog, here: Bool = false, failed: Set<ChainLink> = []
  ) {
    let numbered = events.numbered
    for event in events.notes where event.outcome != nil {
      if let parent = numbered[event.parent].map({ events.notes[$0] }),
        let at = parent.registeredAt
      {
        // A double does not prove that there is a live service, except for a property, which
        // declares one.
        let isThere = here || !event.isDouble || event.key.property != nil
        let hasFailed =
          event.requestedAt.map {
            failed.contains(ChainLink(key: event.key, location: $0))
          } ?? false
        observe(
          Dependency(event.key, isOptional: event.outcome == .missed && !hasFailed),
          hasFailed ? .failed : .observed, by: FactoryID(key: parent.key, location: at),
          isThere && event.outcome != .missed && event.registeredAt != nil ? event : nil)
      }
      guard event.outcome == .created, let at = event.registeredAt else { continue }
      // An alias has no factory: requests on its behalf are dependencies of its target.
      for place in factories[FactoryID(key: event.key, location: at)] ?? [] {
        noteSeen(nodes.target(of: place))
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
    _ dependency: Dependency, _ origin: Edge.Origin, by factory: FactoryID,
    _ provider: EventNote?
  ) {
    let isSame = { (other: Edge) in
      other.key == dependency.key && other.isLazy == dependency.isLazy
    }
    for place in factories[factory] ?? [] {
      let place = nodes.target(of: place)
      let same = nodes[place].needs.filter(isSame)
      if same.contains(where: { origin != .failed || !$0.isOptional }) { continue }
      // The factory did without it at first, and failed without it later.
      nodes[place].needs.removeAll { $0.origin == .observed && isSame($0) }
      add(dependency, origin, to: place, provider)
      expand()
    }
  }

  // MARK: The result

  func graph() -> DependencyGraph {
    let names = TypeNames.telling(apart: nodes.map(\.key)) {
      nodes.map { (key: "\($0.key)", container: $0.container, id: $0.registration.id) }
    }
    let order = nodes.indices.sorted { one, other in
      (names[one].key, names[one].container, names[one].id, one)
        < (names[other].key, names[other].container, names[other].id, other)
    }
    var newPlaces = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { newPlaces[old] = new }
    return DependencyGraph(
      container: resolver.core.label,
      nodes: order.map { old in
        var node = nodes[old]
        for index in node.needs.indices {
          node.needs[index].from = newPlaces[old]
          node.needs[index].to = node.needs[index].to.map { newPlaces[$0] }
        }
        return node
      })
  }
}

extension DependencyGraph.Node {
  fileprivate var factory: GraphBuilder.FactoryID {
    GraphBuilder.FactoryID(key: key, location: registeredAt)
  }
}
