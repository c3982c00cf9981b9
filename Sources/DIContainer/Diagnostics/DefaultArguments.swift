// `register(Checkout.init)` resolves every parameter of the initialiser: Swift applies default
// arguments in calls only. If a parameter that takes a number, a text or the like is not
// registered, its default argument was more likely overlooked than a registration forgotten.

enum DefaultArguments {
  /// Returns advice if a parameter of a registration's initialiser may have a default argument; nil
  /// if a service is missing for another reason.
  static func fix(_ key: ServiceKey, neededBy registration: Registration) -> String? {
    registration.options.dependencies.flatMap { fix(key, of: registration.key, parameters: $0) }
  }

  /// Returns such advice for an initialiser's service and parameters.
  static func fix(
    _ key: ServiceKey, of service: ServiceKey, parameters: [Dependency]
  ) -> String? {
    guard isPlainValue(key),
      parameters.contains(where: { $0.key == key && !$0.isOptional && !$0.isLazy })
    else { return nil }
    let name = name(of: service.type)
    let left = parameters.filter { !isPlainValue($0.key) }.enumerated().map { place, parameter in
      "…: $\(place)\(type(of: parameter).map { " as \($0)" } ?? "")"
    }
    return "If it has a default argument: `register(\(name).init)` does not use that. Write a "
      + "closure that leaves it out: `register { \(name)(\(left.joined(separator: ", "))) }`."
  }

  /// Whether a request is for a value type of the standard library or of Foundation, which is no
  /// service.
  private static func isPlainValue(_ key: ServiceKey) -> Bool {
    guard key.name == nil, key.property == nil, !(key.type is AnyClass),
      !Metadata(key.type).isAnyExistential
    else { return false }
    let name = String(reflecting: key.type)
    return ["Swift.", "Foundation", "("].contains { name.hasPrefix($0) }
  }

  /// Returns the name of the type whose initialiser it may be, as far as known.
  private static func name(of type: Any.Type) -> String {
    Metadata(type).isAnyExistential ? "…" : describe(type)
  }

  /// Returns the type of a parameter in source code; nil if it is a wrapper's.
  private static func type(of parameter: Dependency) -> String? {
    if parameter.isLazy || parameter.key.name != nil { return nil }
    let type = describe(parameter.key.type)
    return parameter.isOptional ? optionalName(of: type) : type
  }
}
