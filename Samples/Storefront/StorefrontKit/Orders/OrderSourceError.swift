/// The reason why a source could not be read at all.
public struct OrderSourceError: Error, Hashable, Sendable {
  /// The name of the source.
  public let label: String

  /// What went wrong.
  public let reason: String

  /// Creates an error.
  public init(label: String, reason: String) {
    self.label = label
    self.reason = reason
  }
}

extension OrderSourceError: CustomStringConvertible {
  /// The error as a sentence for the user, without a full stop.
  public var description: String { "cannot read \(label.quoted): \(reason)" }
}
