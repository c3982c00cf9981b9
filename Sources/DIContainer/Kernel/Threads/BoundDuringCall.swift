/// A task-local value that is in force while the call runs that binds it.
///
/// Tasks that the call starts and leaves behind inherit the binding. Once the call has returned,
/// the value that was bound before applies to them.
package final class BoundDuringCall<Value: Sendable>: Sendable {
  fileprivate let value: Value
  private let outer: BoundDuringCall?
  private let hasEnded = Atomic()

  fileprivate init(_ value: Value, inside outer: BoundDuringCall?) {
    (self.value, self.outer) = (value, outer)
  }

  /// Itself, or the innermost one around it that is in force.
  fileprivate var inForce: BoundDuringCall? {
    hasEnded.isSet ? outer?.inForce : self
  }

  fileprivate func end() { hasEnded.set(true) }
}

extension TaskLocal {
  /// Returns the bound value that is in force, if any.
  package func current<Bound>() -> Bound? where Value == BoundDuringCall<Bound>? {
    get()?.inForce?.value
  }

  /// Binds a value during a call, but not for tasks that go on afterwards.
  package func during<Bound, Result>(
    _ value: Bound, _ operation: () throws -> Result
  ) rethrows -> Result where Value == BoundDuringCall<Bound>? {
    let bound = BoundDuringCall(value, inside: get()?.inForce)
    defer { bound.end() }
    return try withValue(bound, operation: operation)
  }

  /// Binds a value during an async call, but not for tasks that go on afterwards.
  package nonisolated(nonsending) func during<Bound, Result>(
    _ value: Bound, _ operation: () async throws -> Result
  ) async rethrows -> Result where Value == BoundDuringCall<Bound>? {
    let bound = BoundDuringCall(value, inside: get()?.inForce)
    defer { bound.end() }
    return try await withValue(bound) { try await operation() }
  }
}
