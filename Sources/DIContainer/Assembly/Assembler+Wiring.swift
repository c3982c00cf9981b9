extension Assembler {
  /// What the assembler's container can answer; see `Resolver.registrations`.
  ///
  /// The parents' services are among them.
  public var registrations: [RegistrationInfo] { container.registrations }

  /// What the assembler's container can answer, without running anything; see `Resolver.graph`.
  public var graph: DependencyGraph { container.graph }

  /// Checks the wiring of all that was assembled.
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
  ///   - roots: The types that the program asks for itself; what they do not need is a warning.
  ///   - rules: What the project wants of its wiring beside.
  ///   - recorders: Recordings of runs, which show what closures ask for.
  ///   - dryRun: Whether to run every factory once in a sandbox of its own, to see what closures
  ///     ask for; see `Resolver.dryRun()` for what that entails.
  /// - Throws: All that is wrong, if anything is.
  /// - Returns: The report, with warnings, notes and what could not be seen.
  @discardableResult
  public func validate(
    roots: [Any.Type] = [], rules: [ValidationRule] = [],
    observedBy recorders: [ResolutionRecorder] = [], dryRun: Bool = false
  ) throws(ValidationError) -> ValidationReport {
    try container.validate(roots: roots, rules: rules, observedBy: recorders, dryRun: dryRun)
  }
}
