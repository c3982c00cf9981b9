internal import DIPrimitives

/// A factory's container and property, and its settings so far: what all kinds of factories share.
@frozen
public struct FactoryRegistration<P, T>: Sendable {
  // Factories are made anew at each access, in the code that declares them: so what this holds is
  // plain, and the way through the common case is inlinable. With the closure of a `Factory` it
  // comes to six fields: a struct of more is destroyed by way of its metadata, for some 10 ns.

  /// What keeps the manager alive: a `Container` itself, which saves a count of references where
  /// it was just made or read; of other containers the manager, which they might replace.
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

  /// The same with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ code: UInt8) -> FactoryRegistration {
    let scoped = FactoryRegistration(self, bits: bits & ~DeclaredScope.mask | code)
    if isStored { scoped.storeScope() }
    return scoped
  }

  var manager: ContainerManager { managed.takeUnretainedValue() }
  var declaration: Declaration { place.takeUnretainedValue() }

  /// What requests for the property are known by.
  package var serviceKey: ServiceKey { ServiceKey(T.self, property: declaration.property) }
  var scopeCode: UInt8 { bits & DeclaredScope.mask }

  /// Whether it was promised, and asking before it is registered may be a mistake.
  var isPromise: Bool {
    get { bits & 0x10 != 0 }
    set { bits = newValue ? bits | 0x10 : bits & ~0x10 }
  }

  /// Whether its contexts may be taken back like ones set from outside.
  var isOnce: Bool {
    get { bits & 0x20 != 0 }
    set { bits = newValue ? bits | 0x20 : bits & ~0x20 }
  }

  /// Whether modifiers change the settings in the container from now on, not the declaration.
  @inlinable var isStored: Bool {
    get { bits & 0x40 != 0 }
    set { bits = newValue ? bits | 0x40 : bits & ~0x40 }
  }

  /// The parameter as something to keep instances by.
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

  /// What the declaration says beyond its scope.
  var declared: FactorySettings<P, T> { typedExtras?.settings ?? FactorySettings() }

  /// Whether a modifier is called by the declaration itself, or in one expression with it.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !isStored && function.isSame(as: declaration.function)
      && fileID.isSame(as: declaration.property.fileID)
  }

  mutating func declare(_ change: (inout FactorySettings<P, T>) -> Void) {
    var settings = declared
    change(&settings)
    say(settings, scope: customScope, keepBy: keepBy)
  }

  /// Applies what a modifier says: to the declaration if that calls it, else to the container too.
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
    // Said from outside, it is not the declaration's.
    if !isDeclaring(fileID, function) { before.store { $0.scope = scope } }
  }
}

/// What a declaration says beside a well-known scope: a scope of the user's, contexts, a decorator,
/// a time to live.
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
  /// Whether it is the same literal, or one of the same characters in the same place.
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
