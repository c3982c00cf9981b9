import Testing

/// Expects an operation to report one issue: exactly this text, at this line of the caller's file.
func expectIssue(
  _ text: String, atLine line: UInt, sourceLocation: SourceLocation = #_sourceLocation,
  from operation: () -> Void
) {
  withKnownIssue(sourceLocation: sourceLocation) {
    operation()
  } matching: {
    isIssue($0, text, line, sourceLocation)
  }
}

/// Expects an async operation to report one issue.
func expectIssue(
  _ text: String, atLine line: UInt, sourceLocation: SourceLocation = #_sourceLocation,
  from operation: () async -> Void
) async {
  await withKnownIssue(sourceLocation: sourceLocation) {
    await operation()
  } matching: {
    isIssue($0, text, line, sourceLocation)
  }
}

/// Expects an operation to report one warning.
///
/// Issues have had a severity since 6.3; before, a warning goes to standard error.
func expectWarning(
  _ text: String, atLine line: UInt, sourceLocation: SourceLocation = #_sourceLocation,
  from operation: () -> Void
) {
  #if compiler(>=6.3)
  expectIssue(text, atLine: line, sourceLocation: sourceLocation, from: operation)
  #else
  operation()
  #endif
}

/// Expects an async operation to report one warning.
func expectWarning(
  _ text: String, atLine line: UInt, sourceLocation: SourceLocation = #_sourceLocation,
  from operation: () async -> Void
) async {
  #if compiler(>=6.3)
  await expectIssue(text, atLine: line, sourceLocation: sourceLocation, from: operation)
  #else
  await operation()
  #endif
}

private func isIssue(
  _ issue: Issue, _ text: String, _ line: UInt, _ location: SourceLocation
) -> Bool {
  issue.comments.map(\.rawValue) == [text] && issue.sourceLocation?.fileID == location.fileID
    && issue.sourceLocation?.line == Int(line)
}

extension Trait where Self == IssueHandlingTrait {
  /// Drops warnings, such as that a double came late or was not used, where that is the point.
  static var withoutWarnings: Self { .filterIssues { $0.isError } }
}

extension Issue {
  /// Whether it is more than a warning; Swift Testing has had warnings since 6.3.
  var isError: Bool {
    #if compiler(>=6.3)
    severity == .error
    #else
    true
    #endif
  }
}
