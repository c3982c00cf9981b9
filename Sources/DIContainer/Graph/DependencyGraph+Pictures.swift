extension DependencyGraph: CustomStringConvertible {
  /// The keys that the graph may name.
  var keys: [ServiceKey] {
    nodes.flatMap { [$0.key] + ($0.implementedBy.map { [$0] } ?? []) } + edges.map(\.key)
  }

  /// The services as an indented tree, those that nothing needs outermost.
  ///
  /// The dependencies of a service are below it where it first appears, and are left out (`…`)
  /// after that.
  public var description: String { TypeNames.telling(apart: keys) { treeText } }

  private var treeText: String {
    var lines: [String] = []
    var isShown = [Bool](repeating: false, count: nodes.count)
    var isNeeded = isShown
    for edge in edges { if let to = edge.to, to != edge.from { isNeeded[to] = true } }

    func show(_ start: Int) {
      var stack: [(depth: Int, mark: String, place: Int?, key: ServiceKey)] = [
        (0, "", start, nodes[start].key)
      ]
      while let (depth, mark, place, key) = stack.popLast() {
        let indent = String(repeating: "  ", count: depth) + mark
        guard let place else {
          lines.append("\(indent)\(key)  — missing")
          continue
        }
        let needs = needs(of: place)
        let isRepeated = isShown[place] && !needs.isEmpty
        lines.append(indent + line(place) + (isRepeated ? " …" : ""))
        guard !isShown[place] else { continue }
        isShown[place] = true
        for edge in needs.reversed() {
          stack.append((depth + 1, self.mark(edge), edge.to, edge.key))
        }
      }
    }
    for place in nodes.indices where !isNeeded[place] { show(place) }
    // Only cycles that nothing else needs are left.
    for place in nodes.indices where !isShown[place] { show(place) }
    return lines.joined(separator: "\n")
  }

  private func line(_ place: Int) -> String {
    let node = nodes[place]
    let double = node.isDouble ? "double, " : ""
    let scope = node.implementedBy == nil ? node.scope : "alias"
    return "\(node.key)  — \(double)\(scope), \(node.container)\(node.isClosure ? ", closure" : "")"
  }

  private func mark(_ edge: Edge) -> String {
    (edge.isLazy ? "lazy " : "") + (edge.isOptional ? "optional " : "")
  }

  // MARK: Mermaid

  /// A Mermaid flow chart of the dependencies, with a frame for each container and doubles rounded.
  public var mermaid: String { TypeNames.telling(apart: keys) { mermaidText } }

  private var mermaidText: String {
    let missing = missing
    var lines = ["flowchart TD"]
    for (number, (container, places)) in byContainer.enumerated() {
      lines.append("  subgraph c\(number)[\(Mermaid.quoted(container))]")
      for place in places {
        let shape = shape(place)
        let label = Mermaid.quoted(label(place, "<br/>"))
        lines.append("    n\(place)\(shape.open)\(label)\(shape.close)")
      }
      lines.append("  end")
    }
    for (key, number) in missing.sorted(by: { $0.value < $1.value }) {
      lines.append("  m\(number){{\(Mermaid.quoted("\(key)<br/>missing"))}}")
    }
    for edge in uniqueEdges {
      lines.append("  n\(edge.from) \(arrow(edge)) \(end(edge, missing))")
    }
    return lines.joined(separator: "\n")
  }

  private func shape(_ place: Int) -> (open: String, close: String) {
    if nodes[place].implementedBy != nil { return ("[/", "/]") }
    return nodes[place].isDouble ? ("([", "])") : ("[", "]")
  }

  private func arrow(_ edge: Edge) -> String {
    if edge.origin == .implements { return "==>" }
    let words = words(edge)
    return words.isEmpty ? "-->" : "-.->|\(words)|"
  }

  // MARK: DOT

  /// A graph in Graphviz's language, with a cluster for each container and doubles rounded.
  public var dot: String { TypeNames.telling(apart: keys) { dotText } }

  private var dotText: String {
    let missing = missing
    var lines = ["digraph wiring {", "  node [shape=box];"]
    for (number, (container, places)) in byContainer.enumerated() {
      lines.append("  subgraph cluster_\(number) {")
      lines.append("    label=\(Dot.quoted(container));")
      for place in places {
        lines.append("    n\(place) [label=\(Dot.quoted(label(place, "\n")))\(style(place))];")
      }
      lines.append("  }")
    }
    for (key, number) in missing.sorted(by: { $0.value < $1.value }) {
      lines.append("  m\(number) [label=\(Dot.quoted("\(key)\nmissing")), shape=hexagon];")
    }
    for edge in uniqueEdges {
      var attributes: [String] = []
      if edge.origin == .implements { attributes.append("style=bold") }
      let words = words(edge)
      if !words.isEmpty { attributes += ["style=dashed", "label=\(Dot.quoted(words))"] }
      let suffix = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
      lines.append("  n\(edge.from) -> \(end(edge, missing))\(suffix);")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private func style(_ place: Int) -> String {
    if nodes[place].implementedBy != nil { return ", shape=parallelogram" }
    return nodes[place].isDouble ? ", style=rounded" : ""
  }

  // MARK: Parts of both pictures

  private func words(_ edge: Edge) -> String {
    mark(edge).split(separator: " ").joined(separator: ", ")
  }

  private func label(_ place: Int, _ newLine: String) -> String {
    let node = nodes[place]
    let scope = node.implementedBy == nil ? node.scope : "alias"
    return "\(node.key)\(newLine)\(scope)\(node.isDouble ? " · double" : "")"
  }

  private var byContainer: [(String, [Int])] {
    Dictionary(grouping: nodes.indices, by: { nodes[$0].container })
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private var missing: [ServiceKey: Int] {
    let keys = Set(edges.filter { $0.to == nil }.map(\.key))
    let sorted = keys.sorted { $0.description < $1.description }
    return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
  }

  private func end(_ edge: Edge, _ missing: [ServiceKey: Int]) -> String {
    edge.to.map { "n\($0)" } ?? "m\(missing[edge.key]!)"
  }

  private var uniqueEdges: [Edge] {
    struct Arrow: Hashable {
      let from: Int
      let to: Int?
      let key: ServiceKey?
      let mark: String
    }
    var seen: Set<Arrow> = []
    return edges.filter {
      seen.insert(
        Arrow(from: $0.from, to: $0.to, key: $0.to == nil ? $0.key : nil, mark: mark($0))
      ).inserted
    }
  }
}
