extension Resolver {
  /// A name that distinguishes registrations of one type.
  ///
  /// Define names as static members, so that editors complete them and the compiler checks them:
  ///
  /// ```swift
  /// extension Resolver.Name { static let card = Self("card") }
  /// ```
  ///
  /// Names are compared exactly, by their characters. The empty name is a name like any other and
  /// differs from the absence of a name.
  public struct Name: ExpressibleByStringLiteral, Hashable, Sendable, CustomStringConvertible {
    /// The text of the name.
    public let rawValue: String

    /// Creates a name from a string that is only known at run time.
    public init(_ rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates a name from a literal.
    public init(stringLiteral rawValue: String) {
      self.rawValue = rawValue
    }

    /// Returns the name for a string, or nil, which means no name, for nil.
    public static func name(fromString string: String?) -> Name? {
      string.map { Name($0) }
    }

    /// The text of the name.
    public var description: String { rawValue }
  }
}

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
  public var description: String {
    var text = describe(type)
    if let property { text = "\(property.name): \(text)" }
    if let name { text += " " + name.rawValue.debugDescription }
    return text
  }

  /// The type or, of a property that is declared as an optional, the type that it wraps.
  package var serviceType: Any.Type {
    guard property != nil, let optional = type as? any OptionalType.Type else { return type }
    return optional.wrapped
  }

  /// Whether both have the same type, name and property.
  public static func == (left: Self, right: Self) -> Bool {
    left.type == right.type && left.name == right.name && left.property === right.property
  }

  /// Hashes the property, or else the type and the name.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(property.map { ObjectIdentifier($0) } ?? ObjectIdentifier(type))
    if let name { hasher.combine(name) }
  }
}

/// A link of the chain that led to a request.
package struct ChainLink: Sendable, Hashable {
  package let key: ServiceKey
  package let location: CodeLocation

  package init(key: ServiceKey, location: CodeLocation) {
    self.key = key
    self.location = location
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
  package static func telling<Text>(
    apart keys: some Sequence<ServiceKey>, _ text: () -> Text
  ) -> Text {
    telling(keys.map(\.type), text)
  }
}
