// Cycles are searched for among the dependencies that are known without running any code: a
// recorded cycle of closures has ended, so it is none. Strongly connected components are found by
// Tarjan's algorithm with an explicit stack.

extension Validator {
  func findCycles() {
    func counts(_ edge: DependencyGraph.Edge) -> Bool {
      !edge.isLazy && [.parameter, .implements, .injection].contains(edge.origin)
    }
    var circular: Set<Int> = []
    for part in parts(counts) {
      let members = Set(part)
      var covered: Set<Int> = []
      func cover(_ cycle: [DependencyGraph.Edge]?) {
        guard let cycle, !isMended(cycle) else { return }
        let places = cycle.map(\.from)
        covered.formUnion(places)
        circular.formUnion(places)
        add(finding(places + [places[0]], isInjected: cycle.contains { $0.origin == .injection }))
      }
      for start in part where !covered.contains(start) {
        cover(path(from: start, to: start, within: members, counts))
      }
      // The shortest cycle may be one that properties mend, and a longer one none.
      for start in part where !covered.contains(start) {
        for edge in nodes[start].needs where counts(edge) && !isMended([edge]) {
          guard let to = edge.to, to != start, members.contains(to) else { continue }
          cover(path(from: to, to: start, within: members, counts).map { [edge] + $0 })
        }
      }
    }
    findReturns(besides: circular, counts)
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

  /// Finds paths back to a registration as another container sees it.
  ///
  /// Its dependencies there may be other services, so that the recursion would end, but resolution
  /// compares registrations, and reports a cycle.
  private func findReturns(
    besides circular: Set<Int>, _ counts: (DependencyGraph.Edge) -> Bool
  ) {
    // An alias is no step of the path.
    let places = Dictionary(
      grouping: nodes.indices.filter { nodes[$0].implementedBy == nil && !circular.contains($0) },
      by: { nodes[$0].registration.id }
    ).values.filter { $0.count > 1 }
    guard !places.isEmpty else { return }
    let all = Set(nodes.indices)
    func way(among places: [Int]) -> [Int]? {
      for start in places {
        for end in places where end != start {
          if let way = path(from: start, to: end, within: all, counts) {
            return way.map(\.from) + [end]
          }
        }
      }
      return nil
    }
    for places in places {
      if let way = way(among: places) { add(finding(way)) }
    }
  }

  private func finding(_ cycle: [Int], isInjected: Bool = false) -> WiringFinding {
    let keys = cycle.map { nodes[$0].key }
    return WiringFinding(
      .cycle, keys[0], chain: keys, "`\(keys[0])` needs itself.",
      [facts(keys)] + registered(cycle.dropLast()),
      fix: cycle.contains { nodes[$0].registration.isAsync }
        ? ResolutionError.asyncCycleFixes(keys[0])
        : [
          "Let one of them resolve later: make the dependency `@LazyInjected` or "
            + "`@WeakLazyInjected`.",
          "Or set it once both exist: `.resolveProperties { r, service in … }`, in a scope "
            + "that shares.",
        ] + (isInjected ? ["Or set it then by `injection(cycle: true, …)`."] : []))
  }

  private func registered(_ places: some Sequence<Int>) -> [(String, String)] {
    places.map { ("registered:", "`\(nodes[$0].key)` (\(nodes[$0].registeredAt))") }
  }

  /// Returns the shortest path from a node to another, or back to itself, by edges that count.
  private func path(
    from start: Int, to end: Int, within members: Set<Int>,
    _ counts: (DependencyGraph.Edge) -> Bool
  ) -> [DependencyGraph.Edge]? {
    search(from: [start], along: counts, into: members.contains) {
      $0.to == end ? end : nil
    }.found?.way
  }

  /// Returns the strongly connected components that contain a cycle, each sorted.
  private func parts(_ counts: (DependencyGraph.Edge) -> Bool) -> [[Int]] {
    var parts: [[Int]] = []
    var number = [Int](repeating: -1, count: nodes.count)
    var low = number
    var isOpen = [Bool](repeating: false, count: nodes.count)
    var open: [Int] = []
    var count = 0
    for root in nodes.indices where number[root] < 0 {
      var path = [(place: root, next: 0)]
      while let (place, next) = path.last {
        if number[place] < 0 {
          number[place] = count
          low[place] = count
          count += 1
          open.append(place)
          isOpen[place] = true
        }
        if next < nodes[place].needs.count {
          path[path.count - 1].next += 1
          step()
          let edge = nodes[place].needs[next]
          guard counts(edge), let to = edge.to else { continue }
          if number[to] < 0 {
            path.append((to, 0))
          } else if isOpen[to] {
            low[place] = min(low[place], number[to])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.place { low[parent] = min(low[parent], low[place]) }
        guard low[place] == number[place] else { continue }
        var part: [Int] = []
        repeat {
          part.append(open.removeLast())
          isOpen[part.last!] = false
        } while part.last != place
        let isCycle =
          part.count > 1 || nodes[place].needs.contains { counts($0) && $0.to == place }
        if isCycle { parts.append(part.sorted()) }
      }
    }
    return parts
  }
}
