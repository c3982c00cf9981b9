/// The reason why a line is not an order.
public enum OrderLineError: Error, Hashable, Sendable {
  /// The bytes of the line are not UTF-8.
  case notUTF8

  /// The line has this many fields instead of four.
  case fieldCount(Int)

  /// The identifier is empty, longer than 40 bytes or holds something invisible.
  case invalidID(String)

  /// An order on an earlier line has the same identifier.
  case duplicateID(String, firstLine: Int)

  /// The address cannot be one.
  case invalidEmail(String)

  /// No payment method has this name.
  case unknownMethod(String)

  /// The item does not read `sku x quantity`.
  case malformedItem(String)

  /// The quantity is a number that an order cannot have, however large.
  case quantityOutOfRange(String)

  /// Two items name the same product.
  case repeatedSKU(SKU)
}

extension OrderLineError: CustomStringConvertible {
  /// The reason as a sentence for the user, without a full stop.
  public var description: String {
    switch self {
    case .notUTF8:
      "the line is not UTF-8 text"
    case .fieldCount(let count):
      "expected 4 fields (id, email, payment method, items), found \(count)"
    case .invalidID(let text):
      "\(text.quoted) is not an order id: 1 to 40 bytes, no spaces"
    case .duplicateID(let id, let firstLine):
      "order id \(id.quoted) was used on line \(firstLine)"
    case .invalidEmail(let text):
      "\(text.quoted) is not an email address"
    case .unknownMethod(let text):
      "unknown payment method \(text.quoted), expected "
        + PaymentMethod.allCases.map(\.rawValue).joined(separator: " or ")
    case .malformedItem(let text):
      "expected \"sku x quantity\", found \(text.quoted)"
    case .quantityOutOfRange(let digits):
      "quantity \(digits.quoted) is not between \(Order.quantities.lowerBound)"
        + " and \(Order.quantities.upperBound)"
    case .repeatedSKU(let sku):
      "\(sku) is listed twice, add the quantities up"
    }
  }
}
