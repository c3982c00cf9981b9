/// All that a double of one protocol has to satisfy.
package struct ProtocolModel {
  /// An associated type that the double leaves open.
  struct Generic: Equatable {
    var name: String
    var conformances: [TypeSyntax]
  }

  /// The name with those of the types that enclose it, as in `Server.Delegate`.
  package var name: String
  package var module: String
  /// `public`, `package` or `internal`.
  package var access: String
  var isActor = false
  var isSendable = false
  /// The global actor of the double; nil if it has none.
  var globalActor: String?
  /// Whether only requirements name the global actor and not their protocol, as in a module that
  /// isolates by default.
  var hasNonisolatedConformance = false
  var requirements: [Requirement] = []
  var isEquatable = false
  var isHashable = false
  var isComparable = false
  var generics: [Generic] = []
  var conditions: [Requirement.Condition] = []
  var aliases: [(name: String, type: TypeSyntax)] = []
  var primary: [String] = []
  var availability: [String] = []
  package var isDeprecated = false
  /// The identifiers of all symbols that it mentions.
  var mentions: Set<String> = []

  package var doubleName: String {
    name.split(separator: ".").joined() + "Double"
  }
  package var isGeneric: Bool { !generics.isEmpty }

  /// The modules that the double's file imports.
  func imports(_ symbols: Symbols) -> Set<String> {
    var modules = Set(mentions.compactMap(symbols.module(of:)).compactMap(ModuleName.imported))
    modules.formUnion(["DITesting", module])
    // Types of C come with Foundation, which brings the system's headers.
    if mentions.contains(where: { $0.hasPrefix("c:") }) { modules.insert("Foundation") }
    return modules
  }
}

/// A protocol that cannot be doubled.
package struct Undoubled: Error, Equatable {
  package var name: String
  package var reason: String
  /// The line to write by hand.
  package var line: String
  /// The module whose symbols are missing, if that is the reason.
  package var module: String?

  package var description: String {
    "`\(name)` cannot be doubled: \(reason). Write by hand:\n  \(line)"
  }
}
