internal import DIPrimitives

/// A service declared as a property of a container, without the declared factory.
///
/// Factories are made anew at each access, in the code that declares them. So the fields are plain,
/// and the short path is inlinable. With the closure of a `Factory` there are six: a struct of more
/// fields is destroyed through its metadata, for some 10 ns.
@frozen @usableFromInline
struct Declaration: @unchecked Sendable {
  // Sendable: containers and managers are.

  /// The object that keeps the manager alive.
  ///
  /// It is a `Container` itself, which saves counting a reference where it was just made or read,
  /// or the manager of any other container, which might replace its own.
  @usableFromInline let owner: AnyObject
  @usableFromInline let managed: Unmanaged<ContainerManager>
  @usableFromInline let reference: Unmanaged<PropertyKey>
  @usableFromInline var marks: FactoryMarks
  /// The declaration's settings besides its factory and a well-known scope; nil in most.
  @usableFromInline var stored: StoredSettings?

  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ type: Any.Type, takesParameter: Bool, _ location: CodeLocation,
    _ key: StaticString, _ function: StaticString
  ) {
    let manager = container.manager
    owner = C.self == Resolver.self ? container : manager
    managed = Unmanaged.passUnretained(manager)
    // The two are one literal in most declarations, which the compiler sees.
    reference =
      key.isSameLiteral(as: function)
      ? manager.property(container, type, key, location)
      : manager.property(container, type, key, location, in: function)
    marks = FactoryMarks(takesParameter: takesParameter)
    stored = nil
  }

  /// Returns the declaration with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ scope: DeclaredScope) -> Declaration {
    var copy = self
    copy.marks.scope = scope
    if marks.isStored { copy.storeScope() }
    return copy
  }

  var manager: ContainerManager { managed.takeUnretainedValue() }
  var core: ContainerCore { manager.core }
  /// The container in the form that resolves by type.
  var container: Resolver { owner as? Resolver ?? manager.resolver }
  var property: PropertyKey { reference.takeUnretainedValue() }
  /// Whether nil is an instance.
  @usableFromInline var isOptional: Bool { property.isOptional }
  /// The key of requests for the property.
  var key: ServiceKey { ServiceKey(property.type, property: property) }
  var declaredScope: Scope? { marks.scope.scope(custom: stored?.value.scope) }

  /// The key under which a layer of another type registers for the property.
  var qualifiedKey: ServiceKey {
    ServiceKey(property.type, property: property.qualified(by: core.settings.containerType))
  }

  /// The settings of the declaration besides its factory and a well-known scope.
  var settings: FactorySettings {
    get { stored?.value ?? FactorySettings() }
    set { stored = StoredSettings(newValue) }
  }
}

// MARK: - Modifiers

extension Declaration {
  /// Returns whether a modifier is called by the declaring code itself.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !marks.isStored && function.isSame(as: property.function)
      && fileID.isSame(as: property.fileID)
  }

  /// Applies a modifier to the factory, and unless the declaring code calls it, to the container
  /// too.
  mutating func modify(
    _ fileID: StaticString, _ function: StaticString,
    declare change: (inout FactorySettings) -> Void, store: (Declaration) -> Void
  ) {
    change(&settings)
    if !isDeclaring(fileID, function) { store(self) }
  }

  mutating func setScope(_ scope: Scope, _ fileID: StaticString, _ function: StaticString) {
    let before = self
    marks.scope = DeclaredScope(scope)
    if marks.scope == .custom { settings.scope = scope }
    // Elsewhere it is a setting of the container: the declared scope remains.
    if !isDeclaring(fileID, function) { before.setScope(scope) }
  }

  /// Stores the scope that was named after `register`.
  @usableFromInline
  func storeScope() { setScope(declaredScope) }
}

/// The scope that a declaration names.
///
/// Unlike a reference to the scope, it is copied without counting.
@frozen @usableFromInline
enum DeclaredScope: UInt8, CaseIterable {
  case unnamed, cached, graph, shared, singleton, unique
  /// A user-defined scope, which the declaration's settings hold.
  case custom

  init(_ scope: Scope?) {
    self = Self.allCases.first { $0.scope(custom: nil) === scope } ?? .custom
  }

  func scope(custom: Scope?) -> Scope? {
    switch self {
    case .unnamed: nil
    case .cached: .cached
    case .graph: .graph
    case .shared: .shared
    case .singleton: .singleton
    case .unique: .unique
    case .custom: custom
    }
  }
}

/// The scope and the marks of a factory, in one byte.
@frozen @usableFromInline
struct FactoryMarks {
  @usableFromInline var bits: UInt8

  @inlinable @inline(__always)
  init(takesParameter: Bool) { bits = takesParameter ? 0x80 : 0 }

  var takesParameter: Bool { bits & 0x80 != 0 }

  /// The scope that the declaration names.
  @inlinable var scope: DeclaredScope {
    @inline(__always) get { DeclaredScope(rawValue: bits & 0x0F).unsafelyUnwrapped }
    @inline(__always) set { bits = bits & 0xF0 | newValue.rawValue }
  }

  /// Whether it has no mark.
  var isOnlyScope: Bool { bits & 0xF0 == 0 }

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

/// The declaration that a request by key path is for, with the declared factory.
@usableFromInline
package final class DeclaredProperty {
  let declaration: Declaration
  /// The declared factory; nil if another module is to register one.
  let maker: Maker?

  init(_ declaration: Declaration, _ maker: Maker? = nil) {
    self.declaration = declaration
    self.maker = maker
  }
}
