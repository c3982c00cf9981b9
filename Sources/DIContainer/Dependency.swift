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
