/// A mailer that keeps the messages it is given.
public final class SpyMailer: Mailer {
  /// The messages, in the order they came.
  public private(set) var messages: [Message] = []

  /// Creates a spy.
  public init() {}

  /// Keeps a message.
  public func send(_ message: Message) {
    messages.append(message)
  }
}
