/// The count of what became of all lines of a source.
public struct RunReport: Hashable, Sendable {
  /// Orders that were charged.
  public var charged: Int

  /// Orders whose charge was declined.
  public var declined: Int

  /// Orders that the shop cannot deliver.
  public var rejected: Int

  /// Lines that are no orders.
  public var malformed: Int

  /// Creates a report.
  public init(charged: Int = 0, declined: Int = 0, rejected: Int = 0, malformed: Int = 0) {
    self.charged = charged
    self.declined = declined
    self.rejected = rejected
    self.malformed = malformed
  }

  /// How the program ends.
  public var outcome: Outcome {
    declined + rejected + malformed == 0 ? .success : .incomplete
  }
}

extension RunReport: CustomStringConvertible {
  /// The report in one line for the user.
  public var description: String {
    "Orders: \(charged) charged, \(declined) declined, \(rejected) rejected, \(malformed) malformed"
  }
}
