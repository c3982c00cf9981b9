public import Foundation

/// A report of the findings of `validate`, and of the limits of the check.
public struct ValidationReport: Sendable, CustomStringConvertible {
  /// The name of the container that was checked.
  let container: String
  /// All findings: errors first, then warnings, each sorted.
  public let findings: [WiringFinding]
  /// The types that the findings and the lists may name.
  let types: [Any.Type]
  /// The services with dependencies that are not all known, because the services were not built.
  ///
  /// A closure makes such a service (`register { r in … }`) or sets its properties
  /// (`resolveProperties`), or an instance may have dependencies besides its initialiser's: a class
  /// by property wrappers, or any type behind a protocol.
  public let unseen: [ServiceKey]
  /// The unseen services that a dry run could not build without a parameter or arguments.
  package let needingParameters: [ServiceKey]
  /// The live services behind boundaries, by the names of these.
  public let boundaries: [String: [ServiceKey]]
  /// The unseen services that are registered by an initialiser.
  let initialised: Set<ServiceKey>
  let isAfterDryRun: Bool

  /// The findings that make the wiring wrong.
  public var errors: [WiringFinding] { findings.filter { $0.severity == .error } }
  /// The findings that should be checked.
  public var warnings: [WiringFinding] { findings.filter { $0.severity == .warning } }

  /// All findings, and the limits of the check.
  public var description: String { TypeNames.telling(types) { text } }

  private var text: String {
    let headline =
      switch errors.count {
      case 0: "Nothing that can be seen is wrong with the wiring of \(container)."
      case 1: "1 thing is wrong with the wiring of \(container)."
      case let count: "\(count) things are wrong with the wiring of \(container)."
      }
    var parts = [headline]
    for (index, finding) in findings.enumerated() {
      let mark = finding.severity == .error ? "" : "warning: "
      let text = "\(index + 1). \(mark)\(finding)"
      parts.append(text.replacing("\n", with: "\n   ").replacing("   \n", with: "\n"))
    }
    for (boundary, keys) in boundaries.sorted(by: { $0.key < $1.key }) {
      parts.append("Behind the boundary \(boundary.debugDescription): \(Self.list(keys)).")
    }
    if !needingParameters.isEmpty {
      parts.append("Not checked, since they need parameters: \(Self.list(needingParameters)).")
    }
    let notMade = unseen.filter { !needingParameters.contains($0) }
    let closures = notMade.filter { !initialised.contains($0) }
    if !closures.isEmpty { parts.append(unseenText(Self.list(closures))) }
    let others = notMade.filter(initialised.contains)
    if !others.isEmpty {
      let initialisers = others.count == 1 ? "its initialiser" : "their initialisers"
      parts.append(
        """
        Not seen: what \(Self.list(others)) may resolve besides the parameters of \(initialisers), \
        by property wrappers or otherwise.
        \(isAfterDryRun ? Self.leftOut : "Check that too with `validate(dryRun: true)`.")
        """)
    }
    return parts.joined(separator: "\n\n")
  }

  private static let shown = 12

  private static func list(_ keys: [ServiceKey]) -> String {
    let names = keys.prefix(shown).map { "`\($0)`" }.joined(separator: ", ")
    return keys.count > shown ? "\(names) and \(keys.count - shown) more" : names
  }

  private static let leftOut =
    "The dry run left them or a dependency out, or they are async, or failed, or returned nil."

  private func unseenText(_ names: String) -> String {
    if isAfterDryRun {
      return """
        Not seen: what the closures of \(names) resolve.
        \(Self.leftOut)
        """
    }
    return """
      Not seen, since validating runs no factory: what the closures of \(names) resolve.
      Check that too with `validate(dryRun: true)`, or register initialisers.
      """
  }
}

/// An error with all faults in the wiring of a container.
public struct ValidationError: Error, Sendable, CustomStringConvertible {
  /// The report of the check.
  public let report: ValidationReport

  /// All findings of the report: errors first, then warnings.
  public var findings: [WiringFinding] { report.findings }

  /// All findings, and the limits of the check.
  public var description: String { report.description }
}

extension ValidationError: LocalizedError {
  /// All findings, and the parts of the graph that could not be checked.
  public var errorDescription: String? { description }
}

/// An error or warning of `validate`.
public struct WiringFinding: Sendable, CustomStringConvertible {
  /// The kind of a finding.
  public enum Kind: Sendable, Hashable {
    /// A dependency is not registered.
    case missing
    /// A service depends on itself.
    case cycle
    /// A long-lived instance holds one of a shorter lifetime, or of the requesting container only.
    case captive
    /// A process-wide instance is built differently, depending on the container of the first
    /// request.
    case orderDependent
    /// The service does not conform to a protocol that it was registered to implement.
    case notImplemented
    /// A root is made by a closure, which nothing has looked into.
    case unseenRoot
    /// Production's set-up registers the service twice in one container.
    case registeredTwice
    /// A factory failed in a dry run, or has to await a dependency and cannot.
    case failed
  }

  /// The kind of the finding.
  public let kind: Kind
  /// The severity of the finding.
  package let severity: IssueSeverity
  /// The service that the finding is about.
  public let key: ServiceKey?
  /// The services that lead to it, from the outermost on; the first of several chains.
  public let chain: [ServiceKey]
  let diagnosis: Diagnosis
  /// The error that a request would have, if that is the finding.
  let error: ResolutionError?

  init(
    _ kind: Kind, _ key: ServiceKey?, severity: IssueSeverity = .error, chain: [ServiceKey] = [],
    _ headline: String, _ facts: [(String, String)] = [], fix fixes: [String] = [],
    error: ResolutionError? = nil
  ) {
    self.kind = kind
    self.severity = severity
    self.key = key
    self.chain = chain
    self.error = error
    diagnosis = Diagnosis(headline: headline, facts: facts, fixes: fixes)
  }

  /// The fault, its location and its remedies.
  public var description: String { diagnosis.text }
}
