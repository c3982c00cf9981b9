internal import DIPrimitives

// DITranquillity's words for checking the wiring, and for what belongs to starting up.

/// The wiring of a container, to be checked; see `Resolver.makeGraph()`.
public struct WiringCheck {
  let container: Resolver

  /// Whether the wiring is right; what is wrong is printed to the standard error.
  ///
  /// It is `validate()`, which throws an error that lists everything, in another form.
  ///
  /// - Parameter checkGraphCycles: Whether cycles count as wrong.
  /// - Returns: Whether nothing is wrong.
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

extension Resolver {
  /// The wiring of everything that this container can answer, as it is when it is checked.
  ///
  /// ```swift
  /// precondition(resolver.makeGraph().checkIsValid(checkGraphCycles: true))
  /// ```
  ///
  /// See `graph` for the wiring as a value, and `validate(roots:rules:observedBy:dryRun:)` for all
  /// that can be checked.
  public func makeGraph() -> WiringCheck { WiringCheck(container: self) }

  /// Makes all services that are kept with `.lifetime(.single)`, at start-up.
  ///
  /// Those of the containers that this one looks into, too. Traps with a diagnosis if one of them
  /// cannot be had.
  public func initializeSingletonObjects(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    for registration in registrations where registration.scope === Scope.single {
      if let error = registration.failure(location) { trap(error) }
    }
  }

  /// Forgets the instances that this container keeps with `.lifetime(.perContainer(…))`.
  ///
  /// Inside a sandbox those of that sandbox only. See `ContainerManager.reset(scope:)`.
  public func clean() {
    for retention in [Scope.Retention.strong, .weak] {
      manager.reset(scope: .perContainer(retention))
    }
  }
}
