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

  /// The identifiers of what the type aliases among some identifiers stand for.
  func expanded(_ mentions: Set<String>) -> Set<String> {
    mentions.reduce(into: mentions) { all, id in
      let fragments = aliasInProtocol(id)?.declarationFragments ?? []
      let named = Set(fragments.compactMap(\.preciseIdentifier)).subtracting([id])
      if !named.isEmpty { all.formUnion(expanded(named)) }
    }
  }
}
