import StorefrontKit
import Testing

/// What a file of orders may hold, and the answer to everything that it may not.
@Suite struct OrderParserTests {
  /// A line that is well-formed, with the given fields in place of its own.
  private func line(
    id: String = "1001", email: String = "ada@example.com", method: String = "card",
    items: String = "TEA-GREEN x 2"
  ) -> String {
    "\(id), \(email), \(method), \(items)"
  }

  /// The error of the only line of a text, or nil when it is an order.
  private func error(_ text: String) throws -> OrderLineError? {
    let parsed = OrderParser().parse(text)
    try #require(parsed.orders.count + parsed.malformed.count == 1)
    return parsed.malformed.first?.error
  }

  @Test func readsAllFields() {
    let parsed = OrderParser().parse("1001, ada@example.com, invoice, TEA-GREEN x 2; mug-blue x 12")
    #expect(
      parsed.orders == [
        Order(
          id: "1001", customer: "ada@example.com", method: .invoice,
          items: [
            OrderItem(sku: "TEA-GREEN", quantity: 2), OrderItem(sku: "MUG-BLUE", quantity: 12),
          ],
          line: 1)
      ])
    #expect(parsed.malformed.isEmpty)
  }

  @Test("Comments and blank lines are skipped, but counted")
  func countsLines() {
    let text = """
      # Orders of the day

        # indented
      \(line(id: "1"))
      \t
      broken
      \(line(id: "2"))

      """
    let parsed = OrderParser().parse(text)
    #expect(parsed.orders.map(\.line) == [4, 7])
    #expect(parsed.malformed == [MalformedLine(number: 6, error: .fieldCount(1))])
  }

  @Test(
    "An empty source has no orders and nothing malformed",
    arguments: ["", "\n", "\r\n\r\n", "#"])
  func empty(text: String) {
    #expect(OrderParser().parse(text) == ParsedOrders())
  }

  @Test("Lines end in LF, CRLF or CR", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(end: String) {
    let parsed = OrderParser().parse([line(id: "1"), "", line(id: "2"), ""].joined(separator: end))
    #expect(parsed.orders.map(\.id) == ["1", "2"])
    #expect(parsed.orders.map(\.line) == [1, 3])
    #expect(parsed.malformed.isEmpty)
  }

  @Test("A byte-order mark does not become part of the first id")
  func byteOrderMark() {
    #expect(OrderParser().parse("\u{FEFF}\(line())").orders.map(\.id) == ["1001"])
  }

  @Test("White space around fields, items and words does not matter")
  func whiteSpace() {
    let padded = OrderParser().parse("\t1,a@b ,card,  KETTLE   x\t1 ;POT-1L x 2\u{A0}")
    #expect(padded.orders == OrderParser().parse("1,a@b,card,KETTLE x 1;POT-1L x 2").orders)
    #expect(padded.orders.count == 1)
  }

  @Test("Letters of any script may stand in ids and addresses")
  func nonASCII() throws {
    #expect(try error(line(id: "Заказ-7", email: "zoë@bücher.example")) == nil)
    #expect(try error(line(id: "👩‍🌾")) == .invalidID("👩‍🌾"), "a joiner is invisible")
  }

  @Test("A line of bytes that are not UTF-8 does not take the rest along")
  func notUTF8() {
    let bytes = Array(line(id: "1").utf8) + [10, 0xFF, 0xFE, 10] + Array(line(id: "2").utf8)
    let parsed = OrderParser().parse(String(decoding: bytes, as: UTF8.self))
    #expect(parsed.orders.map(\.id) == ["1", "2"])
    #expect(parsed.malformed == [MalformedLine(number: 2, error: .notUTF8)])
  }

  @Test("There are four fields", arguments: [("1001", 1), ("1,a@b,card", 3), ("1,a@b,card,,", 5)])
  func fieldCount(text: String, count: Int) throws {
    #expect(try error(text) == .fieldCount(count))
  }

  @Test(
    "Ids are visible and short",
    arguments: [
      "", "10 01", "a\u{1B}[2J", "a\u{202E}b", "a\u{0}", String(repeating: "9", count: 41),
    ])
  func invalidID(id: String) throws {
    #expect(try error(line(id: id)) == .invalidID(id))
  }

  @Test("An id is used once, by the first order that is well-formed")
  func duplicateID() {
    let text = [line(items: "?"), line(), line(), line(id: "1002"), line()]
      .joined(separator: "\n")
    let parsed = OrderParser().parse(text)
    #expect(parsed.orders.map(\.line) == [2, 4])
    #expect(
      parsed.malformed == [
        MalformedLine(number: 1, error: .malformedItem("?")),
        MalformedLine(number: 3, error: .duplicateID("1001", firstLine: 2)),
        MalformedLine(number: 5, error: .duplicateID("1001", firstLine: 2)),
      ])
  }

  @Test("Ids that look the same are the same")
  func canonicallyEqualIDs() {
    let parsed = OrderParser().parse("\(line(id: "caf\u{E9}"))\n\(line(id: "cafe\u{301}"))")
    #expect(parsed.malformed.map(\.number) == [2])
  }

  @Test(
    "Addresses have two parts",
    arguments: [
      "", "ada", "@", "ada@", "@example.com", "a@b@c", "a b@c", "a@b\u{7}",
      String(repeating: "a", count: 254) + "@b",
    ])
  func invalidEmail(email: String) throws {
    #expect(try error(line(email: email)) == .invalidEmail(email))
  }

  @Test(
    "Payment methods are spelled in lower case",
    arguments: ["", "cash", "Card", "card invoice"])
  func unknownMethod(method: String) throws {
    #expect(try error(line(method: method)) == .unknownMethod(method))
  }

  @Test(
    "Items read sku x quantity",
    arguments: [
      "", "KETTLE", "KETTLE 1", "KETTLE x", "x 1", "KETTLEx1", "KETTLE × 1", "KETTLE x one",
      "KETTLE x 1.5", "KETTLE x -1", "KETTLE x +1", "KETTLE x ٣", "KÄTTLE x 1", "KETTLE x 1 x 1",
    ])
  func malformedItem(item: String) throws {
    #expect(try error(line(items: item)) == .malformedItem(item))
  }

  @Test(
    "No item may be missing between semicolons",
    arguments: [";", "KETTLE x 1;", "; KETTLE x 1"])
  func missingItem(items: String) throws {
    #expect(try error(line(items: items)) == .malformedItem(""))
  }

  @Test(
    "Quantities end",
    arguments: ["0", "000", "10001", "9223372036854775808", String(repeating: "9", count: 400)])
  func quantityOutOfRange(digits: String) throws {
    #expect(try error(line(items: "KETTLE x \(digits)")) == .quantityOutOfRange(digits))
  }

  @Test("Quantities at either end are fine", arguments: ["1", "10000", "0007"])
  func quantityInRange(digits: String) throws {
    #expect(try error(line(items: "KETTLE x \(digits)")) == nil)
  }

  @Test func repeatedSKU() throws {
    #expect(try error(line(items: "KETTLE x 1; POT-1L x 1; kettle x 2")) == .repeatedSKU("KETTLE"))
  }

  @Test("A SKU that the shop does not sell is well-formed")
  func unknownSKU() throws {
    #expect(try error(line(items: "COFFEE x 1")) == nil)
  }
}
