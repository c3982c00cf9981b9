// Writes the public interface of a module as sorted lines, one for each declaration, and says on
// standard error how large it is. Arguments: the folder with the module's symbol graphs, its name.

import Foundation

struct Graph: Decodable {
  var symbols: [Symbol]
  var relationships: [Relationship]
}

struct Symbol: Decodable {
  var kind: Kind
  var identifier: Identifier
  var pathComponents: [String]
  var declarationFragments: [Fragment]
  var swiftExtension: Extension?
  var availability: [Availability]?

  struct Kind: Decodable { var identifier: String }
  struct Identifier: Decodable { var precise: String }
  struct Fragment: Decodable { var spelling: String }
  struct Constraint: Decodable { var kind, lhs, rhs: String }
  struct Extension: Decodable {
    var extendedModule: String
    var constraints: [Constraint]?
  }
  struct Availability: Decodable {
    var isUnconditionallyDeprecated: Bool?
    var isUnconditionallyUnavailable: Bool?
  }

  var isType: Bool {
    ["class", "struct", "enum", "protocol", "actor"].contains { kind.identifier == "swift.\($0)" }
  }
}

struct Relationship: Decodable {
  var kind, source, target: String
  var targetFallback: String?
}

let arguments = CommandLine.arguments
let (folder, module) = (arguments[1], arguments[2])
let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
  $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@")
}
let graphs = try files.sorted().map {
  try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: "\(folder)/\($0)")))
}
// A symbol may stand in several files.
var symbols: [String: Symbol] = [:]
for symbol in graphs.flatMap(\.symbols) { symbols[symbol.identifier.precise] = symbol }
let relationships = graphs.flatMap(\.relationships)

let requirements = Set(relationships.filter { $0.kind == "requirementOf" }.map(\.source))
// What every type conforms to says nothing.
let implied: Set = ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]
var conformances: [String: Set<String>] = [:]
for relationship in relationships
where relationship.kind == "conformsTo" || relationship.kind == "inheritsFrom" {
  let path = symbols[relationship.target]?.pathComponents.joined(separator: ".")
  let name = path ?? relationship.targetFallback ?? relationship.target
  let last = name.split(separator: ".").last.map(String.init) ?? name
  if !implied.contains(last) { conformances[relationship.source, default: []].insert(last) }
}

@MainActor func line(_ symbol: Symbol) -> String {
  var text = symbol.declarationFragments.map(\.spelling).joined()
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    .replacing(
      "fileID: StaticString = #fileID, filePath: StaticString = #filePath, "
        + "line: UInt = #line, column: UInt = #column", with: "#place")
  let constraints = symbol.swiftExtension?.constraints ?? []
  if !constraints.isEmpty {
    let conditions = constraints.map { constraint in
      let relation = constraint.kind == "sameType" ? "==" : ":"
      return "\(constraint.lhs) \(relation) \(constraint.rhs)"
    }
    text += " [where \(conditions.sorted().joined(separator: ", "))]"
  }
  if requirements.contains(symbol.identifier.precise) { text = "requirement \(text)" }
  let availability = symbol.availability ?? []
  if availability.contains(where: { $0.isUnconditionallyUnavailable == true }) {
    text = "unavailable \(text)"
  } else if availability.contains(where: { $0.isUnconditionallyDeprecated == true }) {
    text = "deprecated \(text)"
  }
  let protocols = conformances[symbol.identifier.precise, default: []].sorted()
  if symbol.isType, !protocols.isEmpty { text += " [is \(protocols.joined(separator: ", "))]" }
  return text
}

// A type heads the lines of its members, which are indented.
var sections: [String: [String]] = [:]
for symbol in symbols.values {
  let path = symbol.pathComponents.joined(separator: ".")
  if symbol.isType {
    sections[path, default: []].append(line(symbol))
  } else {
    let owner = symbol.pathComponents.dropLast().joined(separator: ".")
    sections[owner, default: []].append("  \(line(symbol))")
  }
}
print("# The public interface of \(module), as Linux sees it. `.ci/interface accept` rewrites it.")
print(
  "# `#place` stands for `fileID:`, `filePath:`, `line:` and `column:`, which the caller fills.")
for (owner, lines) in sections.sorted(by: { $0.key < $1.key }) {
  let heads = lines.filter { !$0.hasPrefix(" ") }.sorted()
  print("\n\(owner.isEmpty ? "(no type)" : owner)\(heads.map { " = \($0)" }.joined())")
  for member in lines.filter({ $0.hasPrefix(" ") }).sorted() { print(member) }
}

let types = symbols.values.filter { $0.isType && $0.pathComponents.count == 1 }
FileHandle.standardError.write(
  Data("\(module): \(symbols.count) public symbols, \(types.count) top-level types\n".utf8))
