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
