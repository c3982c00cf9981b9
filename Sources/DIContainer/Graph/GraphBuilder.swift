/// A builder of the graph of a container's registrations.
struct GraphBuilder {
  /// A registration, with the container that its dependencies are resolved from.
  struct Vertex: Sendable {
    // A registration is immutable.
    private let unchecked: Unchecked<Registration>
    let owner: ContainerCore
    let view: ContainerCore
    let isDouble: Bool
    let scope: Scope
    /// The name of the container that provides it, if the view does not reach that container or has
    /// no registration for it.
    let elsewhere: String?
    /// Whether it is known only by a recording, which may lack later dependencies or those of other
    /// runs.
    fileprivate(set) var isSeenInPart = false

    init(_ found: Found, view: ContainerCore) {
      unchecked = Unchecked(found.registration)
      owner = found.owner
      self.view = view
      isDouble = found.isDouble
      scope = found.registration.scope
      elsewhere = nil
    }

    /// Creates a placeholder for a service of another container, of which nothing more is known.
    init(_ service: ResolvedService, view: ContainerCore) {
      unchecked = Unchecked(
        Registration(
          key: service.key, scope: .unique, location: service.registeredAt,
          maker: Maker.nothing, options: Registration.Options()))
      owner = view
      self.view = view
      isDouble = service.isDouble
      scope = service.scope
      elsewhere = service.container
    }

    var registration: Registration { unchecked.value }
  }

  /// A dependency, before nodes have their final indices.
  struct Need: Hashable {
    let key: ServiceKey
    var isOptional = false
    var isLazy = false
    let origin: DependencyGraph.Edge.Origin
  }

  private struct Identity: Hashable {
    let registration: UInt64
    let view: ObjectIdentifier
  }

  private let resolver: Resolver
  private let frame: ContextFrame?
  private var vertices: [Vertex] = []
  private var places: [Identity: Int] = [:]
  private var elsewhere: [FactoryID: Int] = [:]
  private var needs: [[(need: Need, to: Int?)]] = []
  private var isKnown: [Bool] = []
  /// The nodes whose factories are closures that were not run.
  private var isClosure: [Bool] = []
  private var expanded = 0

  init(_ resolver: Resolver, _ frame: ContextFrame?) {
    self.resolver = resolver
    self.frame = frame
    var seen: Set<ServiceKey> = []
    for registration in resolver.core.reachable(frame)
    where !registration.isUnlisted {
      if seen.insert(registration.key).inserted { _ = place(registration.key, resolver.core) }
    }
    expand()
  }

  // MARK: Nodes

  /// Returns the index of the node for a key in a view, or nil.
  private mutating func place(_ key: ServiceKey, _ view: ContainerCore) -> Int? {
    Lookup.findComplete(key.rawKey, in: view, frame).map { place(of: $0, view) }
  }

  private mutating func place(of found: Found, _ view: ContainerCore) -> Int {
    let found = found.listed(in: view, frame)
    let registration = found.registration
    let isBuiltByOwner = registration.scope.owner == .registeringContainer
    let view = isBuiltByOwner ? found.owner : view
    let identity = Identity(registration: registration.id, view: ObjectIdentifier(view))
    if let place = places[identity] { return place }
    let place = vertices.count
    places[identity] = place
    add(Vertex(found, view: view))
    return place
  }

  /// Returns the index of the node for a service of another container.
  private mutating func place(of service: ResolvedService) -> Int {
    let factory = FactoryID(service.key, service.registeredAt)
    if let place = elsewhere[factory] { return place }
    let place = vertices.count
    elsewhere[factory] = place
    add(Vertex(service, view: resolver.core))
    return place
  }

  private mutating func add(_ vertex: Vertex) {
    vertices.append(vertex)
    needs.append([])
    isKnown.append(false)
    isClosure.append(true)
  }

  /// Adds the declared dependencies of nodes, and the nodes that they lead to.
  private mutating func expand() {
    while expanded < vertices.count {
      let place = expanded
      expanded += 1
      let registration = vertices[place].registration
      if let target = registration.aliasTarget {
        noteSeen(place)
        add(Need(key: target, origin: .implements), to: place)
      }
      if let wrapped = wrapped(by: place) {
        // The decoration's closure receives nothing else.
        noteSeen(place)
        let need = Need(key: registration.key, origin: .parameter)
        needs[place].append((need, self.place(of: wrapped, vertices[place].view)))
      }
      guard let dependencies = registration.options.dependencies else { continue }
      // Its properties are set in a closure.
      isClosure[place] = registration.setsProperties
      isKnown[place] =
        !registration.setsProperties
        && !mayAskForMore(registration.key.type, than: dependencies)
      for dependency in dependencies {
        add(
          Need(
            key: dependency.key, isOptional: dependency.isOptional, isLazy: dependency.isLazy,
            origin: .parameter), to: place)
      }
    }
  }

  private mutating func noteSeen(_ place: Int) {
    isKnown[place] = true
    isClosure[place] = false
  }

  /// Whether an instance may have dependencies besides its initialiser's, such as property
  /// wrappers.
  ///
  /// A class may, as may any type behind a protocol. A value without parameters may if it has
  /// stored properties.
  private func mayAskForMore(_ type: Any.Type, than parameters: [Dependency]) -> Bool {
    func holdsSomething<Service>(_ type: Service.Type) -> Bool { MemoryLayout<Service>.size > 0 }
    if type is AnyClass || Metadata(type).isAnyExistential { return true }
    return parameters.isEmpty && holdsSomething(type)
  }

