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
      let node = nodes[place]
      let owner = node.found.owner
      guard owner !== node.view, frame?.isLayer(owner) != true else { continue }
      let witness = search(place, passing: &alike[ObjectIdentifier(owner), default: []]) {
        difference($0, of: node)
      }
      guard let (difference, chain) = witness else { continue }
      let kept = "\(node.scope), registered in \(node.container) (\(node.registeredAt))"
      add(
        WiringFinding(
          difference.kind, node.key, chain: chain, "`\(node.key)` is \(difference.text)",
          [facts(chain), ("kept:", kept)] + difference.holds.map { ("holds:", $0) },
          fix: [
            "Keep it in its own container: `.scope(.perContainer(.strong))`; it is built from "
              + "there.",
            "Or keep one for each requesting container: `.scope(.container)`.",
          ]))
    }
  }

  /// A dependency of a kept service that differs between its owner and the container of the graph.
  private typealias Difference = (kind: WiringFinding.Kind, text: String, holds: [String])

  private func difference(
    _ edge: DependencyGraph.Edge, of node: DependencyGraph.Node
  ) -> Difference? {
    // A service of another container is the same for every requesting container.
    guard let to = edge.to, nodes[to].elsewhere == nil else { return nil }
    let (needed, owner) = (nodes[to], node.found.owner)
    func text(_ service: Registration, _ container: String) -> String {
      "`\(service.key)` of \(container) (\(service.location))"
    }
    var held: String { text(needed.registration, needed.container) }
    guard let own = Lookup.find(edge.key, in: owner, frame) else {
      return (
        .captive, "kept for everyone, and holds what only \(needed.container) has.", [held]
      )
    }
    if own.registration.id != needed.registration.id {
      let other = text(own.registration, own.owner.label)
      return (
        .orderDependent, "built differently, depending on which container resolves it first.",
        [
          "\(held) if \(graph.container) resolves it first",
          "\(other) if \(node.container) resolves it first",
        ]
      )
    }
    if needed.scope.keptBy != .requestedContainer { return nil }
    return (
      .captive, "kept for everyone, and holds what is kept for each requesting container.",
      ["\(held), one for each requesting container"]
    )
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
