/// What a source held: the orders, and the lines that are none.
public struct ParsedOrders: Hashable, Sendable {
  /// The well-formed orders, in the order of the source.
  public var orders: [Order]

  /// The malformed lines, in the order of the source.
  public var malformed: [MalformedLine]

  /// Creates the result of a parse.
  public init(orders: [Order] = [], malformed: [MalformedLine] = []) {
    self.orders = orders
    self.malformed = malformed
  }
}
