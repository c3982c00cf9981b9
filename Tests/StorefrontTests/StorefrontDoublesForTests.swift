import StorefrontKit

// The doubles of the folder `Doubles` are generated: those of all protocols that the shop's wiring
// registers or asks for (`Wirings/storefront.txt`). A fake reads better by hand.

/// Orders that stand in the test.
struct StubOrders: OrderSource {
  let label: String = "orders"
  let lines: [String]

  init(_ lines: String...) { self.lines = lines }

  func text() throws(OrderSourceError) -> String { lines.joined(separator: "\n") }
}
