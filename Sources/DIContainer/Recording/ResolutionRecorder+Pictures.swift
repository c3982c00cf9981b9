extension ResolutionRecorder {
  /// Who was resolved for whom, as an indented tree, one request a line.
  ///
  /// What a service asked for stands below it, also where others made requests meanwhile.
  public var tree: String { Self.tree(of: events) }

  package static func tree(of events: [ResolutionEvent]) -> String {
    let requests = events.filter(\.isRequest)
    return TypeNames.telling(apart: requests.map(\.key)) {
      inTree(requests).map(line).joined(separator: "\n")
    }
  }

  /// Each request, followed by those that it led to.
  private static func inTree(_ requests: [ResolutionEvent]) -> [ResolutionEvent] {
    let below = Dictionary(grouping: requests.reversed(), by: \.parent)
    var ordered: [ResolutionEvent] = []
    var rest = below[nil] ?? []
    while let next = rest.popLast() {
      ordered.append(next)
      rest += below[next.index] ?? []
    }
    return ordered
  }

  private static func line(_ event: ResolutionEvent) -> String {
    var line = String(repeating: "  ", count: event.depth) + "\(event.key)"
    switch event.kind {
    case .missed:
      line += "  — missing in \(event.container)"
    case .registered, .created, .kept:
      line += "  — \(event.kind.rawValue) \(event.isDouble ? "double" : "live")"
      line += ", \(event.scope ?? "?"), \(event.container)"
    }
    return line
  }

  /// Who was resolved for whom, as a Mermaid flow chart: one node a service, doubles rounded.
  public var mermaid: String {
    let requests = events.filter(\.isRequest)
    return TypeNames.telling(apart: requests.map(\.key)) { Self.mermaid(of: requests) }
  }

  private static func mermaid(of requests: [ResolutionEvent]) -> String {
    var numbers: [String: Int] = [:]
    var lines = ["flowchart TD"]
    func node(_ event: ResolutionEvent) -> String {
      let identity = "\(event.key)|\(event.container)|\(event.isDouble)|\(event.kind == .missed)"
      if let number = numbers[identity] { return "n\(number)" }
      let number = numbers.count
      numbers[identity] = number
      let label = Mermaid.quoted(
        "\(event.key)<br/>\(event.kind == .missed ? "missing" : event.scope ?? "") · "
          + event.container)
      let shape = event.kind == .missed ? ("{{", "}}") : event.isDouble ? ("([", "])") : ("[", "]")
      lines.append("  n\(number)\(shape.0)\(label)\(shape.1)")
      return "n\(number)"
    }
    var edges: [String] = []
    var drawn: Set<String> = []
    let byIndex = Dictionary(
      requests.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    for event in requests {
      let name = node(event)
      if let parent = event.parent.flatMap({ byIndex[$0] }) {
        let edge = "  \(node(parent)) --> \(name)"
        if drawn.insert(edge).inserted { edges.append(edge) }
      }
    }
    return (lines + edges).joined(separator: "\n")
  }

  /// Who was resolved for whom, in Graphviz's language: one node a service, doubles rounded.
  public var dot: String {
    let requests = events.filter(\.isRequest)
    return TypeNames.telling(apart: requests.map(\.key)) { Self.dot(of: requests) }
  }

  private static func dot(of requests: [ResolutionEvent]) -> String {
    var numbers: [String: Int] = [:]
    var lines = ["digraph resolutions {", "  node [shape=box];"]
    var nodes: [Int: String] = [:]
    var arrows: [String] = []
    var drawn: Set<String> = []
    for event in requests {
      let isMissing = event.kind == .missed
      let identity = "\(event.key)|\(event.container)|\(event.isDouble)|\(isMissing)"
      let node = numbers[identity] ?? numbers.count
      if numbers.updateValue(node, forKey: identity) == nil {
        let scope = isMissing ? "missing" : event.scope ?? ""
        let label = "\(event.key)\n\(scope) · \(event.container)"
        let style = isMissing ? ", shape=hexagon" : event.isDouble ? ", style=rounded" : ""
        lines.append("  n\(node) [label=\(Dot.quoted(label))\(style)];")
      }
      nodes[event.index] = "n\(node)"
      guard let parent = event.parent.flatMap({ nodes[$0] }) else { continue }
      let arrow = "  \(parent) -> n\(node);"
      if drawn.insert(arrow).inserted { arrows.append(arrow) }
    }
    return (lines + arrows + ["}"]).joined(separator: "\n")
  }
}
