/// A condition under which a service is made by a different factory.
public enum FactoryContextType: Hashable, Sendable {
  /// The process has a launch argument, or the argument was set at run time.
  case arg(String)
  /// The process has one of several launch arguments, or one was set at run time.
  case args([String])
  /// The code runs in a preview.
  case preview
  /// The code runs in a test.
  case test
  /// The package was compiled for debugging.
  case debug
  /// The code runs in a simulator.
  case simulator
  /// The code does not run in a simulator.
  case device
}
