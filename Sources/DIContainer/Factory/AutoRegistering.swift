/// A container that registers services of its own before its first use.
///
/// The protocol is isolated to no actor, even in a module whose default isolation is the main
/// actor, because the container may be used first from anywhere.
public protocol AutoRegistering: SendableMetatype {
  /// Registers the container's services.
  ///
  /// It is called once per container, and again after `reset()`: before anything is registered or
  /// resolved by key path, before a request by type that has no registration yet, with `await` or
  /// without, and before all registrations are listed, as by `resolveMany`, `registrations`,
  /// `graph`, `dryRun()` and `validate()`. Registrations made by type before that remain.
  ///
  /// The registrations that it makes are base state, whichever test uses the container first.
  func autoRegister()
}
