import DIContainer
import Testing

extension ExitTest.Result {
  /// What the process said before it ended.
  var errorText: String { String(decoding: standardErrorContent, as: UTF8.self) }
}

/// What a process that traps prints first: the place that is to blame, and the diagnosis.
func fatal(_ line: Int, _ text: String, fileID: String = #fileID) -> String {
  "\(fileID):\(line): Fatal error: \(text)\n"
}
