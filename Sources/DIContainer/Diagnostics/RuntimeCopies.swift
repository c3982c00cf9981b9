internal import DIPrimitives

/// The check whether another copy of the library is loaded into the process; reported once.
enum RuntimeCopies {
  static func report() { _ = reported }

  private static let reported: Void = {
    guard let other = di_other_runtime() else { return }
    let text = Diagnosis(
      headline: "Two copies of DIContainer are loaded: what is registered in one is unknown to "
        + "the other.",
      facts: [
        ("this copy:", String(cString: di_own_runtime())), ("other copy:", String(cString: other)),
      ],
      fixes: [
        "Link DIContainer into one image only: into the app and not into its test bundle.",
        "Or make it a dynamic library that both link.",
      ]
    ).text
    if let delegate = Tests.delegate {
      delegate.report(DiagnosticIssue(text: text, severity: .error, location: CodeLocation()))
    } else {
      di_print_error(text)
    }
  }()
}
