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
  /// The module that declares it, in an extension if its name begins with another module's type.
  package var home: String
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
  /// Whether the double inherits `NSObject`.
  var isObject = false
  var generics: [Generic] = []
  var conditions: [Requirement.Condition] = []
  var aliases: [(name: String, type: TypeSyntax)] = []
  var primary: [String] = []
  var availability: [String] = []
  package var isDeprecated = false
  /// The identifiers of all symbols that it mentions, with the words that do.
  var mentions: [String: String] = [:]
  /// The protocol and all that it inherits.
  var hierarchy: Set<String> = []
  /// The names of type aliases that the protocols have as members.
  var memberTypes: Set<String> = []
  /// The modules that its files import.
  var importedBySource: Set<String> = []

  package var doubleName: String {
    name.filter { $0.isLetter || $0.isNumber || $0 == "_" || !$0.isASCII } + "Double"
  }
  package var isGeneric: Bool { !generics.isEmpty }

  /// The name as source spells it.
  var spelledName: String {
    name.split(separator: ".").map { String($0).unescaped.escaped }.joined(separator: ".")
  }

  /// An error that says why there is no double.
  func undoubled(_ reason: String, module: String? = nil) -> Undoubled {
    Undoubled(
      name: name, reason: reason, line: "final class \(doubleName): \(spelledName) { … }",
      module: module)
  }

  /// The modules that the double's file imports; `words` are those of the file, if they are known.
  func modules(_ symbols: Symbols, words: Set<String>? = nil) -> Set<String> {
    var modules: Set<String> = ["DITesting", module, home]
    for (id, word) in mentions where hierarchy.contains(id) || words?.contains(word) ?? true {
      modules.formUnion(symbols.modules(of: id).compactMap(ModuleName.imported))
      guard modules.contains("Foundation") else { continue }
      if ModuleName.isOfNetworking(word) { modules.insert("FoundationNetworking") }
      // A type of C may be of any module that its file imports.
      if id.hasPrefix("c:") { modules.formUnion(importedBySource.subtracting(symbols.modules)) }
    }
    // Foundation's own parts are not everywhere.
    if modules.contains("FoundationNetworking") { modules.insert("Foundation") }
    return modules
  }

  /// Whether the double's file has to see what its module keeps to itself.
  func needsTestable(_ symbols: Symbols) -> Bool {
    access != "public"
      || mentions.keys.contains { id in
        symbols[id: id].map { ["internal", "package"].contains($0.accessLevel) } ?? false
      }
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
    // The compiler's words may be a question.
    let end = reason.hasSuffix("?") ? "" : "."
    return "`\(name)` cannot be doubled: \(reason)\(end) Write by hand:\n  \(line)"
  }
}
