package import Foundation

/// The symbols of several modules, found by their precise identifiers.
package struct Symbols {
  package typealias Symbol = SymbolGraph.Symbol

  private var symbols: [String: Symbol] = [:]
  private var requirements: [String: [String]] = [:]
  private var parents: [String: [SymbolGraph.Relationship]] = [:]
  private var superclasses: [String: String] = [:]
  private var owners: [String: String] = [:]
  private var declaring: [String: Set<String>] = [:]
  private var defaults: [String: [String]] = [:]
  /// A module's graph has what it exports of other modules too.
  private var members: [String: Set<String>] = [:]
  private var memberTypes: [String: Set<String>] = [:]
  /// The modules of symbols that stand in extensions of other modules' types.
  private var extending: [String: String] = [:]
  package private(set) var modules: Set<String> = []

  /// `toolkit` has the names of the public types of `DITesting`.
  package init(_ graphs: [SymbolGraph], toolkit: Set<String> = []) {
    for name in toolkit { declaring[name] = ["DITesting"] }
    for graph in graphs {
      modules.insert(graph.module.name)
      for symbol in graph.symbols {
        symbols[symbol.id] = symbol
        if symbol.pathComponents.count == 1, Self.typeKinds.contains(symbol.kind.identifier),
          let module = ModuleName.of(symbol.id)
        {
          declaring[symbol.pathComponents[0], default: []].insert(module)
        }
        members[graph.module.name, default: []].insert(symbol.id)
      }
      for relationship in graph.relationships {
        let (source, target) = (relationship.source, relationship.target)
        switch relationship.kind {
        case "requirementOf": requirements[target, default: []].append(source)
        case "conformsTo": parents[source, default: []].append(relationship)
        case "inheritsFrom": superclasses[source] = target
        case "memberOf":
          owners[source] = target
          if let symbol = symbols[source], symbol.kind.identifier == "swift.typealias",
            let name = symbol.pathComponents.last
          {
            memberTypes[target, default: []].insert(name)
          }
        case "defaultImplementationOf": defaults[target, default: []].append(source)
        default: break
        }
      }
    }
  }

  /// The graphs of all files in some folders.
  package init(folders: [URL], toolkit: Set<String> = []) throws {
    var graphs: [SymbolGraph] = []
    var extensions: [Int] = []
    for folder in folders {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      for file in files.sorted(by: { $0.path < $1.path })
      where file.lastPathComponent.hasSuffix(".symbols.json") {
        graphs.append(try SymbolGraph(json: Data(contentsOf: file)))
        // `Shop@Foundation` is what `Shop` adds to types of Foundation.
        if file.lastPathComponent.contains("@") { extensions.append(graphs.count - 1) }
      }
    }
    self.init(graphs, toolkit: toolkit)
    for index in extensions {
      for symbol in graphs[index].symbols { extending[symbol.id] = graphs[index].module.name }
    }
  }

  private static let typeKinds: Set<String> = [
    "swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias",
  ]

  /// The modules that have a type of this name which no other type encloses.
  func modules(declaring name: String) -> Set<String> { declaring[name] ?? [] }

  /// The kind of a type that no other type encloses, as in `struct`, by which it is imported alone.
  func declaration(_ name: String, of module: String) -> String? {
    symbols.values.first {
      $0.pathComponents == [name] && ModuleName.of($0.id) == module
        && Self.typeKinds.contains($0.kind.identifier)
    }.map { String($0.kind.identifier.dropFirst("swift.".count)) }
  }

  package subscript(id id: String) -> Symbol? { symbols[id] }

  /// The protocols of one module, by their names.
  package func protocols(of module: String) -> [Symbol] {
    (members[module] ?? []).compactMap { symbols[$0] }
      .filter { $0.kind.identifier == "swift.protocol" }
      .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  func requirements(of id: String) -> [Symbol] {
    (requirements[id] ?? []).compactMap { symbols[$0] }.sorted(by: Symbols.areInOrder)
  }

  /// The protocols that a type or a protocol conforms to, in the order of their identifiers.
  func conformances(of id: String) -> [SymbolGraph.Relationship] {
    (parents[id] ?? []).sorted { $0.target < $1.target }
  }

  func superclass(of id: String) -> String? { superclasses[id] }

  /// The type alias of this identifier, if it is a member of a protocol.
  func aliasInProtocol(_ id: String) -> Symbol? {
    guard let symbol = symbols[id], symbol.kind.identifier == "swift.typealias",
      let owner = owners[id], symbols[owner]?.kind.identifier == "swift.protocol"
    else { return nil }
    return symbol
  }

  /// What the type alias of this identifier stands for.
  func alias(_ id: String) -> (generics: [String], type: TypeSyntax)? {
    guard let symbol = symbols[id], symbol.kind.identifier == "swift.typealias" else { return nil }
    return try? DeclarationParser.alias(symbol)
  }

  /// The type aliases that are members of a protocol, by their names.
  func memberTypes(of id: String) -> Set<String> { memberTypes[id] ?? [] }

  /// Whether a type's or a protocol's own declaration makes it `Sendable`.
  func isSendable(_ id: String) -> Bool {
    conformances(of: id).contains {
      $0.target == "s:s8SendableP" || $0.target == "s:ScA"
        || symbols[id]?.kind.identifier == "swift.protocol" && isSendable($0.target)
    }
  }

  /// A protocol and all that it inherits, as far as their symbols are here.
  func hierarchy(of id: String) -> [Symbol] {
    var seen: Set<String> = []
    var rest = [id]
    var found: [Symbol] = []
    while let next = rest.popLast() {
      guard seen.insert(next).inserted, let symbol = symbols[next] else { continue }
      found.append(symbol)
      rest += conformances(of: next).map(\.target)
    }
    return found
  }

  /// Whether an extension of one of some protocols implements a requirement for every class, where
  /// the double can see it.
  ///
  /// The graph goes by names alone: it also has extensions of protocols that inherit the
  /// requirement's, and functions that could not stand in for it.
  func hasDefault(
    _ requirement: Symbol, for hierarchy: [Symbol], isVisible: (Symbol) -> Bool
  ) -> Bool {
    (defaults[requirement.id] ?? []).contains { id in
      // A deprecated one says that the requirement is to be implemented.
      guard let symbol = symbols[id], isVisible(symbol), !Availability.isDeprecated(symbol),
        hierarchy.contains(where: { $0.pathComponents == Array(symbol.pathComponents.dropLast()) }),
        DeclarationParser.canImplement(requirement, symbol)
      else { return false }
      return (symbol.swiftExtension?.constraints ?? []).allSatisfy {
        $0.lhs == "Self" && ["AnyObject", "Sendable", "Copyable", "Escapable"].contains($0.rhs)
      }
    }
  }

  func isResultBuilder(_ id: String) -> Bool {
    symbols[id]?.declarationFragments?.contains { $0.spelling.contains("@resultBuilder") } ?? false
  }

  /// The modules that the file of a symbol's declaration imports.
  func imports(inFileOf symbol: Symbol) -> Set<String> {
    guard let uri = symbol.location?.uri,
      let text = try? String(contentsOfFile: path(uri), encoding: .utf8)
    else {
      return []
    }
    return Set(
      text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let word = words.firstIndex(of: "import"), word < 3, word + 1 < words.count else {
          return nil
        }
        return words.last.map { String($0.prefix { $0 != "." }) }
      })
  }

  private func path(_ uri: String) -> String {
    URL(string: uri).flatMap { $0.isFileURL && $0.path.hasPrefix("/") ? $0.path : nil }
      ?? uri.replacingOccurrences(of: "file://", with: "")
  }

  /// The modules that have to be imported for a type: its own, and those whose extensions it is in.
  func modules(of id: String) -> [String] {
    [ModuleName.of(id), extending[id]].compactMap(\.self) + ModuleName.extending(id)
  }

  /// The order of the source; symbols without a place follow in the order of their identifiers.
  private static func areInOrder(_ left: Symbol, _ right: Symbol) -> Bool {
    func key(_ symbol: Symbol) -> (String, Int, Int, String) {
      let place = symbol.location
      return (
        place?.uri ?? "~", place?.position.line ?? 0, place?.position.character ?? 0, symbol.id
      )
    }
    return key(left) < key(right)
  }
}
