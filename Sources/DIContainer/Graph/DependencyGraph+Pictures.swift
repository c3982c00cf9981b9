extension DependencyGraph: CustomStringConvertible {
  /// The keys that the graph may name.
  var namedKeys: [ServiceKey] {
    nodes.flatMap { [$0.key] + ($0.implementedBy.map { [$0] } ?? []) } + edges.map(\.key)
  }

  /// The services as an indented tree, those that nothing needs outermost.
  ///
  /// The dependencies of a service are below it where it first appears, and are left out (`…`)
  /// after that.
  public var description: String { TypeNames.telling(apart: namedKeys) { treeText } }

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
        let needs = nodes[place].needs
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
    let scope = node.implementedBy == nil ? "\(node.scope)" : "alias"
    let boundary = node.boundary.map { ", behind \($0.debugDescription)" } ?? ""
    return "\(node.key)  — \(double)\(scope), \(node.container)"
      + "\(node.isClosure ? ", closure" : "")\(boundary)"
  }

  private func mark(_ edge: Edge) -> String {
    (edge.isLazy ? "lazy " : "") + (edge.isOptional ? "optional " : "")
  }

  // MARK: Pictures

  /// A Mermaid flow chart of the dependencies, with a frame for each container and doubles rounded.
  public var mermaid: String { TypeNames.telling(apart: namedKeys) { picture.mermaid } }

  /// A graph in Graphviz's language, with a cluster for each container and doubles rounded.
  public var dot: String { TypeNames.telling(apart: namedKeys) { picture.dot } }

  private var picture: Picture {
    var picture = Picture(title: "wiring")
    picture.frames = Dictionary(grouping: nodes.indices) { nodes[$0].container }
      .sorted { $0.key < $1.key }
      .map { container, places in (container, places.map(box)) }
    let missing = Set(edges.filter { $0.to == nil }.map(\.key))
      .sorted { $0.description < $1.description }
    let names = Dictionary(uniqueKeysWithValues: missing.enumerated().map { ($1, "m\($0)") })
    picture.boxes = missing.map { key in
      Picture.Node(id: names[key]!, lines: ["\(key)", "missing"], shape: .hexagonal)
    }
    var seen: Set<Picture.Arrow> = []
    for edge in edges {
      var arrow = Picture.Arrow(
        from: "n\(edge.from)", to: edge.to.map { "n\($0)" } ?? names[edge.key]!,
        remark: mark(edge).split(separator: " ").joined(separator: ", "))
      guard seen.insert(arrow).inserted else { continue }
      arrow.isBold = edge.origin == .implements
      picture.arrows.append(arrow)
    }
    return picture
  }

  private func box(_ place: Int) -> Picture.Node {
    let node = nodes[place]
    let isAlias = node.implementedBy != nil
    let scope = isAlias ? "alias" : "\(node.scope)"
    let mark = node.isDouble ? " · double" : node.boundary.map { " · behind \($0)" } ?? ""
    return Picture.Node(
      id: "n\(place)", lines: ["\(node.key)", scope + mark],
      shape: isAlias ? .slanted : node.isDouble ? .rounded : .plain)
  }
}
