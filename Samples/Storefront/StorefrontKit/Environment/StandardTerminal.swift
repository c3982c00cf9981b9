import Foundation

/// The terminal that the program was started from: standard output and standard error.
public struct StandardTerminal: Terminal {
  /// Creates a terminal.
  public init() {}

  /// Writes a line to standard output.
  public func write(_ line: String) {
    write(line, to: .standardOutput)
  }

  /// Writes a line to standard error.
  public func writeError(_ line: String) {
    write(line, to: .standardError)
  }

  /// Writes a line to a file; one that is closed or full has nobody to tell.
  private func write(_ line: String, to file: FileHandle) {
    try? file.write(contentsOf: Data("\(line)\n".utf8))
  }
}
