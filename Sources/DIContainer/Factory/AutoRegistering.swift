/// A container that registers something on its own.
public protocol AutoRegistering {
  /// Called once per container, before it registers or resolves anything by key path.
  ///
  /// What it registers is base state, whichever test is the first to touch the container. It
  /// runs again after `reset()`.
  func autoRegister()
}
