internal import DIPrimitives

// DITranquillity's vocabulary for checking the wiring, and for start-up.

extension Resolver {
  /// A check of the wiring of a container; see `Resolver.makeGraph()`.
  public struct WiringCheck {
    fileprivate let container: Resolver

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
