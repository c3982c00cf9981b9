internal import DIPrimitives

/// Two copies of the library in one process; reported once.
struct RuntimeCopies {
  let own: String
  let other: String

  static func report() { _ = reported }

  private static let reported: Void = {
    guard let other = di_other_runtime() else { return }
    let copies = RuntimeCopies(
      own: String(cString: di_own_runtime()), other: String(cString: other))
    let text = "\(copies)"
    if let delegate = Tests.delegate {
      delegate.report(DiagnosticIssue(text: text, severity: .error, location: CodeLocation()))
    } else {
      di_print_error(text)
    }
  }()
}
