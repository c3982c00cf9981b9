internal import DIPrimitives

extension ContainerManager {
  /// Creates the manager of a user-defined container.
  ///
  /// - Parameter boundary: The boundary that all of the container's services are behind, if any;
  ///   see ``FactoryModifying/boundary(_:)``.
  public convenience init(
    boundary: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    // Its test can be determined only while it is made: `shared` may be any variable.
    _ = Tests.findDelegate()
    let location = CodeLocation(fileID, filePath, line, column)
    self.init(ContainerCore(location: location, boundary: boundary), isOfOwnClass: true)
  }

  /// The scope of services whose declaration names none; nil means `.unique`.
  public var defaultScope: Scope? {
    get { core.setting(\.defaultScope, ContextFrame.current) ?? nil }
    set {
      let scope = newValue?.keeping
      core.set { $0.defaultScope = .some(scope) }
      core.applyDefaultScope(scope ?? .unique)
    }
  }

  func prepare(_ container: any ManagedContainer) {
    core.prepare(container)
  }

  /// Prepares a container whose class is inspected only if necessary.
  @inline(never)
  private func prepare(object container: AnyObject) {
    if core.isAutoRegisterDue { prepare(container as! any ManagedContainer) }
  }

  /// Returns a property whose container is about to be used.
  ///
  /// The container is a `ManagedContainer`; a parameter of that type would be compiled to two
  /// functions.
  @usableFromInline @inline(never)
  func property(
    _ container: AnyObject, _ type: Any.Type, _ key: StaticString, _ location: CodeLocation
  ) -> PropertyKey {
    if !core.allowsShortPath || di_attention_needed() != 0 { prepare(object: container) }
    let container: AnyClass = Swift.type(of: container)
    return Chain.current.cache.property(PropertyKey.Code(location, type, key, container)) {
      PropertyKey.at(location, type, key, in: container)
    }
  }
}

// MARK: - The making of declarations, by the code that declares a property

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
