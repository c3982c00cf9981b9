/// A container that registers something on its own.
///
/// It belongs to no actor, also in a module whose default isolation is the main actor: the first
/// who touches the container may be anywhere.
public protocol AutoRegistering: SendableMetatype {
  /// Called once per container, and again after `reset()`, before the container is used.
  ///
  /// That is before anything is registered or resolved by key path, before a request by type that
  /// nothing answers yet, with `await` or without, and before all registrations are looked
  /// through: by `resolveMany`, `registrations`, `graph`, `dryRun()` and `validate()`. What was
  /// registered by type before that stays.
  ///
  /// What it registers is base state, whichever test is the first to touch the container.
  func autoRegister()
}
