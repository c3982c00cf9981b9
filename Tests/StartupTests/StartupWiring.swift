public import DIContainer

// A process has one `registerAllServices`. Every test here runs in a process of its own and says
// first what that function is to do; in the process that starts them it does nothing.

extension Resolver: ResolverRegistering {
  /// What `registerAllServices` does in this process.
  nonisolated(unsafe) static var wiring: () -> Void = {}

  /// Sets up what the running test wants.
  public static func registerAllServices() { wiring() }
}
