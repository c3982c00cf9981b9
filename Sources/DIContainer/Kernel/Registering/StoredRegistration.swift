/// A registration and its place in its container, as changed by `ResolverOptions`.
///
/// It holds less than a `RegistrationTarget`, because each call of an option copies it; and it is
/// not generic, because nothing here depends on the service's type.
struct StoredRegistration: @unchecked Sendable {
  // Sendable: a registration never changes, and users are responsible for using their closures in
  // it on several threads.
  fileprivate(set) var registration: Registration
  /// The sandbox that it was stored in, if any.
  fileprivate var sandbox: ContextFrame?
  fileprivate let isBase: Bool
  fileprivate let context: RegisteringContext
  /// Whether a recorder recorded the registration.
  fileprivate let isRecorded: Bool
  /// The registrations of the service that it replaced and that have aliases.
  let earlier: [Registration]

  /// The sandbox whose view is changed: the current one if it is inside the one that holds the
  /// registration, otherwise that one.
  private var view: ContextFrame? {
    guard let current = ContextFrame.current?.sandbox, current !== sandbox,
      sandbox == nil || current.sandboxes.contains(where: { $0 === sandbox })
    else { return sandbox }
    return current
  }

  /// Returns the current target for registrations that belong to it, such as aliases; nil if it was
  /// removed.
  func target(in core: ContainerCore) -> RegistrationTarget? {
    let target = RegistrationTarget(
      core, in: ContextFrame.current, sandbox: view, isBase: isBase, context: context)
    let key = registration.key
    let present = target.registry.find(key) ?? core.own(key, view)
    return present.map { !$0.isRemoval } ?? false ? target : nil
  }

  /// Replaces the registration with a changed form, unless it was itself replaced.
  mutating func replace(with new: Registration, in core: ContainerCore) {
    let (old, view) = (registration, view)
    registration = new
    // Whether the earlier form is not in the view, but below it.
    let isBelow = view !== sandbox
    // A registration that was replaced or removed meanwhile is not restored through a view.
    if isBelow, core.own(old.key, view)?.id != old.id { return }
    let registry = view?.makeRegistry(over: core) ?? core.registry
    registry.set(new, mayBeNew: isBelow, unless: { $0.id != old.id })
    if let view, !old.isOfSite { RegistrationTarget.forget(old, keptIn: view) }
  }

  mutating func change(_ scope: Scope, in core: ContainerCore) {
    replace(with: registration.changed(scope: scope), in: core)
    if isRecorded { ContextFrame.current?.recordScope(of: registration) }
  }
}

extension RegistrationTarget {
  /// Returns a registration that was just stored here.
  func stored(
    _ registration: Registration, earlier: [Registration] = []
  ) -> StoredRegistration {
    StoredRegistration(
      registration: registration, sandbox: sandbox, isBase: isBase, context: context,
      isRecorded: frame?.isRecorded ?? false, earlier: earlier)
  }

  /// Returns a registration of the container that is visible here, to change it here.
  ///
  /// The container itself or an enclosing sandbox may hold it; there it stays as it is.
  func present(_ registration: Registration) -> StoredRegistration {
    let key = registration.key
    var stored = stored(registration)
    stored.sandbox = sandbox?.sandboxes.first {
      $0.view(of: core)?.registry.find(key)?.id == registration.id
    }
    return stored
  }
}
