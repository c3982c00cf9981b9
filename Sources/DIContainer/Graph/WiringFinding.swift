/// One thing that `validate` found.
public struct WiringFinding: Sendable, CustomStringConvertible {
  /// What kind of thing it is.
  public enum Kind: String, Sendable, Hashable {
    /// Something is needed that is not registered.
    case missing
    /// A service needs itself.
    case cycle
    /// A service needs itself, but not before a lazy wrapper is first used: that works.
    case lazyCycle
    /// A long-lived instance holds one that a shorter-lived container owns.
    case captive
    /// A process-wide instance is built differently, depending on who asks first.
    case orderDependent
    /// `implements` promised a protocol that the service does not conform to.
    case notImplemented
    /// Nothing that the roots need leads there.
    case unreachable
    /// A double stands in for nothing.
    case idleDouble
    /// A rule of the project forbids it.
    case forbidden
    /// A factory failed in a dry run.
    case failed
  }

  /// Whether it makes the wiring wrong.
  public enum Severity: String, Sendable, Hashable {
    /// It makes the wiring wrong.
    case error
    /// It may be meant so, and is worth a look.
    case warning
    /// It is fine, and good to know.
    case note
  }

  /// What kind of thing it is.
  public let kind: Kind
  /// Whether it makes the wiring wrong.
  public let severity: Severity
  /// The service that it is about.
  public let key: ServiceKey?
  /// The services that lead to it, from the outermost on; of several chains the first.
  public let chain: [ServiceKey]
  let diagnosis: Diagnosis

  init(
    _ kind: Kind, _ key: ServiceKey?, severity: Severity = .error, chain: [ServiceKey] = [],
    _ headline: String, _ facts: [(String, String)] = [], fix fixes: [String] = []
  ) {
    self.kind = kind
    self.severity = severity
    self.key = key
    self.chain = chain
    diagnosis = Diagnosis(headline: headline, facts: facts, fixes: fixes)
  }

  /// Creates a finding of a rule of the project's own.
  ///
  /// - Parameters:
  ///   - text: What is wrong, in a sentence.
  ///   - key: The service that it is about.
  ///   - severity: Whether it makes the wiring wrong.
  public init(_ text: String, about key: ServiceKey? = nil, severity: Severity = .error) {
    self.init(.forbidden, key, severity: severity, text)
  }

  /// What was found, where, and how to fix it.
  public var description: String { diagnosis.text }
}
