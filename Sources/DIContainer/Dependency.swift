/// A dependency that a registration's factory is known to have.
public struct Dependency: Sendable, Hashable, CustomStringConvertible {
  /// What is asked for.
  public let key: ServiceKey
  /// Whether the factory can do without.
  public let isOptional: Bool
  /// Whether it is asked for later, when a lazy wrapper is first used.
  public let isLazy: Bool

  /// Creates a dependency.
  public init(_ key: ServiceKey, isOptional: Bool = false, isLazy: Bool = false) {
    self.key = key
    self.isOptional = isOptional
    self.isLazy = isLazy
  }

  /// The key, with a question mark if the factory can do without.
  public var description: String { isOptional ? "\(key)?" : "\(key)" }
}
