package import Foundation

/// A symbol graph as the compiler writes it, one module's symbols and how they are related.
///
/// How the parts of the generator work together: `Symbols` unites the graphs of some modules.
/// `DeclarationParser` turns a symbol's fragments into a `Requirement`, whose types are a
/// `TypeSyntax`. `ProtocolReader` gathers a `ProtocolModel`: all requirements that a double has to
/// satisfy, inherited ones included. `StubNames` names the stubs, `StubPlanner` decides for each
/// requirement which stubs it has and how it calls them, and `DoubleWriter` writes the source.
/// What of that only the compiler knows, `Answers` asks it. `Folder` compares the source with the
/// files that are there, and writes or reports.
package struct SymbolGraph: Decodable {
  package struct Module: Decodable {
    package var name: String
  }
  package struct Symbol: Decodable {
    package struct Kind: Decodable {
      package var identifier: String
    }
    package struct Identifier: Decodable {
      package var precise: String
    }
    package struct Names: Decodable {
      package var title: String
    }
    package struct Extension: Decodable {
      package struct Constraint: Decodable {
        package var lhs: String
        package var rhs: String
      }
      package var constraints: [Constraint]?
    }
    package struct Location: Decodable {
      package struct Position: Decodable {
        package var line: Int
        package var character: Int
      }
      package var uri: String
      package var position: Position
    }
    package struct Availability: Decodable {
      package struct Version: Decodable {
        package var major: Int
        package var minor: Int?
        package var patch: Int?
      }
      package var domain: String?
      package var introduced: Version?
      package var isUnconditionallyDeprecated: Bool?
      package var deprecated: Version?
    }

    package var kind: Kind
    package var identifier: Identifier
    package var pathComponents: [String]
    package var names: Names
    package var declarationFragments: [Fragment]?
    package var accessLevel: String
    package var location: Location?
    package var availability: [Availability]?
    package var swiftExtension: Extension?
    package var spi: Bool?

    package var id: String { identifier.precise }
    /// The name with those of the types that enclose it, as in `Server.Delegate`.
    var name: String { pathComponents.joined(separator: ".") }
  }
  package struct Fragment: Decodable {
    package var kind: String
    package var spelling: String
    package var preciseIdentifier: String?
  }
  package struct Relationship: Decodable {
    package var kind: String
    package var source: String
    package var target: String
    package var targetFallback: String?
  }

  package var module: Module
  package var symbols: [Symbol]
  package var relationships: [Relationship]

  package init(json: Data) throws {
    self = try JSONDecoder().decode(SymbolGraph.self, from: json)
  }

  /// The identifiers that a declaration mentions, with the words that do.
  static func mentions(in symbol: Symbol) -> [String: String] {
    (symbol.declarationFragments ?? []).reduce(into: [:]) { all, fragment in
      if let id = fragment.preciseIdentifier { all[id] = fragment.spelling }
    }
  }
}
