// Source code for advice about a service.

extension ServiceKey {
  /// Returns source code that registers a double, as advice.
  ///
  /// For a property, registering its type would have no effect.
  ///
  /// - Parameters:
  ///   - mock: The container expression of a registration by type, with a dot.
  ///   - container: The type of the container that provided the service, if the caller knows it.
  /// - Returns: A part of a sentence.
  package func doubleAdvice(_ mock: String, in container: Any.Type? = nil) -> String {
    guard let property else {
      return "`\(mock)register\(nameArgument) { … as \(describe(type)) }`"
    }
    let text = Self.text(container ?? property.container)
    return "`\(propertyAccess(in: container)).register { … }` in the sandbox, "
      + "or `mock.double(\\\(text).\(property.name)) { … }`"
  }

  /// The source code of a call's only argument in parentheses: the name; empty if there is none.
  var nameArgument: String { name.map { "(name: \($0.rawValue.debugDescription))" } ?? "" }

  /// Returns the source code that reads the property of the shared container.
  package func propertyAccess(in container: Any.Type? = nil) -> String {
    guard let property else { return "" }
    return "\(Self.text(container ?? property.container)).shared.\(property.name)"
  }

  /// The source code for it in a list of services: its type, or a property's key path.
  package var sourceText: String {
    guard let property else { return metatypeText(type) }
    return "\\\(Self.text(property.container)).\(property.name)"
  }

  private static func text(_ container: Any.Type) -> String {
    container == Resolver.self ? "Container" : describe(container)
  }
}
