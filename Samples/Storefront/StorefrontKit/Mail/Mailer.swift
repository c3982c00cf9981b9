// How customers hear of their orders: the `ReceiptWriter` turns a priced, paid order into a
// `Message`, and the `Mailer` sends it. The live mailer of this sample sends to the terminal.

/// A service that sends messages.
public protocol Mailer {
  /// Sends a message.
  func send(_ message: Message)
}
