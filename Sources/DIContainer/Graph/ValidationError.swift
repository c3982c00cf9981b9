/// Everything that is wrong with the wiring of a container, in one error.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// What was found.
  public let report: ValidationReport

  /// What is wrong, worst first.
  public var findings: [WiringFinding] { report.findings }

  /// All findings, and what could not be seen.
  public var description: String { report.description }
}
