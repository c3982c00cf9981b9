extension Resolver {
  /// A name that tells registrations of one type apart.
  ///
  /// Define names as static members, so that they complete and cannot be misspelled, as on
  /// Resolver's page on named instances:
  ///
  /// ```swift
  /// extension Resolver.Name { static let card = Self("card") }
  /// ```
  ///
  /// Names are compared exactly, by their characters. The empty name is a name like any other: it
  /// is not the same as no name.
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

    /// The name for a string, or nil, which means "unnamed", for nil.
    public static func name(fromString string: String?) -> Name? {
      string.map { Name($0) }
    }

    /// The text of the name.
    public var description: String { rawValue }
  }
}
