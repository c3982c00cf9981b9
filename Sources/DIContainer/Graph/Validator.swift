/// A search for faults in a graph, which runs no user code.
final class Validator {
  let graph: DependencyGraph
  let resolver: Resolver
  let frame: ContextFrame?
  /// The number of edges followed, which is most of the work.
  private(set) var steps = 0
  private(set) var findings: [WiringFinding] = []
  /// The edges that lead to each node.
  private(set) lazy var incoming = {
    var incoming = [[DependencyGraph.Edge]](repeating: [], count: nodes.count)
    for edge in graph.edges {
      if let to = edge.to { incoming[to].append(edge) }
    }
    return incoming
  }()

  /// The first node of each registration.
  private(set) lazy var first = Dictionary(
    nodes.indices.map { (nodes[$0].registration.id, $0) }, uniquingKeysWith: min)

  init(_ graph: DependencyGraph, container resolver: Resolver, _ frame: ContextFrame?) {
    self.graph = graph
    self.resolver = resolver
    self.frame = frame
  }

  /// `isAfterDryRun`: whether the graph has the dependencies of closures, as far as they ran.
  func run(roots: [Any.Type], isAfterDryRun: Bool) {
    findMissing(roots)
    if !isAfterDryRun { findUnseen(roots) }
    findCycles()
    findAwaited()
    findBrokenPromises()
    findOrderDependence()
    findCaptives()
    findReplaced()
  }

  func add(_ finding: WiringFinding) { findings.append(finding) }
  func step() { steps += 1 }

  var nodes: [DependencyGraph.Node] { graph.nodes }

  func facts(_ keys: [ServiceKey]) -> (String, String) {
    ("chain:", keys.map(\.description).joined(separator: " → "))
  }

  /// Returns the nodes that nothing needs, or those of the given types.
  func rootPlaces(_ roots: [Any.Type]) -> Set<Int> {
    if roots.isEmpty { return Set(nodes.indices.filter { incoming[$0].isEmpty }) }
    let types = Set(roots.map { ObjectIdentifier($0) })
    return Set(nodes.indices.filter { types.contains(ObjectIdentifier(nodes[$0].key.type)) })
  }

  /// Follows dependencies from nodes, the nearest first, to the first that fits.
  ///
  /// - Parameters:
  ///   - starts: The nodes to begin with.
  ///   - counts: Whether a dependency is looked at.
  ///   - enters: Whether the dependencies of a node are followed.
  ///   - fits: Returns a value for a dependency that is searched for.
  /// - Returns: The value with the way to it, if one fits, and the nodes whose dependencies were
  ///   followed.
  func search<Value>(
    from starts: [Int], along counts: (DependencyGraph.Edge) -> Bool = { _ in true },
    into enters: (Int) -> Bool = { _ in true }, _ fits: (DependencyGraph.Edge) -> Value?
  ) -> (found: (value: Value, way: [DependencyGraph.Edge])?, visited: Set<Int>) {
    var visited = Set(starts)
    var previous: [Int: DependencyGraph.Edge] = [:]
    var queue = starts
    var position = 0
    while position < queue.count {
      let place = queue[position]
      position += 1
      for edge in nodes[place].needs where counts(edge) {
        step()
        if let value = fits(edge) {
          var way = [edge]
          while let earlier = previous[way.last!.from] { way.append(earlier) }
          return ((value, way.reversed()), visited)
        }
        guard let to = edge.to, enters(to), visited.insert(to).inserted else { continue }
        previous[to] = edge
        queue.append(to)
      }
    }
    return (nil, visited)
  }
}

// MARK: - Missing

extension Validator {
  private struct Need: Hashable {
    let key: ServiceKey
    let view: ObjectIdentifier
  }

  private static let shownChains = 5

  func findMissing(_ roots: [Any.Type]) {
    let missing = graph.edges.filter { $0.to == nil && !$0.isOptional && $0.origin != .failed }
    let needs = Dictionary(grouping: missing) { edge in
      Need(key: edge.key, view: ObjectIdentifier(nodes[edge.from].view))
    }
    if !needs.isEmpty {
      let roots = rootPlaces(roots)
      for (need, edges) in needs { add(finding(need.key, edges, roots)) }
    }
    let types = Set(nodes.map { ObjectIdentifier($0.key.type) })
    for type in roots where !types.contains(ObjectIdentifier(type)) {
      let key = ServiceKey(type)
      let headline = "Nothing is registered for the root `\(key)`."
      add(finding(key, in: resolver, chain: [key], headline))
    }
  }

  /// Returns the finding that a container has no registration for a service, with similar ones.
  private func finding(
    _ key: ServiceKey, in container: Resolver, chain: [ServiceKey], _ headline: String,
    _ facts: [(String, String)] = []
  ) -> WiringFinding {
    let error = ResolutionError(
      .notRegistered, key: key, at: CodeLocation(),
      circumstances: NearMiss.find(for: key, container: container).map { .close($0) })
    let close = error.nearMisses.map { ("close:", DiagnosisFormatter.close($0)) }
    return WiringFinding(
      .missing, key, chain: chain, headline, facts + close, fix: DiagnosisFormatter.fixes(error))
  }

  private func finding(
    _ key: ServiceKey, _ edges: [DependencyGraph.Edge], _ roots: Set<Int>
  ) -> WiringFinding {
    let view = nodes[edges[0].from].view
    let chains = chains(to: key, edges, roots)
    var facts = chains.prefix(Self.shownChains).map { ("chain:", $0.text) }
    if chains.count > Self.shownChains {
      facts.append(("", "and \(chains.count - Self.shownChains) more"))
    }
    let places = Set(edges.map(\.from))
    let needed = places.map { "`\(nodes[$0].key)` (\(nodes[$0].registeredAt))" }.sorted()
    facts += needed.prefix(Self.shownChains).map { ("needed by:", $0) }
    facts.append(("asked:", view.label))
    return finding(
      key, in: view.resolver ?? resolver, chain: chains.first?.keys ?? [],
      "Nothing is registered for `\(key)`.", facts)
  }

  /// Returns the shortest chains from each root to a missing service.
  private func chains(
    to key: ServiceKey, _ missing: [DependencyGraph.Edge], _ roots: Set<Int>
  ) -> [(keys: [ServiceKey], text: String)] {
    // From those that need it backwards: `next` leads from each node to the missing service.
    var next: [Int: DependencyGraph.Edge] = [:]
    var queue: [Int] = []
    for edge in missing where next[edge.from] == nil {
      next[edge.from] = edge
      queue.append(edge.from)
    }
    var position = 0
    while position < queue.count {
      for edge in incoming[queue[position]] {
        step()
        guard next[edge.from] == nil else { continue }
        next[edge.from] = edge
        queue.append(edge.from)
      }
      position += 1
    }
    var starts = queue.filter(roots.contains)
    // A cycle has no root, and given roots may not lead there.
    if starts.isEmpty { starts = Array(Set(missing.map(\.from))) }
    let chains = starts.map { start in
      var chain = (keys: [nodes[start].key], text: "\(nodes[start].key)")
      var place = start
      while let edge = next[place] {
        chain.keys.append(edge.key)
        chain.text += (edge.isLazy ? " ⇢ " : " → ") + "\(edge.key)"
        guard let to = edge.to else { break }
        place = to
      }
      return chain
    }
    return chains.sorted { ($0.keys.count, $0.text) < ($1.keys.count, $1.text) }
  }
}
