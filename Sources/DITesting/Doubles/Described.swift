#if canImport(Testing) && canImport(XCTest)

/// The description of a call's arguments, which are not kept.
///
/// A stub keeps its arguments for as long as it exists. If that is too long, or they are not
/// `Sendable` and the double has to be, let the stub record their description:
/// ```swift
/// final class MailerDouble: Mailer, Sendable {
///   let send = Stub<Described, Void, Never>("Mailer.send(_:)")
///   func send(_ text: String) { send.call(Described(text)) }
/// }
/// ```
public struct Described: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The description.
  public let text: String

  /// Creates the description of a value, or of a tuple of several, without keeping it.
  public init(_ value: Any) {
    text = CallText.describe(value)
  }

  /// Creates a description, to compare with.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// The description.
  public var description: String { text }
}
#endif
