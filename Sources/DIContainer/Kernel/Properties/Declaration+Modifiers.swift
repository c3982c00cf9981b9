// The making of declarations, by the code that declares a property.

extension Declaration {
  @inlinable @inline(__always)
  init<C: ManagedContainer>(
    _ container: C, _ type: Any.Type, takesParameter: Bool, _ location: CodeLocation,
    _ key: StaticString, _ function: StaticString
  ) {
    let manager = container.manager
    holder = C.self == Resolver.self ? container : manager
    managed = .passUnretained(manager)
    property = manager.property(container, type, key, location)
    scope = .unnamed
    // The two are one literal in most declarations, which the compiler sees.
    let hasOwnKey = !key.isSameLiteral(as: function)
    settingsBox =
      hasOwnKey || takesParameter
      ? SettingsBox(function: hasOwnKey ? function : nil, takesParameter: takesParameter) : nil
  }

  /// Returns the declaration with one of the well-known scopes.
  @inlinable @inline(__always)
  func scoped(_ scope: DeclaredScope) -> Declaration {
    var copy = self
    copy.scope = scope
    return copy
  }

  /// Returns whether a context is set by the declaring code itself.
  func isDeclaring(_ fileID: StaticString, _ function: StaticString) -> Bool {
    fileID.description == property.location.fileID
      && function.description == settings.function?.description ?? property.name
  }
}
