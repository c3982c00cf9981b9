/// What a reset takes back.
public enum FactoryResetOptions: Sendable {
  /// Registrations, contexts, settings and kept instances.
  case all
  /// Nothing.
  case none
  /// What was registered, with the instances kept for it.
  case registration
  /// What was set for contexts.
  case context
  /// Kept instances.
  case scope
}
