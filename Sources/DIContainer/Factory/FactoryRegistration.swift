internal import DIPrimitives

/// The container, the property and the settings of a factory of any kind.
@frozen
public struct FactoryRegistration<P, T>: Sendable {
  // Factories are made anew at each access, in the code that declares them. So the fields are
  // plain, and the fast path is inlinable. With the closure of a `Factory` there are six: a struct
  // of more fields is destroyed through its metadata, for some 10 ns.

  /// The object that keeps the manager alive.
  ///
  /// It is a `Container` itself, which saves counting a reference where it was just made or read,
  /// or the manager of any other container, which might replace its own.
  // Either is Sendable.
  @usableFromInline let owner: Unchecked<AnyObject>
  @usableFromInline let managed: Unmanaged<ContainerManager>
  @usableFromInline let place: Unmanaged<Declaration>
  /// The scope's code in the lower bits, then the flags.
  @usableFromInline var bits: UInt8
  // Never changed once made; the closures in it are the user's.
  @usableFromInline var extras: Unchecked<FactoryExtras>?

  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ location: CodeLocation, _ key: StaticString, _ function: StaticString
  ) {
    let manager = container.manager
    owner = Unchecked(C.self == Resolver.self ? container : manager)
    managed = Unmanaged.passUnretained(manager)
    // The two are one literal in most declarations, which the compiler sees.
    place =
      key.isSameLiteral(as: function)
      ? manager.declaration(container, T.self, key, location)
      : manager.declaration(container, T.self, key, location, in: function)
    bits = 0
    extras = nil
  }

  @inlinable @inline(__always)
  init(_ other: FactoryRegistration, bits: UInt8) {
    owner = other.owner
    managed = other.managed
    place = other.place
    self.bits = bits
    extras = other.extras
  }

  /// Returns the registration with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ code: UInt8) -> FactoryRegistration {
    let scoped = FactoryRegistration(self, bits: bits & ~DeclaredScope.mask | code)
    if isStored { scoped.storeScope() }
    return scoped
  }

  var manager: ContainerManager { managed.takeUnretainedValue() }
  var declaration: Declaration { place.takeUnretainedValue() }

  /// The key of requests for the property.
  package var serviceKey: ServiceKey { ServiceKey(T.self, property: declaration.property) }
  var scopeCode: UInt8 { bits & DeclaredScope.mask }

  /// Whether it was promised, so that a request before it is registered may be an error.
  var isPromise: Bool {
    get { bits & 0x10 != 0 }
    set { bits = newValue ? bits | 0x10 : bits & ~0x10 }
  }

  /// Whether `reset(.context)` also resets the declaration's own contexts.
  var isOnce: Bool {
    get { bits & 0x20 != 0 }
    set { bits = newValue ? bits | 0x20 : bits & ~0x20 }
  }

  /// Whether further modifiers change the container's settings, as after `register`.
  @inlinable var isStored: Bool {
    get { bits & 0x40 != 0 }
    set { bits = newValue ? bits | 0x40 : bits & ~0x40 }
  }

  /// The closure that returns the value by which a parameter's instance is kept.
  var keepBy: ((P) -> AnyHashable)? {
    get { typedExtras?.keepBy }
    set { say(declared, scope: customScope, keepBy: newValue) }
  }

  private mutating func say(
    _ settings: FactorySettings<P, T>, scope: Scope?, keepBy: ((P) -> AnyHashable)?
  ) {
    extras = Unchecked(TypedExtras(settings, scope: scope, keepBy: keepBy))
  }

  private final class TypedExtras: FactoryExtras {
    let settings: FactorySettings<P, T>
    let keepBy: ((P) -> AnyHashable)?

    init(
      _ settings: FactorySettings<P, T>, scope: Scope?, keepBy: ((P) -> AnyHashable)?
    ) {
      self.settings = settings
      self.keepBy = keepBy
      super.init(scope: scope, isOnlyScope: settings.isEmpty && keepBy == nil)
    }
  }

  private var typedExtras: TypedExtras? {
    extras.map { unsafeDowncast($0.value, to: TypedExtras.self) }
  }

  private var customScope: Scope? { extras?.value.scope }

  var core: ContainerCore { manager.core }

  var declaredScope: Scope? { DeclaredScope.scope(scopeCode, custom: customScope) }

  /// The settings of the declaration besides its scope.
  var declared: FactorySettings<P, T> { typedExtras?.settings ?? FactorySettings() }

  /// Returns whether a modifier is called by the declaration itself.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !isStored && function.isSame(as: declaration.function)
      && fileID.isSame(as: declaration.property.fileID)
  }

  mutating func declare(_ change: (inout FactorySettings<P, T>) -> Void) {
    var settings = declared
    change(&settings)
    say(settings, scope: customScope, keepBy: keepBy)
  }

  /// Applies a modifier to the factory, and unless the declaration calls it, to the container too.
  mutating func modify(
    _ fileID: StaticString, _ function: StaticString,
    declare change: (inout FactorySettings<P, T>) -> Void,
    store: (inout FactorySettings<P, T>) -> Void
  ) {
    declare(change)
    if !isDeclaring(fileID, function) { self.store(store) }
  }

  mutating func setScope(_ scope: Scope, _ fileID: StaticString, _ function: StaticString) {
    let before = self
    let code = DeclaredScope.code(of: scope)
    bits = bits & ~DeclaredScope.mask | code
    if code == DeclaredScope.custom { say(declared, scope: scope, keepBy: keepBy) }
    // Elsewhere it is a setting of the container: the declared scope remains.
    if !isDeclaring(fileID, function) { before.store { $0.scope = scope } }
  }
}

/// The settings of a declaration besides a well-known scope: a user-defined scope, contexts, a
/// decorator, a time to live, instances by parameter.
@usableFromInline
class FactoryExtras {
  final let scope: Scope?
  final let isOnlyScope: Bool

  init(scope: Scope?, isOnlyScope: Bool) {
    self.scope = scope
    self.isOnlyScope = isOnlyScope
  }
}

extension StaticString {
  /// Returns whether it is the same literal, or one of the same characters at the same address.
  @inlinable @inline(__always)
  func isSameLiteral(as other: StaticString) -> Bool {
    hasPointerRepresentation && other.hasPointerRepresentation && utf8Start == other.utf8Start
  }

  fileprivate func isSame(as text: String) -> Bool {
    guard hasPointerRepresentation else { return description == text }
    var text = text
    return text.withUTF8 { text in
      text.count == utf8CodeUnitCount && di_same_bytes(text.baseAddress, utf8Start, text.count)
    }
  }
}
