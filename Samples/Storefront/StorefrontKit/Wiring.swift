import DIContainer

/// Runs an operation, then prints which services stand behind it.
func printingWiring<Value>(on terminal: any Terminal, during operation: () -> Value) -> Value {
  defer {
    terminal.write("Wiring:")
    for registration in Resolver.root.registrations.map({ String(describing: $0) }).sorted() {
      terminal.write("  \(registration)")
    }
  }
  return operation()
}
