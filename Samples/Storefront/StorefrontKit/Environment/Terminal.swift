/// The place where users read what the shop has to say.
public protocol Terminal {
  /// Writes a line of output.
  func write(_ line: String)

  /// Writes a line about something that went wrong.
  func writeError(_ line: String)
}
