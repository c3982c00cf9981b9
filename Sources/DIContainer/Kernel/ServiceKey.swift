/// An identifier of a service: its type, and its name or the property that declares it, if any.
public struct ServiceKey: Sendable, Hashable, CustomStringConvertible {
  /// The service's type.
  public let type: Any.Type
  /// The name it is registered under, if any.
  public let name: Resolver.Name?
  /// The property that declares it in a typed container, for registrations by key path.
  package let property: PropertyKey?

  /// Creates the key of a service that is registered by type, to compare with an event's key.
  ///
  /// The key of a typed container's property cannot be made by hand.
  ///
  /// - Parameters:
  ///   - type: The service's type.
  ///   - name: The name that it is registered under, if any.
  public init(_ type: Any.Type, name: Resolver.Name? = nil) {
    self.type = type
    self.name = name
    property = nil
  }

  init(_ type: Any.Type, name: Resolver.Name? = nil, property: PropertyKey?) {
    self.type = type
    self.name = name
    self.property = property
  }

  /// The type as written in source code, with the name in quotes: `any Payments "card"`.
  public var description: String { description(of: describe(type)) }

  /// Returns the description with the type's text that the caller provides.
  func description(of type: String) -> String {
    var text = type
    if let property { text = "\(property.name): \(text)" }
    if let name { text += " " + name.rawValue.debugDescription }
    return text
  }

  /// Whether both have the same type, name and property.
  public static func == (left: Self, right: Self) -> Bool {
    left.type == right.type && left.name == right.name && left.property === right.property
  }

  /// Hashes the type, the name and the property.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(name)
    if let property { hasher.combine(ObjectIdentifier(property)) }
  }

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
      let label = name.map { "(name: \($0.rawValue.debugDescription))" } ?? ""
      return "`\(mock)register\(label) { … as \(describe(type)) }`"
    }
    let text = Self.text(container ?? property.container)
    return "`\(propertyAccess(in: container)).register { … }` in the sandbox, "
      + "or `mock.double(\\\(text).\(property.name)) { … }`"
  }

  /// Returns the source code that reads the property of the shared container.
  func propertyAccess(in container: Any.Type? = nil) -> String {
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

  package var rawKey: RawKey { RawKey(type, name: name, property: property) }

  /// The key of an entry for a property.
  func rawKey(_ entry: PropertyEntry) -> RawKey {
    RawKey(type, name: name, property: property, entry)
  }
}

/// A known dependency of a registration's factory.
public struct Dependency: Sendable, Hashable, CustomStringConvertible {
  /// The key of the service that the factory resolves.
  public let key: ServiceKey
  /// Whether the factory accepts its absence.
  public let isOptional: Bool
  /// Whether it is resolved later, when a lazy wrapper is first used.
  public let isLazy: Bool

  /// Creates a dependency.
  public init(_ key: ServiceKey, isOptional: Bool = false, isLazy: Bool = false) {
    self.key = key
    self.isOptional = isOptional
    self.isLazy = isLazy
  }

  /// The key, with a question mark if the dependency is optional.
  public var description: String { isOptional ? "\(key)?" : "\(key)" }
}

extension TypeNames {
  /// Composes a text in which the names of the keys' types are distinct.
  static func telling<Text>(
    apart keys: some Sequence<ServiceKey>, _ text: () -> Text
  ) -> Text {
    telling(keys.map(\.type), text)
  }
}
