/// A registration and where it was put, for those who say more about it.
///
/// Less than a target, because each word about a registration hands on a copy; and not generic,
/// because nothing here depends on the service's type.
struct StoredRegistration {
  fileprivate(set) var registration: Registration
  fileprivate let core: ContainerCore
  fileprivate let sandbox: ContextFrame?
  fileprivate let isBase: Bool
  fileprivate let context: RegisteringContext
  /// Whether a recorder heard of the registration.
  fileprivate let isRecorded: Bool

  /// Where something that belongs to it, such as an alias, is to be put now.
  var target: RegistrationTarget {
    RegistrationTarget(
      core: core, registry: registry,
      frame: ContextFrame.isSettingUp ? nil : ContextFrame.current, sandbox: sandbox,
      isBase: isBase, context: context)
  }

  private var registry: Registry {
    sandbox?.makeOverlay(for: core).registry ?? core.registry
  }

  /// Puts a changed form of the registration in its place.
  @inline(__always)
  mutating func replace(with new: Registration) {
    RegistrationTarget.replace(registration, with: new, in: registry, sandbox)
    registration = new
  }

  mutating func change(_ scope: Scope) {
    replace(with: Registration(registration, scope: scope))
    if isRecorded { ContextFrame.current?.observe { $0.rescoped(registration) } }
  }
}

extension RegistrationTarget {
  /// A registration that was put here.
  func stored(_ registration: Registration) -> StoredRegistration {
    StoredRegistration(
      registration: registration, core: core, sandbox: sandbox, isBase: isBase, context: context,
      isRecorded: frame.map { !$0.recorders.isEmpty } ?? false)
  }
}
