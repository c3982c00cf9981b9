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

  /// The resolved services and their dependencies as a Mermaid flow chart.
  ///
  /// Each service has one node; those of doubles are rounded, and list the double's calls.
  public var mermaid: String {
    drawn { picture in
      let nodes = picture.nodes.enumerated().map { number, node in
        let label = Mermaid.quoted(node.lines.joined(separator: "<br/>"))
        let shape = node.isMissing ? ("{{", "}}") : node.isDouble ? ("([", "])") : ("[", "]")
        return "  n\(number)\(shape.0)\(label)\(shape.1)"
      }
      let edges = picture.edges.map { "  n\($0.from) --> n\($0.to)" }
      return ["flowchart TD"] + nodes + edges
    }
  }

  /// The resolved services and their dependencies as a graph in Graphviz's language.
  ///
  /// Each service has one node; those of doubles are rounded, and list the double's calls.
  public var dot: String {
    drawn { picture in
      let nodes = picture.nodes.enumerated().map { number, node in
        let label = Dot.quoted(node.lines.joined(separator: "\n"))
        let style = node.isMissing ? ", shape=hexagon" : node.isDouble ? ", style=rounded" : ""
        return "  n\(number) [label=\(label)\(style)];"
      }
      let edges = picture.edges.map { "  n\($0.from) -> n\($0.to);" }
      return ["digraph resolutions {", "  node [shape=box];"] + nodes + edges + ["}"]
    }
  }

  private func drawn(_ lines: (Picture) -> [String]) -> String {
    let contents = contents
    return TypeNames.telling(apart: contents.events.filter(\.isRequest).map(\.key)) {
      lines(Picture(of: contents)).joined(separator: "\n")
    }
  }

  /// The nodes and edges of a picture, each once, in the order of first occurrence.
  private struct Picture {
    struct Node {
      /// The service, then its scope and container.
      private let labels: [String]
      let isDouble: Bool
      let isMissing: Bool
      /// A text that is equal for one node; of several scopes, the first is shown.
      let identity: String
      /// The calls of the double, with their counts.
      private var calls: [(text: String, count: Int)] = []

      init(_ event: ResolutionEvent) {
        isDouble = event.isDouble
        isMissing = event.kind == .missed
        let scope = isMissing ? "missing" : event.scope ?? ""
        labels = ["\(event.key)", "\(scope) · \(event.container)"]
        identity = "\(event.key)|\(event.container)|\(isDouble)|\(isMissing)"
      }

      /// Creates the node for a call of a double that no known resolution returned.
      init(outsideResolutions call: RecordedCall) {
        (labels, isDouble, isMissing, identity) = ([], true, false, "\(call)")
      }

      mutating func add(_ call: String) {
        if let place = calls.firstIndex(where: { $0.text == call }) {
          calls[place].count += 1
        } else {
          calls.append((call, 1))
        }
      }

      var lines: [String] {
        labels + calls.map { $0.count == 1 ? $0.text : "\($0.text), \($0.count) times" }
      }
    }

    struct Edge: Hashable {
      let from: Int
      let to: Int
    }

    var nodes: [Node] = []
    var edges: [Edge] = []

    private var numbers: [String: Int] = [:]

    init(of contents: RecordedContents) {
      var places: [Int: Int] = [:]
      var seen: Set<Edge> = []
      for event in contents.events where event.isRequest {
        let number = add(Node(event))
        places[event.index] = number
        guard let parent = event.parent.flatMap({ places[$0] }) else { continue }
        let edge = Edge(from: parent, to: number)
        if seen.insert(edge).inserted { edges.append(edge) }
      }
      for number in Set(contents.uncalled.compactMap { places[$0] }) {
        nodes[number].add("never called")
      }
      for call in contents.calls {
        if let number = call.resolution.flatMap({ places[$0] }) {
          nodes[number].add("\(call)")
        } else {
          nodes[add(Node(outsideResolutions: call))].add("\(call)")
        }
      }
    }

    /// Returns the number of a node, which is added if it is new.
    private mutating func add(_ node: Node) -> Int {
      if let number = numbers[node.identity] { return number }
      numbers[node.identity] = nodes.count
      nodes.append(node)
      return nodes.count - 1
    }
  }
}

/// The quoting of labels in Mermaid.
enum Mermaid {
  static func quoted(_ text: String) -> String {
    quote(text, escapes: ["\"": "#quot;", "#": "#35;", "\n": " "])
  }
}

/// The quoting of labels in Graphviz.
enum Dot {
  static func quoted(_ text: String) -> String {
    quote(text, escapes: ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"])
  }
}

private func quote(_ text: String, escapes: [Character: String]) -> String {
  "\"" + text.map { escapes[$0] ?? String($0) }.joined() + "\""
}
