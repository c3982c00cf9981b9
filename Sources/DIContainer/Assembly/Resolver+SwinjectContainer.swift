// What Swinject's `Container` has beside registering and resolving.

extension Resolver {
  convenience init(parent: Resolver?, defaultScope: Scope?, _ location: CodeLocation) {
    self.init(core: ContainerCore(location: location, defaultScope: defaultScope))
    // A new container cannot be part of a cycle.
    if let parent { core.append(parent) }
  }

  /// Creates a container that keeps instances in a scope unless a registration names another.
  ///
  /// The scope is that of what is registered by type in this container, at any time; where no
  /// container says so, it is `Resolver.defaultScope`. Containers below another have their own.
  ///
  /// - Parameters:
  ///   - parent: Where to look up what this container does not register itself; held strongly.
  ///   - defaultObjectScope: The scope of registrations that name none.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  public convenience init(
    parent: Resolver? = nil, defaultObjectScope: ObjectScope, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      parent: parent, defaultScope: defaultObjectScope.scope,
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a container with a default scope and sets it up; see `init(child:configure:)`.
  public convenience init(
    parent: Resolver? = nil, defaultObjectScope: ObjectScope, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    configure: (Resolver) throws -> Void
  ) rethrows {
    self.init(
      parent: parent, defaultScope: defaultObjectScope.scope,
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    try ContextFrame.settingUp { try configure(self) }
  }

  /// Takes away everything that is registered by type in this container itself.
  ///
  /// What was kept for it is forgotten. The containers that this one looks into stay, and so do
  /// its properties, loaded ones and those that declare services: `manager.reset()` takes back
  /// what was registered for these. Inside a sandbox all of it is hidden in that sandbox only. See
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
    where registration.key.property == nil && registration.key.type != LoadedProperty.self {
      let removal = Registration.removal(registration.key, at: location)
      target.store(removal)
      target.tell(of: removal)
    }
  }

  /// Whether something is registered for a type, under a name if one is given.
  ///
  /// In this container or in one that it looks into. Nothing is made to find out. A name never
  /// stands for "any name"; see `registrations` for all that there is.
  public func hasAnyRegistration<Service>(of type: Service.Type, name: Name? = nil) -> Bool {
    prepareForListing()
    return Lookup.answer(RawKey(type, name: name), in: core, ContextFrame.current) != nil
  }

  /// Forgets the instances that this container, and those that it looks into, keep in a scope.
  ///
  /// The next request makes new ones. Inside a sandbox those of that sandbox only. What the
  /// process keeps (`.application`, `.singleton`) is not theirs: reset the scope itself. See
  /// `ContainerManager.reset(scope:)` for this container alone.
  public func resetObjectScope(_ objectScope: ObjectScope) {
    forgetKept(in: objectScope, of: nil)
  }

  /// Forgets the instances of one type that this container, and those it looks into, keep.
  ///
  /// Those of all its names, in the one scope. See `resetObjectScope(_:)` for the rest.
  public func resetObjectScope(_ objectScope: ObjectScope, serviceType: Any.Type) {
    forgetKept(in: objectScope, of: serviceType)
  }

  private func forgetKept(in objectScope: ObjectScope, of type: Any.Type?) {
    let frame = ContextFrame.current
    var walk = NestWalk(from: core)
    while let core = walk.next() {
      // Held while they are looked at: others may let go of them meanwhile.
      let children = frame?.children(of: core) ?? core.baseChildren
      core.forgetKept(frame, of: type) { $0 === objectScope.scope }
      walk.goOn(to: children)
    }
  }

  /// The container as something that can be asked but not registered in.
  ///
  /// Every container may be used from every thread, so that is all there is to it. What is
  /// registered in the container later shows; the view keeps the container alive.
  public func synchronize() -> any ServiceResolver { ResolvingView(container: self) }
}
