/// A drawing of services and their dependencies, for Mermaid or Graphviz.
package struct Picture {
  /// A drawn service.
  package struct Node {
    package enum Shape { case plain, rounded, slanted, hexagonal }

    let id: String
    let lines: [String]
    let shape: Shape

    package init(id: String, lines: [String], shape: Shape) {
      (self.id, self.lines, self.shape) = (id, lines, shape)
    }
  }

  package struct Arrow: Hashable {
    let from: String
    let to: String
    var isBold = false
    /// A remark beside the arrow, which is dashed then.
    let remark: String

    package init(from: String, to: String, remark: String = "") {
      (self.from, self.to, self.remark) = (from, to, remark)
    }
  }

  let title: String
  /// The boxes with a frame around them, by the frame's label.
  var frames: [(label: String, boxes: [Node])] = []
  package var boxes: [Node] = []
  package var arrows: [Arrow] = []

  package init(title: String) { self.title = title }

  /// The drawing as a Mermaid flow chart.
  package var mermaid: String {
    func box(_ box: Node) -> String {
      let label = Self.quoted(box.lines.joined(separator: "\n"), Self.mermaidEscapes)
      return switch box.shape {
      case .plain: "\(box.id)[\(label)]"
      case .rounded: "\(box.id)([\(label)])"
      case .slanted: "\(box.id)[/\(label)/]"
      case .hexagonal: "\(box.id){{\(label)}}"
      }
    }
    func arrow(_ arrow: Arrow) -> String {
      let line = arrow.isBold ? "==>" : arrow.remark.isEmpty ? "-->" : "-.->|\(arrow.remark)|"
      return "\(arrow.from) \(line) \(arrow.to)"
    }
    var lines = ["flowchart TD"]
    for (number, frame) in frames.enumerated() {
      lines.append("  subgraph c\(number)[\(Self.quoted(frame.label, Self.mermaidEscapes))]")
      lines += frame.boxes.map { "    " + box($0) } + ["  end"]
    }
    lines += boxes.map { "  " + box($0) } + arrows.map { "  " + arrow($0) }
    return lines.joined(separator: "\n")
  }

  /// The drawing as a graph in Graphviz's language.
  package var dot: String {
    func box(_ box: Node) -> String {
      let label = Self.quoted(box.lines.joined(separator: "\n"), Self.dotEscapes)
      return switch box.shape {
      case .plain: "\(box.id) [label=\(label)];"
      case .rounded: "\(box.id) [label=\(label), style=rounded];"
      case .slanted: "\(box.id) [label=\(label), shape=parallelogram];"
      case .hexagonal: "\(box.id) [label=\(label), shape=hexagon];"
      }
    }
    func arrow(_ arrow: Arrow) -> String {
      let style =
        arrow.isBold
        ? " [style=bold]"
        : arrow.remark.isEmpty
          ? "" : " [style=dashed, label=\(Self.quoted(arrow.remark, Self.dotEscapes))]"
      return "\(arrow.from) -> \(arrow.to)\(style);"
    }
    var lines = ["digraph \(title) {", "  node [shape=box];"]
    for (number, frame) in frames.enumerated() {
      lines.append("  subgraph cluster_\(number) {")
      lines.append("    label=\(Self.quoted(frame.label, Self.dotEscapes));")
      lines += frame.boxes.map { "    " + box($0) } + ["  }"]
    }
    lines += boxes.map { "  " + box($0) } + arrows.map { "  " + arrow($0) } + ["}"]
    return lines.joined(separator: "\n")
  }

  private static let mermaidEscapes: [Character: String] = [
    "\"": "#quot;", "#": "#35;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "\n": "<br/>",
  ]
  private static let dotEscapes: [Character: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n"]

  private static func quoted(_ text: String, _ escapes: [Character: String]) -> String {
    "\"" + text.map { escapes[$0] ?? String($0) }.joined() + "\""
  }
}
