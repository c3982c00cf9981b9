/// An error with all faults in the wiring of a container.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// The report of the check.
  public let report: ValidationReport

  /// All findings of the report: errors first, then warnings and notes.
  public var findings: [WiringFinding] { report.findings }

  /// All findings, and the limits of the check.
  public var description: String { report.description }
}
