// The graph of the services of a container, and the checks on it. `GraphBuilder` reads it from the
// registrations without running any code. Nodes are registrations as one container sees them: the
// owner for a service that its owner builds, otherwise the container of the request. Edges are the
// known parameters of initialisers, the targets of `implements` and the services that decorations
// wrap. A recorder's events and a dry run add the edges of closures. `Validator` finds faults and
// puts them into a `ValidationReport`; the pictures are in DependencyGraph+Pictures.swift. All of
// them use lists, never recursion, so that depth does not matter. Without faults they take time
// in proportion to the edges; a fault, and a service that several containers see differently, are
// traced by searches of their own. Everything is sorted and free of addresses.

/// A graph of the services that a container provides and their dependencies.
///
/// ```swift
/// print(Resolver.main.graph)
/// ```
public struct DependencyGraph: Sendable {
  /// A registration as a container sees it.
  struct Node: Sendable {
    // It is immutable.
    private let unchecked: Unchecked<Found>
    /// The container that its dependencies are resolved from.
    let view: ContainerCore
    /// The name of the container that provides it, if the view does not reach that container or has
    /// no registration for it.
    let elsewhere: String?
    /// Whether all its dependencies are known: from an initialiser, a recording or a dry run.
    var isKnown = false
    /// Whether its dependencies are those of a closure that was not run.
    var isClosure = true
    var needs: [Edge] = []

    init(_ found: Found, view: ContainerCore) {
      unchecked = Unchecked(found)
      self.view = view
      elsewhere = nil
    }

    /// Creates a placeholder for a service of another container, of which nothing more is known.
    ///
    /// A service that is declared as a property is provided by its container without a
    /// registration, and one by type may be requested from a container outside the graph.
    init(_ service: EventNote, view: ContainerCore) {
      let registration = Registration(
        key: service.key, scope: service.scope ?? .unique,
        location: service.registeredAt ?? CodeLocation(),
        maker: .nothing, options: Registration.Options())
      unchecked = Unchecked(
        Found(registration: registration, owner: view, isDouble: service.isDouble))
      self.view = view
      elsewhere = service.container
    }

    var found: Found { unchecked.value }
    var registration: Registration { found.registration }
    var scope: Scope { registration.scope }
    var key: ServiceKey { registration.key }
    var registeredAt: CodeLocation { registration.location }
    var container: String { elsewhere ?? found.owner.label }
    var isDouble: Bool { found.isDouble }
    /// The boundary that the service is behind; none if it is a double.
    var boundary: String? { isDouble ? nil : registration.options.boundary }
    /// The service that an alias made by `implements` refers to.
    var implementedBy: ServiceKey? { registration.aliasTarget }
  }

  /// A dependency of a node.
  struct Edge: Sendable, Hashable {
    enum Origin: Sendable {
      /// A parameter of an initialiser or a function, or what a decoration wraps.
      case parameter
      /// The target of an alias.
      case implements
      /// A property that an injection sets: the instance exists by then.
      case injection
      /// A property wrapper that was found in an instance.
      case property
      /// A request seen by a recorder or in a dry run.
      case observed
      /// A request without whose result a factory failed in a dry run, which reports it.
      case failed
    }

    /// The index of the node that has the dependency.
    var from: Int
    /// The index of the node that provides it, or nil if none does.
    var to: Int?
    let dependency: Dependency
    let origin: Origin

    var key: ServiceKey { dependency.key }
    var isOptional: Bool { dependency.isOptional }
    var isLazy: Bool { dependency.isLazy }
  }

  /// The name of the container whose graph this is.
  let container: String
  /// All registrations, sorted by their services and containers.
  let nodes: [Node]
  private let places: [ServiceKey: [Int]]

  init(container: String, nodes: [Node]) {
    self.container = container
    self.nodes = nodes
    places = Dictionary(grouping: nodes.indices) { nodes[$0].key }
  }

  /// All dependencies, in the order of `nodes`, then in the order of the requests.
  var edges: some Sequence<Edge> { nodes.lazy.flatMap(\.needs) }

  /// The services that the container provides, sorted by their names.
  public var keys: [ServiceKey] {
    var seen: Set<ServiceKey> = []
    return nodes.map(\.key).filter { seen.insert($0).inserted }
  }

  /// Returns the known dependencies of a service, each once.
  ///
  /// - Parameter key: The service, as in `keys`.
  /// - Returns: Its dependencies, in the order of the requests; none if the service is not in the
  ///   graph.
  public func dependencies(of key: ServiceKey) -> [Dependency] {
    var seen: Set<Dependency> = []
    return places[key, default: []].flatMap { nodes[$0].needs }.map(\.dependency)
      // A decoration and what it wraps are one service.
      .filter { $0.key != key && seen.insert($0).inserted }
  }
}

extension [DependencyGraph.Node] {
  /// Returns the node that makes the instances of a node: itself, or the target of an alias.
  func target(of place: Int) -> Int {
    var place = place
    var followed: Set<Int> = []
    while self[place].implementedBy != nil, followed.insert(place).inserted,
      let next = self[place].needs.first?.to
    {
      place = next
    }
    return place
  }
}

extension Resolver {
  /// Returns the graph, with the dependencies of closures as recorded in runs of this container.
  package func graph(
    observing recordings: [EventLog], _ run: DryRun? = nil
  ) -> DependencyGraph {
    prepareForListing()
    var builder = GraphBuilder(self, ContextFrame.current)
    for recording in recordings { builder.observe(recording) }
    run?.add(to: &builder)
    return builder.graph()
  }
}
