/// A rule of a project for its wiring.
///
/// ```swift
/// try Resolver.main.validate(rules: [.forbid(from: (any Screen).self, to: Database.self)])
/// ```
public struct ValidationRule: Sendable {
  let check: @Sendable (DependencyGraph) -> [WiringFinding]

  /// Creates a rule from a function that checks the graph.
  ///
  /// - Parameter check: Returns the violations of the rule.
  public init(_ check: @escaping @Sendable (DependencyGraph) -> [WiringFinding]) {
    self.check = check
  }

  /// Returns a rule that no service of one type depends on one of another.
  ///
  /// A dependency counts directly or through a protocol that the service implements, decorated or
  /// not. A protocol matches every registered type that conforms to it.
  ///
  /// - Parameters:
  ///   - from: The type of the services that must not have the dependency.
  ///   - to: The type of the forbidden dependency.
  /// - Returns: The rule.
  public static func forbid(from: Any.Type, to: Any.Type) -> ValidationRule {
    ValidationRule { graph in
      graph.nodes.indices.flatMap { place -> [WiringFinding] in
        let node = graph.nodes[place]
        guard node.implementedBy == nil, fits(node.key.type, from) else { return [] }
        var seen: Set<[ServiceKey]> = []
        // What a decoration wraps is no dependency, and has dependencies of its own.
        let wrapped = graph.forwarding(of: place)
        return graph.needs(of: place).compactMap { edge -> WiringFinding? in
          if edge == wrapped { return nil }
          let chain = graph.implementation(of: edge)
          guard chain.contains(where: { fits($0.type, to) }), seen.insert(chain).inserted
          else { return nil }
          return WiringFinding(
            .forbidden, node.key, chain: [node.key] + chain,
            "`\(node.key)` must not need `\(describe(to))`.",
            [
              ("chain:", ([node.key] + chain).map(\.description).joined(separator: " → ")),
              ("registered:", "\(node.registeredAt)"),
              ("rule:", "forbid(from: \(describe(from)), to: \(describe(to)))"),
            ])
        }
      }
    }
  }

  private static func fits(_ type: Any.Type, _ pattern: Any.Type) -> Bool {
    type == pattern || conforms(type, to: pattern)
  }
}

extension DependencyGraph {
  /// Returns the dependencies of a node.
  ///
  /// - Parameter place: The index of the node in `nodes`.
  /// - Returns: The edges from the node.
  public func needs(of place: Int) -> ArraySlice<Edge> { edges[outgoing[place]] }

  /// Returns the requested service of an edge, and those that implement it.
  func implementation(of edge: Edge) -> [ServiceKey] {
    var keys = [edge.key]
    var next = edge.to
    // Aliases may form a cycle.
    while let place = next, keys.count <= nodes.count, let target = forwarding(of: place) {
      // A decoration and what it wraps have the same key.
      if target.key != keys.last { keys.append(target.key) }
      next = target.to
    }
    return keys
  }

  /// Returns the edge from an alias to its target, or from a decoration to what it wraps.
  fileprivate func forwarding(of place: Int) -> Edge? {
    let registration = vertices[place].registration
    guard registration.aliasTarget != nil || registration.isDecoration else { return nil }
    return needs(of: place).first { $0.origin != .observed }
  }
}
