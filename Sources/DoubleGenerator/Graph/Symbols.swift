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
  package private(set) var modules: Set<String> = []

  package init(_ graphs: [SymbolGraph]) {
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
        case "memberOf": owners[source] = target
        case "defaultImplementationOf": defaults[target, default: []].append(source)
        default: break
        }
      }
    }
  }

  /// The graphs of all files in some folders.
  package init(folders: [URL]) throws {
    var graphs: [SymbolGraph] = []
    for folder in folders {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      for file in files.sorted(by: { $0.path < $1.path })
      where file.lastPathComponent.hasSuffix(".symbols.json") {
        graphs.append(try SymbolGraph(json: Data(contentsOf: file)))
      }
    }
    self.init(graphs)
  }

  private static let typeKinds: Set<String> = [
    "swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.typealias",
  ]

  /// The modules that have a type of this name which no other type encloses.
  func modules(declaring name: String) -> Set<String> { declaring[name] ?? [] }

  package subscript(id id: String) -> Symbol? { symbols[id] }

  /// The protocols of one module, by their names.
  package func protocols(of module: String) -> [Symbol] {
    (members[module] ?? []).compactMap { symbols[$0] }
      .filter { $0.kind.identifier == "swift.protocol" }
      .sorted {
        ($0.pathComponents.joined(separator: "."), $0.id) < (
          $1.pathComponents.joined(separator: "."), $1.id
        )
      }
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

  /// Whether an extension of one of some protocols implements a requirement for every class.
  ///
  /// The graph goes by names alone: it also has extensions of protocols that inherit the
  /// requirement's, and functions that could not stand in for it.
  func hasDefault(_ requirement: Symbol, for hierarchy: [Symbol]) -> Bool {
    (defaults[requirement.id] ?? []).contains { id in
      guard let symbol = symbols[id] else { return true }
      // A deprecated one says that the requirement is to be implemented.
      guard !Availability.isDeprecated(symbol),
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

  /// The words between a type's name and its brace, which the graph does not have for structs.
  func inheritanceClause(of symbol: Symbol) -> String {
    guard let place = symbol.location, let url = URL(string: place.uri),
      let data = try? Data(
        contentsOf: url.isFileURL && url.path.hasPrefix("/")
          ? url : URL(fileURLWithPath: place.uri.replacingOccurrences(of: "file://", with: "")))
    else { return "" }
    let lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropFirst(place.position.line)
    guard let first = lines.first else { return "" }
    let text = first.dropFirst(place.position.character) + lines.dropFirst().prefix(4).joined()
    return String(text.prefix { $0 != "{" })
  }

  func module(of id: String) -> String? { ModuleName.of(id) }

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

/// The module that a precise identifier names.
enum ModuleName {
  /// Returns nil for identifiers of C and Objective-C, which name no module.
  static func of(_ id: String) -> String? {
    guard id.hasPrefix("s:") else { return nil }
    let mangled = id.dropFirst(2)
    if let first = mangled.first, first.isNumber { return leadingName(mangled) }
    // A member that an extension in another module adds: `s:SS10FoundationE8EncodingV`.
    var rest = mangled.dropFirst()
    while let digit = rest.firstIndex(where: \.isNumber) {
      rest = rest[digit...]
      guard let name = leadingName(rest) else { break }
      let length = String(name.count).count + name.count
      rest = rest.dropFirst(length)
      if rest.first == "E" { return name }
    }
    return mangled.hasPrefix("Sc") ? "_Concurrency" : "Swift"
  }

  private static func leadingName(_ mangled: Substring) -> String? {
    let digits = mangled.prefix(while: \.isNumber)
    guard let count = Int(digits), count > 0 else { return nil }
    let name = mangled.dropFirst(digits.count).prefix(count)
    return name.count == count ? String(name) : nil
  }

  /// The name under which a module is imported; nil if the standard library brings it.
  static func imported(_ module: String) -> String? {
    switch module {
    case "Swift", "_Concurrency", "_StringProcessing", "SwiftOnoneSupport": nil
    case "FoundationEssentials", "FoundationInternationalization": "Foundation"
    default: module.hasPrefix("_") ? nil : module
    }
  }
}
