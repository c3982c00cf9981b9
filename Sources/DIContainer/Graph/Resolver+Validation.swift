internal import DIPrimitives

extension ManagedContainer {
  /// The services that this container provides, and their known dependencies; runs no factory.
  ///
  /// It includes services that are declared as properties once something is registered for them.
  /// Inside a sandbox or a layer it is that scope's view.
  public var graph: DependencyGraph {
    inspected.graph()
  }

  /// Checks the wiring of all services that this container provides, without running a factory.
  ///
  /// Throws one error that lists all faults: missing services, cycles, lifetimes that do not fit,
  /// `implements` without a conformance, doubles that replace nothing, violated rules. The limits
  /// of the check are listed too, so that a green check never claims too much: the dependencies of
  /// closures, and those that classes may have besides the parameters of their initialisers.
  /// Warnings and notes are in the report. Inside a sandbox or a layer it checks that scope's view.
  ///
  /// ```swift
  /// @Test func wiring() throws { try Resolver.main.validate(roots: [Checkout.self]) }
  /// ```
  ///
  /// - Parameters:
  ///   - roots: The types that the program resolves itself. Services that they do not need are
  ///     reported as warnings, if all their dependencies are known.
  ///   - rules: Additional rules of the project.
  ///   - recorders: Recordings of runs, which show the dependencies of closures.
  ///   - dryRun: Whether to run every factory once in a sandbox of its own, to find the
  ///     dependencies of closures; see `Resolver.dryRun()` for the consequences.
  /// - Throws: All faults in the wiring, if there are any.
  /// - Returns: The report, with warnings, notes and the limits of the check.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], rules: [ValidationRule] = [],
    observedBy recorders: [ResolutionRecorder] = [], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    let report = ValidationReport(
      of: inspected, roots: roots, rules: rules, observedBy: recorders, dryRun: dryRun)
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
    of resolver: Resolver, roots: [Any.Type], rules: [ValidationRule],
    observedBy recorders: [ResolutionRecorder], dryRun: Bool
  ) {
    resolver.prepareForListing()
    let frame = ContextFrame.current
    var builder = GraphBuilder(resolver, frame)
    for recorder in recorders { builder.observe(recorder.events) }
    let run = dryRun ? DryRun.run(of: resolver) : nil
    run?.add(to: &builder)
    let graph = builder.graph()
    let types = graph.keys.map(\.type) + roots + (run?.types ?? [])
    let found = TypeNames.telling(types) {
      let validator = Validator(graph, container: resolver, frame)
      validator.run(roots: roots)
      return validator.findings + rules.flatMap { $0.check(graph) }
        + (run?.findings(besides: validator.findings) ?? [])
    }
    let unseenNodes = graph.nodes.filter { !$0.isKnown }
    let unseen = unseenNodes.map(\.key)
    self.init(
      container: resolver.core.label, findings: Self.sorted(found), types: types, unseen: unseen,
      needingParameters: unseen.filter { run?.needingParameters.contains($0) ?? false },
      initialised: Set(unseenNodes.filter { !$0.isClosure }.map(\.key)),
      isAfterDryRun: dryRun)
  }

  private static func sorted(_ findings: [WiringFinding]) -> [WiringFinding] {
    let severities: [WiringFinding.Severity: Int] = [.error: 0, .warning: 1, .note: 2]
    let texts = findings.map { (finding: $0, text: $0.description) }
    return texts.sorted { one, other in
      let ranks = (severities[one.finding.severity]!, severities[other.finding.severity]!)
      return (ranks.0, one.text) < (ranks.1, other.text)
    }.map(\.finding)
  }
}

// DITranquillity's vocabulary for checking the wiring, and for start-up.

extension Resolver {
  /// A check of the wiring of a container; see `Resolver.makeGraph()`.
  public struct WiringCheck {
    let container: Resolver

    /// Returns whether the wiring is valid, and prints its errors to standard error.
    ///
    /// It is another form of `validate()`, which throws an error that lists everything.
    ///
    /// - Parameter checkGraphCycles: Whether cycles count as errors.
    /// - Returns: Whether there are no errors.
    public func checkIsValid(checkGraphCycles: Bool = false) -> Bool {
      do {
        try container.validate()
        return true
      } catch {
        let errors = error.report.errors.filter { checkGraphCycles || $0.kind != .cycle }
        for finding in errors { di_print_error("\(finding)\n") }
        return errors.isEmpty
      }
    }
  }

  /// Returns a check of all services that this container provides at the time of the check.
  ///
  /// ```swift
  /// precondition(resolver.makeGraph().checkIsValid(checkGraphCycles: true))
  /// ```
  ///
  /// See `graph` for the wiring as a value, and `validate(roots:rules:observedBy:dryRun:)` for all
  /// checks.
  public func makeGraph() -> WiringCheck { WiringCheck(container: self) }

  /// Builds all services that are kept with `.lifetime(.single)`, at start-up.
  ///
  /// Nested containers are included. Traps with a diagnosis if one of the services cannot be
  /// resolved.
  public func initializeSingletonObjects(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    for registration in registrations where registration.scope === Scope.single {
      if let error = registration.failure(location) { trap(error) }
    }
  }

  /// Releases the instances that this container keeps with `.lifetime(.perContainer(…))`.
  ///
  /// Inside a sandbox only those of that sandbox. See `ContainerManager.reset(scope:)`.
  public func clean() {
    for retention in [Scope.Retention.strong, .weak] {
      manager.reset(scope: .perContainer(retention))
    }
  }
}

extension Assembler {
  /// The registrations that the assembler's container reaches, including its parents'.
  ///
  /// See `Resolver.registrations`.
  public var registrations: [RegistrationInfo] { container.registrations }

  /// The graph of these registrations, made without running any factory; see `Resolver.graph`.
  public var graph: DependencyGraph { container.graph }

  /// Checks the wiring of all assembled services; see
  /// `Resolver.validate(roots:rules:observedBy:dryRun:)`.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], rules: [ValidationRule] = [],
    observedBy recorders: [ResolutionRecorder] = [], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    try container.validate(roots: roots, rules: rules, observedBy: recorders, dryRun: dryRun)
  }
}
