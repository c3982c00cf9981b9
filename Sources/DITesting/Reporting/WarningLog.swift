#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// A log of the issues that XCTest does not accept: warnings, and findings between two tests.
///
/// They are printed to standard error in the form of a compiler's warnings, and appended to the
/// file in the environment variable `DITESTING_WARNINGS`: `swift test --parallel` starts a process
/// for each XCTest, and drops the output of those that pass.
enum WarningLog {
  static func write(_ issue: DiagnosticIssue, of test: String?) {
    let line = Data((text(issue, of: test) + "\n").utf8)
    FileHandle.standardError.write(line)
    if let file { file.write(line) }
  }

  /// Returns the path, severity, test and text: `/Shop/CartTests.swift:7:5: warning: …`.
  static func text(_ issue: DiagnosticIssue, of test: String?) -> String {
    let location = issue.location
    let place =
      location.line == 0
      ? "" : "\(location.filePath):\(location.line):\(max(1, location.column)): "
    let kind = issue.severity == .error ? "error" : "warning"
    return "\(place)\(kind): \(test.map { "\($0) : " } ?? "")\(issue.text)"
  }

  private static let file: FileHandle? = {
    guard let path = ProcessInfo.processInfo.environment["DITESTING_WARNINGS"] else { return nil }
    // Several processes append to it concurrently, each text in one piece.
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor)
  }()
}
#endif
