import StorefrontKit
import Testing

/// What users read about lines that are not orders.
@Suite struct OrderLineErrorTests {
  @Test(
    arguments: [
      (.notUTF8, "the line is not UTF-8 text"),
      (.fieldCount(3), "expected 4 fields (id, email, payment method, items), found 3"),
      (.invalidID(""), #""" is not an order id: 1 to 40 bytes, no spaces"#),
      (.duplicateID("1001", firstLine: 3), #"order id "1001" was used on line 3"#),
      (.invalidEmail("ada"), #""ada" is not an email address"#),
      (.unknownMethod("cash"), #"unknown payment method "cash", expected card or invoice"#),
      (.malformedItem("KETTLE"), #"expected "sku x quantity", found "KETTLE""#),
      (.quantityOutOfRange("0"), #"quantity "0" is not between 1 and 10000"#),
      (.repeatedSKU("KETTLE"), "KETTLE is listed twice, add the quantities up"),
    ] as [(OrderLineError, String)])
  func text(error: OrderLineError, text: String) {
    #expect(error.description == text)
  }

  @Test("What the user wrote cannot reach the terminal as a command")
  func escapes() {
    let error = OrderLineError.unknownMethod("\u{1B}[2J\u{202E}é\u{7F}")
    #expect(
      error.description
        == #"unknown payment method "\u{1B}[2J\u{202E}é\u{7F}", expected card or invoice"#)
  }

  @Test("What the user wrote is cut off where it gets long")
  func shortens() {
    let error = OrderLineError.invalidEmail(String(repeating: "a", count: 100_000))
    let start = String(repeating: "a", count: 60)
    #expect(error.description == "\"\(start)…\" is not an email address")
  }
}
