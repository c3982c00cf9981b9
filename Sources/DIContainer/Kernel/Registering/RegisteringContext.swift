/// The state of a registering task, as far as its registrations record it.
///
/// One task-local value, because every registration reads all of it.
package struct RegisteringContext: Sendable {
  /// Whether start-up code is running, which replaces no registrations but base ones.
  var isStartingUp = false
  /// Whether doubles of a suite or a preset are being registered, which may stay unused.
  package var mayBeUnused = false
  /// Whether assemblies register doubles, because a trait, a layer or a sandbox applies them.
  package var assembliesAreDoubles = false
  /// Whether a test runs production setup, whose registrations are live.
  package var isProduction = false
  /// The type of the assembly that is being assembled.
  var assembly: ObjectIdentifier?

  /// Whether doubles of a suite or a preset are currently being registered.
  package static var doublesMayBeUnused: Bool { current.mayBeUnused }

  @TaskLocal private static var bound: RegisteringContext?

  package static var current: RegisteringContext { bound ?? RegisteringContext() }

  /// Runs an operation with a changed context.
  package static func with<Result>(
    _ change: (inout RegisteringContext) -> Void, _ operation: () throws -> Result
  ) rethrows -> Result {
    try $bound.withValue(current.with(change), operation: operation)
  }

  /// Runs an asynchronous operation with a changed context.
  package nonisolated(nonsending) static func with<Result>(
    _ change: (inout RegisteringContext) -> Void,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $bound.withValue(current.with(change)) { try await operation() }
  }

  private func with(_ change: (inout RegisteringContext) -> Void) -> RegisteringContext {
    var changed = self
    change(&changed)
    return changed
  }
}
