import DIContainer
import Testing

extension ExitTest.Result {
  /// What the process said before it ended.
  var errorText: String { String(decoding: standardErrorContent, as: UTF8.self) }

  /// What the process said first, as much of it as there is to compare with.
  func start(of expected: String) -> String { String(errorText.prefix(expected.count)) }
}

/// What a process that traps prints first: the place that is to blame, and the diagnosis.
func fatal(_ line: Int, _ text: String, fileID: String = #fileID) -> String {
  "\(fileID):\(line): Fatal error: \(text)\n"
}
