extension ManagedContainer {
  /// The services that this container provides, and their known dependencies; runs no factory.
  ///
  /// It includes services that are declared as properties once something is registered for them.
  /// Inside a sandbox or a layer it is that scope's view.
  public var graph: DependencyGraph {
    inspected.graph(observing: [])
  }

  /// Checks the wiring of all services that this container provides, without running a factory.
  ///
  /// Throws one error that lists all faults: missing services, initialisers that cannot await
  /// what they need, cycles, lifetimes that do not fit, `implements` without a conformance, roots
  /// that cannot be looked into. The limits of the check are listed too, so that a green check
  /// never claims too much: the dependencies of closures, and those that classes may have besides
  /// the parameters of their initialisers. Warnings are in the report. Inside a sandbox or a layer
  /// it checks that scope's view.
  ///
  /// ```swift
  /// @Test func wiring() throws {
  ///   try Resolver.main.validate(roots: [Checkout.self], dryRun: true)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - roots: The types that the program resolves itself, where chains of findings begin. One
  ///     that is made by a closure that was not seen to run is an error.
  ///   - dryRun: Whether to run every factory once in a sandbox of its own, to find the
  ///     dependencies of closures; see `Resolver.dryRun()` for the consequences.
  /// - Throws: All faults in the wiring, if there are any.
  /// - Returns: The report, with warnings and the limits of the check.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    try validate(roots: roots, observing: [], dryRun: dryRun)
  }

  /// Checks the wiring, with the dependencies of closures as recorded in runs.
  package func validate(
    roots: [Any.Type], observing recordings: [EventLog], dryRun: Bool
  ) throws(ValidationError) -> ValidationReport {
    let report = ValidationReport(
      of: inspected, roots: roots, observing: recordings, dryRun: dryRun)
    guard report.errors.isEmpty else { throw ValidationError(report: report) }
    return report
  }

  /// The container by type, prepared; a typed container's resolver knows that container itself.
  private var inspected: Resolver {
    if let resolver = self as? Resolver { return resolver }
    manager.prepare(self)
    return manager.resolver
  }
}

extension ValidationReport {
  fileprivate init(
    of resolver: Resolver, roots: [Any.Type], observing recordings: [EventLog], dryRun: Bool
  ) {
    let run = dryRun ? DryRun.run(of: resolver) : nil
    let graph = resolver.graph(observing: recordings, run)
    let types = graph.namedKeys.map(\.type) + roots + (run?.types ?? [])
    let found = TypeNames.telling(types) {
      let validator = Validator(graph, container: resolver, ContextFrame.current)
      validator.run(roots: roots, isAfterDryRun: dryRun)
      return validator.findings
        + (run?.findings(besides: validator.findings, of: resolver) ?? [])
    }
    let unseenNodes = graph.nodes.filter { !$0.isKnown }
    // A decoration and what it wraps have the same key.
    var listed: Set<ServiceKey> = []
    let unseen = unseenNodes.map(\.key).filter { listed.insert($0).inserted }
    self.init(
      container: resolver.core.label, findings: Self.sorted(found), types: types, unseen: unseen,
      needingParameters: unseen.filter { run?.needingParameters.contains($0) ?? false },
      boundaries: Dictionary(grouping: graph.nodes.filter { $0.boundary != nil }) { $0.boundary! }
        .mapValues { $0.map(\.key) },
      initialised: listed.subtracting(unseenNodes.filter(\.isClosure).map(\.key)),
      isAfterDryRun: dryRun)
  }

  private static func sorted(_ findings: [WiringFinding]) -> [WiringFinding] {
    let texts = findings.map { (finding: $0, text: $0.description) }
    return texts.sorted { one, other in
      let isError = (one.finding.severity == .error, other.finding.severity == .error)
      return isError.0 == isError.1 ? one.text < other.text : isError.0
    }.map(\.finding)
  }
}

extension Assembler {
  /// The registrations that the assembler's container reaches, including its parents'.
  ///
  /// See `Resolver.registrations`.
  public var registrations: [RegistrationInfo] { container.registrations }

  /// The graph of these registrations, made without running any factory; see `Resolver.graph`.
  public var graph: DependencyGraph { container.graph }

  /// Checks the wiring of all assembled services; see `Resolver.validate(roots:dryRun:)`.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    try container.validate(roots: roots, dryRun: dryRun)
  }
}
