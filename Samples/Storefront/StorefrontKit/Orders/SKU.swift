/// A stock-keeping unit: the code that names a product.
public struct SKU: Hashable, Sendable {
  /// The code in upper case.
  public let code: String

  /// Reads a code of 1 to 32 ASCII letters, digits and hyphens, in upper or lower case.
  ///
  /// Returns nil for any other text.
  public init?(_ text: some StringProtocol) {
    let isWellFormed = text.allSatisfy { character in
      character.isASCII && (character.isLetter || character.isNumber || character == "-")
    }
    guard isWellFormed, (1...32).contains(text.utf8.count) else { return nil }
    code = text.uppercased()
  }
}

extension SKU: ExpressibleByStringLiteral {
  /// Creates a SKU that stands in the source code, and traps if it is malformed.
  public init(stringLiteral text: String) {
    guard let sku = SKU(text) else { preconditionFailure("malformed SKU literal \(text.quoted)") }
    self = sku
  }
}

extension SKU: CustomStringConvertible {
  /// The code.
  public var description: String { code }
}
