/// The mailer of this sample, which prints what it sends.
public final class TerminalMailer: Mailer {
  /// Where messages go.
  private let terminal: any Terminal

  /// Creates a mailer.
  public init(terminal: any Terminal) {
    self.terminal = terminal
  }

  /// Prints a message.
  public func send(_ message: Message) {
    terminal.write("From: \(message.sender)")
    terminal.write("To: \(message.recipient)")
    terminal.write("Subject: \(message.subject)")
    terminal.write("")
    for line in message.body {
      terminal.write(line.isEmpty ? "" : "  \(line)")
    }
    terminal.write("")
  }
}
