import Testing

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
