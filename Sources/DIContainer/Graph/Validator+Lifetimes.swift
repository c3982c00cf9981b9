// The instances that a kept instance holds. The checks look for two faults: that the owner of the
// registration would build it differently than the container of the graph, and that it holds an
// instance that is meant to be released earlier.

extension Validator {
  /// Whether instances are new, so that the requesting container builds them and their
  /// dependencies.
  private func isTransient(_ place: Int) -> Bool {
    nodes[place].implementedBy != nil || !nodes[place].scope.usesKeepers
  }

  func findOrderDependence() {
    // By owner: the nodes from which no path leads to a difference.
    var alike: [ObjectIdentifier: Set<Int>] = [:]
    for place in nodes.indices where nodes[place].scope.isBuiltByFirstRequested {
      let (owner, view) = (nodes[place].found.owner, nodes[place].view)
      guard owner !== view, frame?.isLayer(owner) != true else { continue }
      let witness = search(place, passing: &alike[ObjectIdentifier(owner), default: []]) {
        difference($0, owner: owner, view: view)
      }
      if let witness { add(finding(place, witness.value, witness.chain)) }
    }
  }

  /// A dependency that differs between the owner and the container of the graph.
  private enum Difference {
    /// The owner would use another registration.
    case other(view: Int, owner: Found)
    /// Only the requesting container has it.
    case onlyInView(Int)
    /// Each requesting container has an instance of its own.
    case perRequester(Int)
  }

  private func difference(
    _ edge: DependencyGraph.Edge, owner: ContainerCore, view: ContainerCore
  ) -> Difference? {
    // A service of another container is the same for every requesting container.
    guard let to = edge.to, nodes[to].elsewhere == nil else { return nil }
    let registration = nodes[to].registration
    guard let own = Lookup.find(edge.key, in: owner, frame) else {
      return .onlyInView(to)
    }
    if own.registration.id != registration.id { return .other(view: to, owner: own) }
    return registration.scope.keptBy == .requestedContainer ? .perRequester(to) : nil
  }

  private func finding(
    _ place: Int, _ difference: Difference, _ chain: [ServiceKey]
  ) -> WiringFinding {
    let node = nodes[place]
    let kept = ("kept:", "\(node.scope), registered in \(node.container) (\(node.registeredAt))")
    func held(_ place: Int) -> String {
      "`\(nodes[place].key)` of \(nodes[place].container) (\(nodes[place].registeredAt))"
    }
    let fix = [
      "Keep it in its own container: `.scope(.perContainer(.strong))`; it is built from there.",
      "Or keep one for each requesting container: `.scope(.container)`.",
    ]
    switch difference {
    case .other(let view, let owner):
      let other = owner.registration
      return WiringFinding(
        .orderDependent, node.key, chain: chain,
        "`\(node.key)` is built differently, depending on which container resolves it first.",
        [
          facts(chain), kept, ("holds:", "\(held(view)) if \(graph.container) resolves it first"),
          (
            "holds:",
            "`\(other.key)` of \(owner.owner.label) (\(other.location)) if \(node.container) "
              + "resolves it first"
          ),
        ], fix: fix)
    case .onlyInView(let view):
      return WiringFinding(
        .captive, node.key, chain: chain,
        "`\(node.key)` is kept for everyone, and holds what only \(nodes[view].container) has.",
        [facts(chain), kept, ("holds:", held(view))], fix: fix)
    case .perRequester(let view):
      return WiringFinding(
        .captive, node.key, chain: chain,
        "`\(node.key)` is kept for everyone, and holds what is kept for each requesting container.",
        [facts(chain), kept, ("holds:", "\(held(view)), one for each requesting container")],
        fix: fix)
    }
  }

  // MARK: Custom scopes

  /// Finds instances that outlive the reset of a custom scope, and hold one that it keeps.
  func findCaptives() {
    guard nodes.indices.contains(where: { nodes[$0].scope.isCustom }) else {
      return
    }
    var free: Set<Int> = []
    for place in nodes.indices where nodes[place].scope.isLongLived {
      let witness = search(place, passing: &free) { edge in
        edge.to.flatMap { nodes[$0].scope.isCustom ? $0 : nil }
      }
      guard let witness else { continue }
      let (node, held) = (nodes[place], nodes[witness.value])
      add(
        WiringFinding(
          .captive, node.key, severity: .warning, chain: witness.chain,
          "`\(node.key)` keeps a `\(held.key)` that \(held.scope).reset() releases.",
          [
            facts(witness.chain), ("kept:", "\(node.scope) (\(node.registeredAt))"),
            ("holds:", "`\(held.key)`, \(held.scope) (\(held.registeredAt))"),
          ],
          fix: [
            "Resolve it when it is needed: with `@LazyInjected`, or in the method.",
            "Or keep both in one scope.",
          ]))
    }
  }

  // MARK: Held instances

  /// Searches the dependencies of a node that are built with it for the first that fits.
  ///
  /// `free`: nodes from which none is reached, to which this adds those that it visited in vain.
  private func search<Value>(
    _ start: Int, passing free: inout Set<Int>, _ fits: (DependencyGraph.Edge) -> Value?
  ) -> (value: Value, chain: [ServiceKey])? {
    let (found, visited) = search(
      from: [start], along: { !$0.isLazy }, into: { isTransient($0) && !free.contains($0) }, fits)
    guard let (value, way) = found else {
      free.formUnion(visited)
      return nil
    }
    return (value, way.map { nodes[$0.from].key } + way.suffix(1).map(\.key))
  }
}