  /// Returns the registration that a decoration at a node wraps; nil for all others.
  private func wrapped(by place: Int) -> Found? {
    let vertex = vertices[place]
    guard vertex.registration.isDecoration else { return nil }
    return Found(
      registration: vertex.registration, owner: vertex.owner, isDouble: vertex.isDouble
    ).next(in: vertex.view, frame)
  }

  private mutating func add(_ need: Need, to place: Int) {
    let to = self.place(need.key, vertices[place].view)
    needs[place].append((need, to))
  }

  // MARK: Observed dependencies

  /// The identity of a factory in recordings.
  struct FactoryID: Hashable {
    let key: ServiceKey
    let location: CodeLocation

    init(_ key: ServiceKey, _ location: CodeLocation) {
      self.key = key
      self.location = location
    }
  }

  /// The nodes by the identity of their factories in recordings.
  private var factories: [FactoryID: [Int]] {
    Dictionary(grouping: vertices.indices) { place in
      let registration = vertices[place].registration
      return FactoryID(registration.key, registration.location)
    }
  }

  /// Adds the dependencies of closures that recorded requests show.
  ///
  /// `here`: whether they were made in the context of the graph, and would have the same results.
  mutating func observe(_ events: [ResolutionEvent], here: Bool = false) {
    var factories = factories
    for event in events where event.isRequest {
      if let parent = event.parent.map({ events[$0] }), let at = parent.registeredAt {
        for place in factories[FactoryID(parent.key, at)] ?? [] {
          observe(event, by: target(of: place), &factories, here: here)
        }
      }
      guard event.kind == .created, let at = event.registeredAt else { continue }
      // An alias has no factory: requests on its behalf are dependencies of its target.
      for place in factories[FactoryID(event.key, at)] ?? [] {
        let place = target(of: place)
        if here || !isKnown[place] { vertices[place].isSeenInPart = !here }
        noteSeen(place)
      }
    }
  }

  private mutating func observe(
    _ event: ResolutionEvent, by place: Int, _ factories: inout [FactoryID: [Int]], here: Bool
  ) {
    // A double does not prove that there is a live service, except for a property, which declares
    // one.
    let isThere = here || !event.isDouble || event.key.property != nil
    let count = vertices.count
    observe(
      Need(key: event.key, isOptional: event.kind == .missed, origin: .observed), at: place,
      isThere ? ResolvedService(event) : nil)
    expand()
    for place in count..<vertices.count {
      let registration = vertices[place].registration
      factories[FactoryID(registration.key, registration.location), default: []].append(place)
    }
  }

  /// Returns the node that makes the instances of a node: itself, or the target of an alias.
  private func target(of place: Int) -> Int {
    var place = place
    var followed: Set<Int> = []
    while vertices[place].registration.aliasTarget != nil, followed.insert(place).inserted,
      let next = needs[place].first?.to
    {
      place = next
    }
    return place
  }

  /// Adds a dependency, unless it is declared or was observed before.
  ///
  /// `provider`: the service that provides it if the node's container does not.
  private mutating func observe(_ need: Need, at place: Int, _ provider: ResolvedService?) {
    if needs[place].contains(where: { $0.need.key == need.key && $0.need.isLazy == need.isLazy }) {
      return
    }
    let to = self.place(need.key, vertices[place].view) ?? provider.map { self.place(of: $0) }
    needs[place].append((need, to))
  }

  /// Adds the later dependencies of an instance that a dry run found.
  mutating func observe(_ later: [LaterNeed], of factory: FactoryID) {
    for place in factories[factory] ?? [] {
      let place = target(of: place)
      for later in later {
        observe(Need(key: later.key, isLazy: true, origin: .property), at: place, later.provider)
      }
    }
    expand()
  }

  // MARK: The result

  func graph() -> DependencyGraph {
    var types: [ObjectIdentifier: String] = [:]
    var labels: [ObjectIdentifier: String] = [:]
    let names = TypeNames.telling(apart: vertices.map(\.registration.key)) {
      vertices.map { vertex in
        let key = vertex.registration.key
        let type = types[ObjectIdentifier(key.type)] ?? describe(key.type)
        types[ObjectIdentifier(key.type)] = type
        if let label = vertex.elsewhere {
          return (key: key.description(of: type), container: label)
        }
        let label = labels[ObjectIdentifier(vertex.owner)] ?? vertex.owner.label
        labels[ObjectIdentifier(vertex.owner)] = label
        return (key: key.description(of: type), container: label)
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
      for (need, to) in needs[old] {
        edges.append(
          DependencyGraph.Edge(
            from: new, to: to.map { newPlaces[$0] }, key: need.key, isOptional: need.isOptional,
            isLazy: need.isLazy, origin: need.origin))
      }
      outgoing.append(start..<edges.count)
    }
    let nodes = order.map { old in
      let registration = vertices[old].registration
      return DependencyGraph.Node(
        key: registration.key, container: names[old].container,
        scope: vertices[old].scope.description, registeredAt: registration.location,
        isDouble: vertices[old].isDouble, implementedBy: registration.aliasTarget,
        isKnown: isKnown[old], isClosure: isClosure[old])
    }
    return DependencyGraph(
      container: resolver.core.label, nodes: nodes, edges: edges, outgoing: outgoing,
      vertices: order.map { vertices[$0] })
  }
}
