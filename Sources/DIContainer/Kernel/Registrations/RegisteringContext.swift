internal import DIPrimitives

/// What is going on in a task that registers, as far as its registrations remember it.
///
/// One task-local value, because every registration reads all of it: reading each part by itself
/// took longer than the rest of registering.
package struct RegisteringContext: Sendable {
  /// Whether `registerAllServices` is running: it never overwrites what was registered before.
  var isStartingUp = false
  /// Whether doubles of a suite or a preset are being registered, which may go unused.
  package var isPreset = false
  /// Whether assemblies register doubles: a trait, a layer or a sandbox applies them.
  package var assembliesAreDoubles = false
  /// The type of the assembly that is assembling.
  var assembly: ObjectIdentifier?

  /// Whether doubles of a suite or a preset are being registered here.
  package static var registersPresets: Bool { current.isPreset }

  @TaskLocal private static var bound: RegisteringContext?

  @inline(__always)
  static var current: RegisteringContext {
    // Nil is what most tasks have, and nothing has to be copied then.
    di_task_local(di_registering_key())?.load(as: RegisteringContext?.self)
      ?? RegisteringContext()
  }

  /// Runs an operation with something changed.
  package static func with<Result>(
    _ change: (inout RegisteringContext) -> Void, _ operation: () throws -> Result
  ) rethrows -> Result {
    try $bound.withValue(current.with(change), operation: operation)
  }

  /// Runs an operation that may wait with something changed.
  package nonisolated(nonsending) static func with<Result>(
    _ change: (inout RegisteringContext) -> Void,
    _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await $bound.withValue(current.with(change)) { try await operation() }
  }

  // Everything that binds one comes here first.
  private func with(_ change: (inout RegisteringContext) -> Void) -> RegisteringContext {
    di_task_key_set(di_registering_key(), Self.$bound.key)
    var changed = self
    change(&changed)
    return changed
  }
}
