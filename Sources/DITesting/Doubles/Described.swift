#if canImport(Testing) && canImport(XCTest)

/// Arguments of a call that are described and not kept.
///
/// A stub keeps its arguments for as long as it lives. Where that is too long, or they are not
/// `Sendable` and the double has to be, the stub takes their description:
///
/// ```swift
/// final class MailerDouble: Mailer, Sendable {
///   let send = Stub<Described, Void, Never>("Mailer.send(_:)")
///   func send(_ text: String) { send.call(Described(text)) }
/// }
/// ```
public struct Described: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The description.
  public let text: String

  /// Describes a value, or a tuple of several, and lets go of it.
  public init(_ value: Any) {
    text = String(describing: value)
  }

  /// A description, to compare with.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// The description.
  public var description: String { text }
}
#endif
