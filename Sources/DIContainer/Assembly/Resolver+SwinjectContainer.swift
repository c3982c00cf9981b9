// The members of Swinject's `Container` other than registration and resolution.

extension Resolver {
  convenience init(parent: Resolver?, defaultScope: Scope?, _ location: CodeLocation) {
    self.init(core: ContainerCore(location: location, defaultScope: defaultScope))
    // A new container cannot be part of a cycle.
    if let parent { core.append(parent) }
  }

  /// Creates a container that uses the services of another one; an alias for `init(child:)`.
  ///
  /// The default scope applies to registrations by type in this container, whenever they are made.
  /// Without one, it is `Resolver.defaultScope`. Nested containers have default scopes of their
  /// own.
  ///
  /// - Parameters:
  ///   - parent: A container that provides what this one does not register; it is held strongly.
  ///   - defaultObjectScope: The scope of registrations that specify none.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  @_disfavoredOverload
  public convenience init(
    parent: Resolver? = nil, defaultObjectScope: ObjectScope? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      parent: parent, defaultScope: defaultObjectScope?.scope,
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a container that uses the services of another one, and configures it.
  ///
  /// See `init(child:configure:)` and `init(parent:defaultObjectScope:)`.
  @_disfavoredOverload
  public convenience init(
    parent: Resolver? = nil, defaultObjectScope: ObjectScope? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, configure: (Resolver) throws -> Void
  ) rethrows {
    self.init(
      parent: parent, defaultObjectScope: defaultObjectScope, fileID: fileID, filePath: filePath,
      line: line, column: column)
    try ContextFrame.settingUp { try configure(self) }
  }

  /// Removes all registrations by type of this container itself.
  ///
  /// The instances kept for them are released. Nested containers stay, and so do loaded properties
  /// and the properties that declare services; `manager.reset()` resets the registrations of the
  /// latter. Inside a sandbox the registrations are hidden in that sandbox only. See
  /// `remove(_:name:)` for one registration, and `Resolver.reset()` for `main`.
  public func removeAll(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    prepareForListing()
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let target = RegistrationTarget.current(for: core)
    if target.sandbox == nil { core.forgetLoaded() }
    for registration in core.visible(ContextFrame.current)
    where registration.key.property == nil && !registration.isUnlisted {
      let removal = Registration.removal(registration.key, at: location)
      target.store(removal)
      target.tell(of: removal)
    }
  }

  /// Whether something is registered for a type, under a name if one is given.
  ///
  /// The search covers this container and its nested ones, and builds nothing. Without a name, it
  /// looks for a registration without a name; see `registrations` for all of them.
  public func hasAnyRegistration<Service>(of type: Service.Type, name: Name? = nil) -> Bool {
    prepareForListing()
    return Lookup.findComplete(RawKey(type, name: name), in: core, ContextFrame.current) != nil
  }

  /// Releases the instances that this container and its nested ones keep in a scope.
  ///
  /// The next request builds new ones. Inside a sandbox, only those of that sandbox are released.
  /// Instances of the process (`.application`, `.singleton`) are not included: reset the scope
  /// itself. See `ContainerManager.reset(scope:)` for this container alone.
  public func resetObjectScope(_ objectScope: ObjectScope) {
    forgetKept(in: objectScope, of: nil)
  }

  /// Releases the instances of one type that this container and its nested ones keep in a scope.
  ///
  /// It covers all names of the type. See `resetObjectScope(_:)` for details.
  public func resetObjectScope(_ objectScope: ObjectScope, serviceType: Any.Type) {
    forgetKept(in: objectScope, of: serviceType)
  }

  private func forgetKept(in objectScope: ObjectScope, of type: Any.Type?) {
    let frame = ContextFrame.current
    var walk = NestWalk(from: core)
    while let core = walk.next() {
      // Held while they are visited, because others may release them meanwhile.
      let children = frame?.children(of: core) ?? core.baseChildren
      core.forgetKept(frame, of: type) { $0 === objectScope.scope }
      walk.goOn(to: children)
    }
  }

  /// Returns a view of the container that resolves but does not register.
  ///
  /// Every container is thread-safe, so the view adds no locking. It shows later registrations too,
  /// and keeps the container alive.
  public func synchronize() -> any ServiceResolver { ResolvingView(container: self) }
}
