// The graph of the services of a container, and the checks on it. `GraphBuilder` reads it from the
// registrations without running any code. Nodes are registrations as one container sees them: the
// owner for a service that its owner builds, otherwise the container of the request. Edges are the
// known parameters of initialisers, the targets of `implements` and the services that decorations
// wrap. A recorder's events and a dry run add the edges of closures. `Validator` finds faults and
// puts them into a `ValidationReport`; the pictures are in DependencyGraph+Pictures.swift. All of
// them use lists, never recursion, so that depth does not matter. Without faults they take time
// in proportion to the edges; a fault, a lazy edge in a cycle, and a service that several
// containers see differently are traced by searches of their own. Everything is sorted and free
// of addresses.

/// A graph of the services that a container provides and their dependencies.
public struct DependencyGraph: Sendable {
  /// A registration as the container of the graph sees it.
  public struct Node: Sendable, Hashable {
    /// The service that it is registered for.
    public let key: ServiceKey
    /// The container that holds it.
    public let container: String
    /// The scope, which decides how long instances are kept.
    public let scope: String
    /// The location of the registration.
    public let registeredAt: CodeLocation
    /// Whether it is a test double rather than a registration of production code.
    public let isDouble: Bool
    /// The service that an alias made by `implements` refers to.
    public let implementedBy: ServiceKey?
    /// Whether all its dependencies are known: from an initialiser, a recording or a dry run.
    ///
    /// An initialiser does not show the dependencies of a class's property wrappers.
    public internal(set) var isKnown: Bool
    /// Whether its dependencies are those of a closure that was not run.
    let isClosure: Bool
  }

  /// A dependency of a service.
  public struct Edge: Sendable, Hashable {
    /// The source of the information about a dependency.
    public enum Origin: String, Sendable, Hashable {
      /// A parameter of an initialiser, or of a function.
      case parameter
      /// The target of an alias.
      case implements
      /// A property wrapper that was found in an instance.
      case property
      /// A request seen by a recorder or in a dry run.
      case observed
    }

    /// The index in `nodes` of the node that has the dependency.
    public let from: Int
    /// The index in `nodes` of the node that provides it, or nil if none does.
    public let to: Int?
    /// The key of the requested service.
    public let key: ServiceKey
    /// Whether the service accepts its absence.
    public let isOptional: Bool
    /// Whether it is resolved later, when it is first used.
    public let isLazy: Bool
    /// The source of the information.
    public let origin: Origin
  }

  /// The name of the container whose graph this is.
  public let container: String
  /// All registrations, sorted by their services and containers.
  public internal(set) var nodes: [Node]
  /// All dependencies, in the order of `nodes`, then in the order of the requests.
  public internal(set) var edges: [Edge]

  /// The ranges in `edges` of each node's dependencies.
  let outgoing: [Range<Int>]
  /// The registrations of the nodes.
  let vertices: [GraphBuilder.Vertex]
}

extension Resolver {
  /// Returns the graph, with the dependencies of closures as recorded.
  ///
  /// - Parameter recorders: Recordings of runs of this container.
  /// - Returns: The graph.
  public func graph(observedBy recorders: ResolutionRecorder...) -> DependencyGraph {
    prepareForListing()
    var builder = GraphBuilder(self, ContextFrame.current)
    for recorder in recorders { builder.observe(recorder.events) }
    return builder.graph()
  }
}
