/// Reads the graph off the registrations.
struct GraphBuilder {
  /// A registration, seen from the container that its dependencies are asked of.
  struct Vertex: Sendable {
    // What a registration says never changes.
    private let unchecked: Unchecked<Registration>
    let owner: ContainerCore
    let view: ContainerCore
    let isDouble: Bool

    init(_ found: Found, view: ContainerCore) {
      unchecked = Unchecked(found.registration)
      owner = found.owner
      self.view = view
      isDouble = found.isDouble
    }

    var registration: Registration { unchecked.value }
  }

  /// A need, before nodes have their final places.
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

  private let asked: Resolver
  private let frame: ContextFrame?
  private var vertices: [Vertex] = []
  private var places: [Identity: Int] = [:]
  private var needs: [[(need: Need, to: Int?)]] = []
  private var isKnown: [Bool] = []
  private var expanded = 0

  init(_ asked: Resolver, _ frame: ContextFrame?) {
    self.asked = asked
    self.frame = frame
    var seen: Set<ServiceKey> = []
    for registration in asked.core.reachable(frame)
    where registration.key.type != LoadedProperty.self {
      if seen.insert(registration.key).inserted { _ = place(registration.key, asked.core) }
    }
    expand()
  }

  // MARK: Nodes

  /// The place of what answers for a key in a view, or nil.
  private mutating func place(_ key: ServiceKey, _ view: ContainerCore) -> Int? {
    Lookup.answer(key.rawKey, in: view, frame).map { place(of: $0, view) }
  }

  private mutating func place(of found: Found, _ view: ContainerCore) -> Int {
    let found = view.resolver.map { found.listed(asked: $0, frame) } ?? found
    let registration = found.registration
    let isBuiltByOwner =
      registration.scope.kind == .owner || registration.scope.kind == .ownerWeak
    let view = isBuiltByOwner ? found.owner : view
    let identity = Identity(registration: registration.id, view: ObjectIdentifier(view))
    if let place = places[identity] { return place }
    let place = vertices.count
    places[identity] = place
    vertices.append(Vertex(found, view: view))
    needs.append([])
    isKnown.append(false)
    return place
  }

  /// Follows what nodes declare, and the nodes that this leads to.
  private mutating func expand() {
    while expanded < vertices.count {
      let place = expanded
      expanded += 1
      let registration = vertices[place].registration
      if let target = registration.aliasTarget {
        isKnown[place] = true
        add(Need(key: target, origin: .implements), to: place)
      }
      if let wrapped = wrapped(by: place) {
        // What makes the decoration of it gets nothing else.
        isKnown[place] = true
        let need = Need(key: registration.key, origin: .parameter)
        needs[place].append((need, self.place(of: wrapped, vertices[place].view)))
      }
      guard let dependencies = registration.options.dependencies else { continue }
      // What its properties are set with is said in a closure.
      isKnown[place] = !registration.setsProperties
      for dependency in dependencies {
        add(
          Need(
            key: dependency.key, isOptional: dependency.isOptional, isLazy: dependency.isLazy,
            origin: .parameter), to: place)
      }
    }
  }

  /// What the decoration at a node wraps; nil for all others.
  private func wrapped(by place: Int) -> Found? {
    let vertex = vertices[place]
    guard vertex.registration.home.isUnder, let asked = vertex.view.resolver else { return nil }
    return Found(
      registration: vertex.registration, owner: vertex.owner, isDouble: vertex.isDouble
    ).next(asked: asked, frame)
  }

  private mutating func add(_ need: Need, to place: Int) {
    let to = self.place(need.key, vertices[place].view)
    needs[place].append((need, to))
  }

  // MARK: What was observed

  /// Adds what recorded requests show of the needs of closures.
  mutating func observe(_ events: [ResolutionEvent]) {
    var byRegistration: [Key: [Int]] = [:]
    for (place, vertex) in vertices.enumerated() {
      let registration = vertex.registration
      byRegistration[Key(registration.key, registration.location), default: []].append(place)
    }
    for event in events where event.isRequest {
      guard let at = event.registeredAt else { continue }
      // An alias has no factory: what was asked for on its behalf, its target needs.
      for place in byRegistration[Key(event.key, at)] ?? [] where event.kind == .created {
        isKnown[target(of: place)] = true
      }
    }
    for event in events where event.isRequest {
      guard let parent = event.parent.map({ events[$0] }), let at = parent.registeredAt else {
        continue
      }
      for place in byRegistration[Key(parent.key, at)] ?? [] {
        observe(
          Need(key: event.key, isOptional: event.kind == .missed, origin: .observed),
          at: target(of: place))
      }
    }
    expand()
  }

  private struct Key: Hashable {
    let key: ServiceKey
    let location: CodeLocation

    init(_ key: ServiceKey, _ location: CodeLocation) {
      self.key = key
      self.location = location
    }
  }

  /// The node that makes the instances of a node: itself, or what it is an alias for.
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

  /// Adds a need, unless it is declared or was seen before.
  private mutating func observe(_ need: Need, at place: Int) {
    if needs[place].contains(where: { $0.need.key == need.key && $0.need.isLazy == need.isLazy }) {
      return
    }
    add(need, to: place)
  }

  /// Adds what a dry run saw of an instance: the lazy wrappers in it.
  mutating func observe(lazy keys: [ServiceKey], of id: UInt64) {
    for place in vertices.indices where vertices[place].registration.id == id {
      let place = target(of: place)
      for key in keys { observe(Need(key: key, isLazy: true, origin: .property), at: place) }
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
        scope: registration.scope.description, registeredAt: registration.location,
        isDouble: vertices[old].isDouble, implementedBy: registration.aliasTarget,
        isKnown: isKnown[old])
    }
    return DependencyGraph(
      container: asked.core.label, nodes: nodes, edges: edges, outgoing: outgoing,
      vertices: order.map { vertices[$0] })
  }
}
