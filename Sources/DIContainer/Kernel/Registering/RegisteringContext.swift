/// The state of a registering task, as far as its registrations record it.
package struct RegisteringContext: Sendable {
  /// The set-up code that is running, which replaces no registrations but base ones.
  var setUp: SetUp?
  /// Whether the closure of a trait, a layer or a sandbox runs, in which assemblies register
  /// doubles, too.
  package var assembliesAreDoubles = false
  /// Whether a test runs production setup, whose registrations are live.
  package var isProduction = false
  /// The type of the assembly that is being assembled.
  var assembly: ObjectIdentifier?
  /// The boundary that the assembly's services are behind, if any.
  var boundary: String?

  /// Set-up code that runs by itself.
  enum SetUp: Equatable {
    case startup
    /// The `autoRegister` of a container, given by its core.
    case autoRegister(ObjectIdentifier)
  }

  /// Notes that set-up code runs, which belongs to no assembly that happens to need it first.
  mutating func begin(_ setUp: SetUp) {
    self.setUp = setUp
    (assembly, boundary) = (nil, nil)
  }

  // One object, because every registration reads it: to copy a struct takes three times as long.
  @TaskLocal private static var bound = Reference(RegisteringContext())

  package static var current: RegisteringContext { bound.value }

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

  private func with(
    _ change: (inout RegisteringContext) -> Void
  ) -> Reference<RegisteringContext> {
    var changed = self
    change(&changed)
    return Reference(changed)
  }
}
