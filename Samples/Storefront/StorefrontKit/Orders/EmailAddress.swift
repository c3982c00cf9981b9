// How orders come in: an `OrderSource` hands over text, `OrderParser` turns it into `ParsedOrders`,
// which are the well-formed orders and, with line number and reason, the lines that are not. The
// fields check themselves: an `EmailAddress`, a `SKU`, a quantity or a `PaymentMethod` that exists
// is a valid one. Whether the shop sells a SKU is not a question of form: pricing answers it.

/// An address that mail can be sent to.
public struct EmailAddress: Hashable, Sendable {
  /// The address as it was written.
  public let text: String

  /// Reads an address: something, one `@`, something, and nothing invisible in between.
  ///
  /// Letters of any script are allowed. Returns nil for any other text and for more than 254 bytes.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.isVisible,
      text.utf8.count <= 254
    else { return nil }
    self.text = String(text)
  }
}

extension EmailAddress: ExpressibleByStringLiteral {
  /// Creates an address that stands in the source code, and traps if it is malformed.
  public init(stringLiteral text: String) {
    guard let address = EmailAddress(text) else {
      preconditionFailure("malformed address literal \(text.quoted)")
    }
    self = address
  }
}

extension EmailAddress: CustomStringConvertible {
  /// The address as it was written.
  public var description: String { text }
}
