/// The state that a reset affects.
public enum FactoryResetOptions: Sendable {
  /// Registrations, contexts, settings and kept instances.
  case all
  /// Nothing.
  case none
  /// Registrations, with the instances kept for them.
  case registration
  /// Contexts.
  case context
  /// Kept instances.
  case scope
}
