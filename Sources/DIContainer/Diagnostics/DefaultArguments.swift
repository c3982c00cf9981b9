// `register(Checkout.init)` asks for every parameter of the initialiser: Swift applies default
// arguments at calls only. Where a number, a text or the like is missing that a parameter asks for,
// that is what was forgotten more often than a registration.

enum DefaultArguments {
  /// What to write where a parameter of a registration's initialiser may have a default argument;
  /// nil where a service is missing for another reason.
  static func fix(_ key: ServiceKey, neededBy registration: Registration) -> String? {
    guard let parameters = registration.options.dependencies, isPlainValue(key),
      parameters.contains(where: { $0.key == key && !$0.isOptional && !$0.isLazy })
    else { return nil }
    let name = name(of: registration.key.type)
    let left = parameters.filter { !isPlainValue($0.key) }.enumerated().map { place, parameter in
      "…: $\(place)\(type(of: parameter).map { " as \($0)" } ?? "")"
    }
    return "If it has a default argument: `register(\(name).init)` does not use that. Write a "
      + "closure that leaves it out: `register { \(name)(\(left.joined(separator: ", "))) }`."
  }

  /// Whether a request is for a value of the standard library's or of Foundation's: no service.
  private static func isPlainValue(_ key: ServiceKey) -> Bool {
    guard key.name == nil, key.property == nil, !(key.type is AnyClass),
      !Metadata(key.type).isAnyExistential
    else { return false }
    let name = String(reflecting: key.type)
    return ["Swift.", "Foundation", "("].contains { name.hasPrefix($0) }
  }

  /// The type whose initialiser it may be, as far as that can be told.
  private static func name(of type: Any.Type) -> String {
    Metadata(type).isAnyExistential ? "…" : describe(type)
  }

  /// The type of a parameter in source code; nil where it is that of a wrapper.
  private static func type(of parameter: Dependency) -> String? {
    if parameter.isLazy || parameter.key.name != nil { return nil }
    let type = describe(parameter.key.type)
    guard parameter.isOptional else { return type }
    return type.contains(" ") ? "(\(type))?" : "\(type)?"
  }
}

extension DefaultArguments {
  /// The same for a request that is made for whatever is being made at this moment.
  static func fix(_ request: Request, asked: Resolver) -> String? {
    guard isPlainValue(request.key), let maker = ResolutionError.chain.last else { return nil }
    let frame = ContextFrame.current
    var found = Lookup.find(maker.key.rawKey, in: asked.core, frame)
    // What an alias stands for has the initialiser.
    var followed: Set<ServiceKey> = []
    while let target = found?.registration.aliasTarget, followed.insert(target).inserted {
      found = Lookup.find(target.rawKey, in: asked.core, frame)
    }
    return found.flatMap { fix(request.key, neededBy: $0.registration) }
  }
}
