import DoubleGenerator
import Foundation

/// A symbol graph that a test spells out.
struct Graph {
  private var symbols: [[String: Any]] = []
  private var relationships: [[String: Any]] = []
  private var borrowed: [String: String] = [:]
  let module: String

  init(_ module: String = "Shop") { self.module = module }

  /// Adds a protocol with requirements such as `func send(_ text: String)`, and type aliases.
  ///
  /// `hidden` are default implementations that are not public, with their access.
  mutating func add(
    _ declaration: String, _ requirements: [String] = [], inherits: [String] = [],
    access: String = "public", defaults: Set<String> = [], hidden: [String: String] = [:],
    extra: [String: Any] = [:]
  ) {
    let name =
      declaration.components(separatedBy: "protocol ")[1]
      .split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .first.map(String.init) ?? ""
    let id = Self.id(name, in: module)
    add(
      id, kind: "swift.protocol", path: [name], declaration: declaration, name: name,
      access: access, extra: extra)
    for parent in inherits {
      relationships.append([
        "kind": "conformsTo", "source": id,
        "target": Self.standard[parent] ?? Self.id(parent, in: module),
        "targetFallback": parent,
      ])
    }
    for (index, requirement) in requirements.enumerated() {
      let parts = Self.parts(of: requirement)
      let isAlias = requirement.hasPrefix("typealias")
      let own = isAlias ? Self.id(parts.name, in: module) : "\(id)\(index)"
      let kind = requirement.hasPrefix("associatedtype") ? "associatedtype" : "method"
      add(
        own, kind: "swift.\(isAlias ? "typealias" : kind)",
        path: [name, parts.title], declaration: requirement, name: parts.name, access: access,
        line: index)
      relationships.append([
        "kind": isAlias ? "memberOf" : "requirementOf", "source": own, "target": id,
      ])
      if let access = hidden[requirement] ?? (defaults.contains(requirement) ? "public" : nil) {
        add(
          own + "default", kind: "swift.method", path: [name, parts.title],
          declaration: requirement, name: parts.name, access: access)
        relationships.append([
          "kind": "defaultImplementationOf", "source": own + "default", "target": own,
        ])
      }
    }
  }

  /// Takes a word for the name of another module's type from now on.
  mutating func borrow(_ name: String, id: String) { borrowed[name] = id }
  mutating func borrow(from other: Graph, _ name: String) {
    borrow(name, id: Self.id(name, in: other.module))
  }

  /// Adds a type, which is Sendable or not.
  mutating func add(type declaration: String, isSendable: Bool) {
    let words = declaration.split(separator: " ").map(String.init)
    let id = Self.id(words.last ?? "", in: module)
    add(
      id, kind: "swift.\(words[words.count - 2])", path: [words.last ?? ""],
      declaration: declaration, name: words.last ?? "", access: "public")
    if isSendable {
      relationships.append([
        "kind": "conformsTo", "source": id, "target": "s:s8SendableP",
        "targetFallback": "Swift.Sendable",
      ])
    }
  }

  var graph: SymbolGraph {
    get throws {
      let json: [String: Any] = [
        "module": ["name": module], "symbols": symbols, "relationships": relationships,
      ]
      return try SymbolGraph(json: JSONSerialization.data(withJSONObject: json))
    }
  }

  private static let standard = [
    "Sendable": "s:s8SendableP", "Equatable": "s:SQ", "Hashable": "s:SH", "Comparable": "s:SL",
    "Actor": "s:ScA", "Collection": "s:Sl",
    "CustomStringConvertible": "s:s23CustomStringConvertibleP",
    "Observable": "s:11Observation10ObservableP",
  ]

  private static func id(_ name: String, in module: String) -> String {
    "s:\(module.count)\(module)\(name.count)\(name)P"
  }

  private mutating func add(
    _ id: String, kind: String, path: [String], declaration: String, name: String, access: String,
    line: Int = 0, extra: [String: Any] = [:]
  ) {
    symbols.append(
      [
        "kind": ["identifier": kind], "identifier": ["precise": id], "pathComponents": path,
        "names": ["title": path.last ?? ""], "accessLevel": access,
        "declarationFragments": fragments(declaration, name: name),
        "location": ["uri": "file:///Shop.swift", "position": ["line": line, "character": 0]],
      ].merging(extra) { $1 })
  }

  /// The name of a requirement, and its title: `send(_:)`.
  private static func parts(of declaration: String) -> (name: String, title: String) {
    var rest = Substring(declaration)
    for keyword in ["func ", "var ", "associatedtype ", "typealias "] {
      if let range = rest.range(of: keyword) { rest = rest[range.upperBound...] }
    }
    if let range = declaration.range(of: "init") { rest = declaration[range.lowerBound...] }
    let name = String(rest.prefix { !"(<: ?".contains($0) || (rest.first == "<" && $0 == "<") })
    guard let open = rest.firstIndex(of: "("), declaration.contains("func ") || name == "init"
    else {
      return (name, name)
    }
    var (depth, labels, isLabel, word) = (0, "", true, "")
    for character in rest[open...] {
      if character == ")" || character == "]" || character == ">" { depth -= 1 }
      if depth == 0 { if character == ")" { break } }
      if depth == 1 {
        if character == "," {
          (isLabel, word) = (true, "")
        } else if isLabel {
          if character == ":" || (character == " " && !word.isEmpty) {
            labels += "\(word):"
            isLabel = false
          } else if character != " " {
            word.append(character)
          }
        }
      }
      if character == "(" || character == "[" || character == "<" { depth += 1 }
    }
    return (name, "\(name)(\(labels))")
  }

  private func fragments(_ declaration: String, name: String) -> [[String: Any]] {
    guard !name.isEmpty, let range = declaration.range(of: " \(name)") else {
      return words(declaration)
    }
    return words(String(declaration[..<range.lowerBound]) + " ")
      + [["kind": "identifier", "spelling": name]] + words(String(declaration[range.upperBound...]))
  }

  /// Words that this graph has as types carry their identifiers.
  private func words(_ text: String) -> [[String: Any]] {
    var fragments: [[String: Any]] = []
    var rest = Substring(text)
    while let first = rest.first {
      let isWord = first.isLetter
      let part = rest.prefix { $0.isLetter == isWord }
      rest.removeFirst(part.count)
      let id = borrowed[String(part)] ?? Self.id(String(part), in: module)
      let known =
        borrowed[String(part)] != nil
        || symbols.contains { ($0["identifier"] as? [String: String])?["precise"] == id }
      fragments.append(
        ["kind": "text", "spelling": String(part)].merging(
          known ? ["preciseIdentifier": id] : [:]
        ) { $1 })
    }
    return fragments
  }
}
