extension ResolutionRecorder {
  /// The requests as an indented tree, one per line.
  ///
  /// Requests that a service's factory made are below it, even if others were made meanwhile. Calls
  /// of a double are below the resolution that returned it, or at the end if that is unknown.
  public var tree: String {
    let contents = contents
    return Self.tree(of: contents.events, contents.calls, uncalled: contents.uncalled)
  }

  package static func tree(
    of events: [ResolutionEvent], _ calls: [RecordedCall] = [], uncalled: Set<Int> = []
  ) -> String {
    let requests = events.filter(\.isRequest)
    let callsBelow = Dictionary(grouping: calls, by: \.resolution)
    func lines(_ calls: [RecordedCall]?, depth: Int) -> [String] {
      (calls ?? []).map { String(repeating: "  ", count: depth) + "\($0)" }
    }
    return TypeNames.telling(apart: requests.map(\.key)) {
      (inTree(requests).flatMap {
        [line($0) + (uncalled.contains($0.index) ? ", never called" : "")]
          + lines(callsBelow[$0.index], depth: $0.depth + 1)
      } + lines(callsBelow[nil], depth: 0)).joined(separator: "\n")
    }
  }

  /// Returns each request, followed by those that it led to.
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

  /// The requests as a Mermaid flow chart, with one node per service and rounded doubles.
  public var mermaid: String {
    drawn { picture in
      let nodes = picture.nodes.enumerated().map { number, node in
        let label = Mermaid.quoted("\(node.key)<br/>\(node.scope) · \(node.container)")
        let shape = node.isMissing ? ("{{", "}}") : node.isDouble ? ("([", "])") : ("[", "]")
        return "  n\(number)\(shape.0)\(label)\(shape.1)"
      }
      let edges = picture.edges.map { "  n\($0.from) --> n\($0.to)" }
      return ["flowchart TD"] + nodes + edges
    }
  }

  /// The requests as a Graphviz graph, with one node per service and rounded doubles.
  public var dot: String {
    drawn { picture in
      let nodes = picture.nodes.enumerated().map { number, node in
        let label = Dot.quoted("\(node.key)\n\(node.scope) · \(node.container)")
        let style = node.isMissing ? ", shape=hexagon" : node.isDouble ? ", style=rounded" : ""
        return "  n\(number) [label=\(label)\(style)];"
      }
      let edges = picture.edges.map { "  n\($0.from) -> n\($0.to);" }
      return ["digraph resolutions {", "  node [shape=box];"] + nodes + edges + ["}"]
    }
  }

  private func drawn(_ lines: (Picture) -> [String]) -> String {
    let requests = events.filter(\.isRequest)
    return TypeNames.telling(apart: requests.map(\.key)) {
      lines(Picture(of: requests)).joined(separator: "\n")
    }
  }

  /// The nodes and edges of a picture, each once, in the order of first occurrence.
  private struct Picture {
    struct Node {
      let key: String
      let scope: String
      let container: String
      let isDouble: Bool
      let isMissing: Bool

      init(_ event: ResolutionEvent) {
        key = "\(event.key)"
        container = event.container
        isDouble = event.isDouble
        isMissing = event.kind == .missed
        scope = isMissing ? "missing" : event.scope ?? ""
      }

      /// A text that is equal for one node; of several scopes, the first is shown.
      var identity: String { "\(key)|\(container)|\(isDouble)|\(isMissing)" }
    }

    struct Edge: Hashable {
      let from: Int
      let to: Int
    }

    var nodes: [Node] = []
    var edges: [Edge] = []

    init(of requests: [ResolutionEvent]) {
      var numbers: [String: Int] = [:]
      var places: [Int: Int] = [:]
      var seen: Set<Edge> = []
      for event in requests {
        let node = Node(event)
        let number = numbers[node.identity] ?? nodes.count
        if numbers.updateValue(number, forKey: node.identity) == nil { nodes.append(node) }
        places[event.index] = number
        guard let parent = event.parent.flatMap({ places[$0] }) else { continue }
        let edge = Edge(from: parent, to: number)
        if seen.insert(edge).inserted { edges.append(edge) }
      }
    }
  }
}
