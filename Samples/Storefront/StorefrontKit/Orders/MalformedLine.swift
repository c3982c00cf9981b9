/// A line of a source that is not an order.
public struct MalformedLine: Hashable, Sendable {
  /// The number of the line, counted from 1.
  public let number: Int

  /// What is wrong with it.
  public let error: OrderLineError

  /// Creates the report of one line.
  public init(number: Int, error: OrderLineError) {
    self.number = number
    self.error = error
  }
}
