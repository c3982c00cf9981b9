/// The reader of order files.
///
/// A file has one order a line: `id, email, payment method, sku x quantity; sku x quantity`. Lines
/// may end in LF, CRLF or CR; blank lines and those that start with `#` are skipped, but counted.
/// White space around a field does not matter. There is no quoting: no field can hold a comma.
public struct OrderParser: Sendable {
  /// Creates a parser.
  public init() {}

  /// Reads all of a text, however many of its lines are malformed.
  public func parse(_ text: String) -> ParsedOrders {
    var result = ParsedOrders()
    var firstLines: [String: Int] = [:]
    for (number, content) in lines(of: text) {
      do throws(OrderLineError) {
        let order = try order(from: content, line: number)
        if let firstLine = firstLines[order.id] {
          throw .duplicateID(order.id, firstLine: firstLine)
        }
        firstLines[order.id] = number
        result.orders.append(order)
      } catch {
        result.malformed.append(MalformedLine(number: number, error: error))
      }
    }
    return result
  }

  /// The lines that should be orders, trimmed, with their numbers.
  private func lines(of text: String) -> [(number: Int, content: Substring)] {
    let byteOrderMark: Unicode.Scalar = "\u{FEFF}"
    let start = text.unicodeScalars.first == byteOrderMark ? 1 : 0
    return Substring(text.unicodeScalars.dropFirst(start))
      .split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .enumerated()
      .map { (number: $0.offset + 1, content: $0.element.trimmed) }
      .filter { !$0.content.isEmpty && !$0.content.hasPrefix("#") }
  }

  /// Reads one order.
  private func order(from content: Substring, line: Int) throws(OrderLineError) -> Order {
    guard !content.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8 }
    let fields = content.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard fields.count == 4 else { throw .fieldCount(fields.count) }

    let id = fields[0]
    guard (1...40).contains(id.utf8.count), id.isVisible else { throw .invalidID(String(id)) }
    guard let customer = EmailAddress(fields[1]) else { throw .invalidEmail(String(fields[1])) }
    guard let method = PaymentMethod(rawValue: String(fields[2])) else {
      throw .unknownMethod(String(fields[2]))
    }
    return Order(
      id: String(id), customer: customer, method: method, items: try items(from: fields[3]),
      line: line)
  }

  /// Reads the items of an order.
  private func items(from field: Substring) throws(OrderLineError) -> [OrderItem] {
    var items: [OrderItem] = []
    var seen: Set<SKU> = []
    for part in field.split(separator: ";", omittingEmptySubsequences: false) {
      let item = try item(from: part)
      guard seen.insert(item.sku).inserted else { throw .repeatedSKU(item.sku) }
      items.append(item)
    }
    return items
  }

  /// Reads `sku x quantity`.
  private func item(from part: Substring) throws(OrderLineError) -> OrderItem {
    let words = part.split(whereSeparator: \.isWhitespace)
    guard words.count == 3, let sku = SKU(words[0]), words[1] == "x",
      words[2].allSatisfy({ ("0"..."9").contains($0) })
    else { throw .malformedItem(String(part.trimmed)) }
    guard let quantity = Int(words[2]), Order.quantities.contains(quantity) else {
      throw .quantityOutOfRange(String(words[2]))
    }
    return OrderItem(sku: sku, quantity: quantity)
  }
}
