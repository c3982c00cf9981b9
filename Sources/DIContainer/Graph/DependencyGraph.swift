// The graph of what a container can answer, and the checks on it. `GraphBuilder` reads it off the
// registrations, running nothing: nodes are registrations as one container sees them (a service
// that its owner builds is seen from the owner, everything else from the container that is asked),
// edges are what initialisers are known to need, what `implements` stands for and what decorations
// wrap. A recorder's events and a dry run add the edges of closures. `Validator` looks for faults
// and puts them into a `ValidationReport`; the pictures are in DependencyGraph+Pictures.swift. All
// of them work through lists, never recursion, so that depth does not matter. Where nothing is
// wrong they take time in proportion to the edges; a fault, a lazy edge in a circle, and what
// several containers see each in its way, is traced by a search of its own. Everything is sorted
// and free of addresses.

/// The services that a container can answer, and what they need.
public struct DependencyGraph: Sendable {
  /// A registration, as it shows from the container whose graph this is.
  public struct Node: Sendable, Hashable {
    /// What is registered.
    public let key: ServiceKey
    /// The container that holds it.
    public let container: String
    /// How long instances are kept, and by whom.
    public let scope: String
    /// Where it was registered.
    public let registeredAt: CodeLocation
    /// Whether a test put it there.
    public let isDouble: Bool
    /// The service that an alias made by `implements` stands for.
    public let implementedBy: ServiceKey?
    /// Whether all that it needs is known: from an initialiser, a recording or a dry run.
    ///
    /// An initialiser does not say what a class asks for by its property wrappers.
    public internal(set) var isKnown: Bool
    /// Whether a closure that nobody ran says what it needs.
    let isClosure: Bool
  }

  /// Something that a service needs.
  public struct Edge: Sendable, Hashable {
    /// How it is known.
    public enum Origin: String, Sendable, Hashable {
      /// A parameter of an initialiser, or of a function.
      case parameter
      /// The service stands for another.
      case implements
      /// A property wrapper that was found in an instance.
      case property
      /// A recorder saw it, or a dry run.
      case observed
    }

    /// The place of the node that needs it in `nodes`.
    public let from: Int
    /// The place of the node that answers in `nodes`, or nil if none does.
    public let to: Int?
    /// What is asked for.
    public let key: ServiceKey
    /// Whether the service can do without.
    public let isOptional: Bool
    /// Whether it is asked for later, when it is first used.
    public let isLazy: Bool
    /// How it is known.
    public let origin: Origin
  }

  /// The name of the container whose graph this is.
  public let container: String
  /// All registrations, sorted by their services and containers.
  public internal(set) var nodes: [Node]
  /// All that they need, in the order of `nodes`, then in the order in which it is asked for.
  public internal(set) var edges: [Edge]

  /// The places in `edges` of what a node needs.
  let outgoing: [Range<Int>]
  /// What stands behind the nodes.
  let vertices: [GraphBuilder.Vertex]
}

extension Resolver {
  /// The services that this container can answer, and their known needs; runs no factory.
  ///
  /// Inside a sandbox or a layer it is that scope's view.
  public var graph: DependencyGraph { graph() }

  /// The graph, with the needs of closures as recorders saw them.
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
