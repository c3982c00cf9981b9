/// A letter to a customer.
public struct Message: Hashable, Sendable {
  /// Who writes.
  public let sender: EmailAddress

  /// Who gets it.
  public let recipient: EmailAddress

  /// What it is about.
  public let subject: String

  /// The text, line by line.
  public let body: [String]

  /// Creates a message.
  public init(sender: EmailAddress, recipient: EmailAddress, subject: String, body: [String]) {
    self.sender = sender
    self.recipient = recipient
    self.subject = subject
    self.body = body
  }
}
