// Type aliases that are members of protocols: a double cannot name them if they mention associated
// types, so it spells what they stand for.

extension Symbols {
  /// Replaces the type aliases of protocols in a type.
  func expanded(_ type: TypeSyntax) -> TypeSyntax {
    type.mapped { part in
      guard case .named(let components) = part, let last = components.last,
        let symbol = last.id.flatMap(aliasInProtocol),
        let alias = try? DeclarationParser.alias(symbol)
      else { return nil }
      var replaced = Dictionary(
        zip(alias.generics, last.arguments.map(expanded)), uniquingKeysWith: { $1 })
      if components.count > 1 {
        let owner = TypeSyntax.named(components.dropLast())
        // By its protocol's name, as in `Server.Handler`, it can be named everywhere.
        if owner.id.flatMap({ self[id: $0] })?.kind.identifier == "swift.protocol" { return nil }
        replaced["Self"] = owner
      }
      return expanded(alias.type.mapped { $0.simpleName.flatMap { replaced[$0] } })
    }
  }

  /// What is mentioned, by identifier, and what the type aliases among it stand for.
  func expanded(_ mentions: [String: String]) -> [String: String] {
    mentions.reduce(into: mentions) { all, mention in
      guard let alias = aliasInProtocol(mention.key) else { return }
      let named = SymbolGraph.mentions(in: alias).filter { $0.key != mention.key }
      if !named.isEmpty { all.merge(expanded(named)) { $1 } }
    }
  }
}
