// Cycles are searched for among the dependencies that are known without running any code: a
// recorded cycle of closures has ended, so it is none.

extension Validator {
  func findCycles() {
    func counts(_ edge: DependencyGraph.Edge) -> Bool {
      !edge.isLazy && [.parameter, .implements, .injection].contains(edge.origin)
    }
    let members = circular(counts)
    var covered: Set<Int> = []
    func cover(_ cycle: [DependencyGraph.Edge]?) {
      guard let cycle, !isMended(cycle) else { return }
      let places = cycle.map(\.from)
      covered.formUnion(places)
      add(finding(places + [places[0]], isInjected: cycle.contains { $0.origin == .injection }))
    }
    for start in members.sorted() where !covered.contains(start) {
      cover(path(from: start, to: start, within: members, counts))
    }
    // The shortest cycle may be one that properties mend, and a longer one none.
    for start in members.sorted() where !covered.contains(start) {
      for edge in nodes[start].needs where counts(edge) && !isMended([edge]) {
        guard let to = edge.to, to != start, members.contains(to) else { continue }
        cover(path(from: to, to: start, within: members, counts).map { [edge] + $0 })
      }
    }
  }

  /// Whether a cycle ends wherever it is entered, since injections set all of its properties: an
  /// instance that is shared exists by then.
  private func isMended(_ cycle: [DependencyGraph.Edge]) -> Bool {
    cycle.contains { $0.origin == .injection }
      && cycle.allSatisfy {
        $0.origin == .implements
          || $0.origin == .injection && nodes[$0.from].scope.keptBy != .none
      }
  }

  private func finding(_ cycle: [Int], isInjected: Bool = false) -> WiringFinding {
    let keys = cycle.map { nodes[$0].key }
    return WiringFinding(
      .cycle, keys[0], chain: keys, "`\(keys[0])` needs itself.",
      [facts(keys)] + registered(cycle.dropLast()),
      fix: cycle.contains { nodes[$0].registration.isAsync }
        ? ResolutionError.asyncCycleFixes(keys[0])
        : [DiagnosisFormatter.lazily]
          // A property's declaration sets nothing once both exist.
          + (keys.allSatisfy { $0.property != nil }
            ? []
            : [
              "Or set it once both exist: `.resolveProperties { r, service in … }`, in a scope "
                + "that shares."
            ])
          + (isInjected ? ["Or set it then by `injection(cycle: true, …)`."] : []))
  }

  private func registered(_ places: some Sequence<Int>) -> [(String, String)] {
    places.map { ("registered:", "`\(nodes[$0].key)` (\(nodes[$0].registeredAt))") }
  }

  /// Returns the shortest path from a node to the registration of another, or back to its own.
  ///
  /// Resolution compares registrations: that of another container's view is the same, although its
  /// dependencies there may be other services, so that the recursion would end.
  private func path(
    from start: Int, to end: Int, within members: Set<Int>,
    _ counts: (DependencyGraph.Edge) -> Bool
  ) -> [DependencyGraph.Edge]? {
    let end = identity(end)
    return search(from: [start], along: counts, into: members.contains) { edge in
      edge.to.flatMap { identity($0) == end ? end : nil }
    }.found?.way
  }

  /// Returns the first node of the same registration; an alias, which is no step of resolution, has
  /// one for each view.
  private func identity(_ place: Int) -> Int {
    nodes[place].implementedBy == nil ? first[nodes[place].registration.id]! : place
  }

  /// Returns the nodes that are left when those are taken away in turn that need none of the
  /// others, and then those that none of the others needs: cycles, and what lies between them.
  private func circular(_ counts: (DependencyGraph.Edge) -> Bool) -> Set<Int> {
    let places = Dictionary(grouping: nodes.indices, by: identity)
    var members = Set(places.keys)
    func trim(_ ahead: (Int) -> [Int], _ back: (Int) -> [Int]) {
      var open: [Int: Int] = [:]
      for place in members { open[place] = ahead(place).count(where: members.contains) }
      var free = open.filter { $0.value == 0 }.map(\.key)
      while let place = free.popLast() {
        members.remove(place)
        for other in back(place) where members.contains(other) {
          step()
          open[other]! -= 1
          if open[other] == 0 { free.append(other) }
        }
      }
    }
    func needs(_ place: Int) -> [Int] {
      places[place]!.flatMap { nodes[$0].needs.filter(counts).compactMap(\.to) }.map(identity)
    }
    func users(_ place: Int) -> [Int] {
      places[place]!.flatMap { incoming[$0].filter(counts).map(\.from) }.map(identity)
    }
    trim(needs, users)
    trim(users, needs)
    return Set(members.flatMap { places[$0]! })
  }
}
