/// A circumstance in which a service is made in another way.
public enum FactoryContextType: Hashable, Sendable {
  /// The process was started with an argument, or a test set it.
  case arg(String)
  /// The process was started with one of several arguments.
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
