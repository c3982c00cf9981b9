extension Assembler {
  /// The registrations that the assembler's container reaches, including its parents'.
  ///
  /// See `Resolver.registrations`.
  public var registrations: [RegistrationInfo] { container.registrations }

  /// The graph of these registrations, made without running any factory; see `Resolver.graph`.
  public var graph: DependencyGraph { container.graph }

  /// Checks the wiring of all assembled services.
  ///
  /// See `Resolver.validate(roots:rules:observedBy:dryRun:)`.
  ///
  /// ```swift
  /// @Test func wiring() throws {
  ///   try Assembler([ServiceAssembly()]).validate()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - roots: The types that the program resolves itself; services that they do not need are
  ///     reported as warnings.
  ///   - rules: Additional rules of the project.
  ///   - recorders: Recordings of runs, which show the dependencies of closures.
  ///   - dryRun: Whether to run every factory once in a sandbox of its own, to find the
  ///     dependencies of closures; see `Resolver.dryRun()` for the consequences.
  /// - Throws: All errors in the wiring, if there are any.
  /// - Returns: The report, with warnings, notes and limits of the check.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], rules: [ValidationRule] = [],
    observedBy recorders: [ResolutionRecorder] = [], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    try container.validate(roots: roots, rules: rules, observedBy: recorders, dryRun: dryRun)
  }
}
