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

  /// The severity of a finding.
  package enum Severity: Sendable, Hashable {
    /// The wiring is wrong.
    case error
    /// The wiring may be intended, but should be checked.
    case warning
  }

  /// The kind of the finding.
  public let kind: Kind
  /// The severity of the finding.
  package let severity: Severity
  /// The service that the finding is about.
  public let key: ServiceKey?
  /// The services that lead to it, from the outermost on; the first of several chains.
  public let chain: [ServiceKey]
  let diagnosis: Diagnosis
  /// The error that a request would have, if that is the finding.
  let error: ResolutionError?

  init(
    _ kind: Kind, _ key: ServiceKey?, severity: Severity = .error, chain: [ServiceKey] = [],
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
