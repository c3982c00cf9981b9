import DIContainer

/// A form in which the graph of the services can be drawn.
public enum GraphFormat: String, Hashable, Sendable {
  /// An indented tree.
  case tree

  /// A Mermaid flow chart.
  case mermaid

  /// Graphviz's language.
  case dot
}

extension GraphFormat {
  /// The graph of what the root container answers.
  ///
  /// Closures are looked into by a dry run; so they run, and what they make is thrown away.
  func draw() -> String {
    let graph = Resolver.root.dryRun()
    return switch self {
    case .tree: graph.description
    case .mermaid: graph.mermaid
    case .dot: graph.dot
    }
  }
}
