internal import DIPrimitives

// DITranquillity's check of the wiring.

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
    public func checkIsValid(checkGraphCycles: Bool = true) -> Bool {
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
  /// precondition(resolver.makeGraph().checkIsValid())
  /// ```
  ///
  /// See `graph` for the wiring as a value, and `validate(roots:observedBy:dryRun:)` for all
  /// checks.
  public func makeGraph() -> WiringCheck { WiringCheck(container: self) }
}
