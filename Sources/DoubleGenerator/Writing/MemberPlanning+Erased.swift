// Generic types as a stub knows them: by what they conform to.

extension MemberPlanning {
  /// The type with generic parameters replaced by the existential types that they conform to.
  func erased(_ type: TypeSyntax) -> TypeSyntax {
    guard type.mentions(generics) || type.contains({ if case .some = $0 { true } else { false } })
    else { return type }
    switch type {
    case .some(let constraint): return existential(of: [constraint])
    case .named(let components):
      guard components.count == 1, components[0].arguments.isEmpty,
        generics.contains(components[0].name)
      else { return .anything }
      return existential(
        of: requirement.conditions.filter {
          !$0.isSameType && $0.left.simpleName == components[0].name
        }.map(\.right))
    case .optional(let type): return .optional(erased(type))
    case .array(let type): return .array(erased(type))
    case .dictionary(let key, let value) where !key.mentions(generics):
      return .dictionary(key, erased(value))
    case .metatype(let type, let keyword):
      if case .any(let constraint) = erased(type) {
        return .any(.metatype(constraint, keyword: keyword))
      }
      return .metatype(erased(type), keyword: keyword)
    case .attributed(_, let type): return erased(type)
    default: return .anything
    }
  }

  private func existential(of constraints: [TypeSyntax]) -> TypeSyntax {
    let parts = constraints.flatMap { constraint -> [TypeSyntax] in
      if case .composition(let types) = constraint { return types }
      return [constraint]
    }.filter { if case .suppressed = $0 { false } else { !$0.mentions(generics) } }
    if parts.isEmpty { return .anything }
    if parts.count == 1, case .named(let components) = parts[0], components.last?.id?.last == "C" {
      return parts[0]
    }
    return .any(parts.count == 1 ? parts[0] : .composition(parts))
  }
}
