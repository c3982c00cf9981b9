/// A registration and where in its container it was put: what `ResolverOptions` changes.
///
/// It holds less than a `RegistrationTarget`, because each call of an option copies it; and it is
/// not generic, because nothing here depends on the service's type.
struct StoredRegistration: @unchecked Sendable {
  // Sendable: a registration never changes, and what users said in it is theirs to use on several
  // threads.
  fileprivate(set) var registration: Registration
  /// The sandbox that it was put in, if any.
  fileprivate let sandbox: ContextFrame?
  fileprivate let isBase: Bool
  fileprivate let context: RegisteringContext
  /// Whether a recorder heard of the registration.
  fileprivate let isRecorded: Bool

  /// The sandbox whose view changes concern: one that is open now inside the one it was put in.
  private var view: ContextFrame? {
    guard let current = ContextFrame.current?.sandbox, current !== sandbox,
      sandbox == nil || current.sandboxes.contains(where: { $0 === sandbox })
    else { return sandbox }
    return current
  }

  /// Where something that belongs to it, such as an alias, is to be put now; nil if it is gone.
  func target(in core: ContainerCore) -> RegistrationTarget? {
    let target = RegistrationTarget(
      core, bound: nil, held: ContextFrame.current,
      sandbox: view.map { .passUnretained($0) }, isBase: isBase, context: context)
    let key = registration.key.rawKey
    let present = target.registry.find(key) ?? core.own(key, view)
    return present.map { !$0.isRemoval } ?? false ? target : nil
  }

  /// Puts a changed form of the registration in its place.
  @inline(__always)
  mutating func replace(with new: Registration, in core: ContainerCore) {
    let old = registration
    registration = new
    let view = view
    let isBelow = view !== sandbox
    // What was replaced or removed meanwhile does not come back by way of a view.
    if isBelow, core.own(old.key.rawKey, view)?.id != old.id { return }
    RegistrationTarget(
      core, bound: nil, held: nil, sandbox: view.map { .passUnretained($0) }, isBase: isBase,
      context: context
    ).replace(old, isBelow: isBelow, with: new)
  }

  mutating func change(_ scope: Scope, in core: ContainerCore) {
    replace(with: Registration(registration, scope: scope), in: core)
    if isRecorded { ContextFrame.current?.observe { $0.rescoped(registration) } }
  }
}

extension RegistrationTarget {
  /// A registration that was put here, or is to be changed here.
  func stored(_ registration: Registration) -> StoredRegistration {
    StoredRegistration(
      registration: registration, sandbox: sandbox, isBase: isBase, context: context,
      isRecorded: isRecorded)
  }
}
