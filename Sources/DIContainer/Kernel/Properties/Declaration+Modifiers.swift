// The making of declarations, by the code that declares a property, and their modifiers.

extension Declaration {
  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ type: Any.Type, takesParameter: Bool, _ location: CodeLocation,
    _ key: StaticString, _ function: StaticString
  ) {
    let manager = container.manager
    holder = C.self == Resolver.self ? container : manager
    managed = .passUnretained(manager)
    // The two are one literal in most declarations, which the compiler sees.
    property =
      key.isSameLiteral(as: function)
      ? manager.property(container, type, key, location)
      : manager.property(container, type, key, location, in: function)
    marks = FactoryMarks(takesParameter: takesParameter)
    settingsBox = nil
  }

  /// Returns the declaration with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ scope: DeclaredScope) -> Declaration {
    var copy = self
    copy.marks.scope = scope
    if marks.changesContainer { copy.storeScope() }
    return copy
  }
}

// MARK: - Modifiers

extension Declaration {
  /// Returns whether a modifier is called by the declaring code itself.
  private func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    !marks.changesContainer && fileID.isSame(as: property.location.fileIDText)
      && property.isDeclared(by: function)
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
