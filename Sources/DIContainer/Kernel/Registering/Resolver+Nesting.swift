// The creation of containers, and of nests of them.

extension Resolver {
  /// Creates a container, and nests another one in it.
  ///
  /// - Parameters:
  ///   - child: A container that provides what this one does not register; it is held strongly.
  ///   - boundary: The boundary that all services registered in this one are behind, if any; see
  ///     ``ResolverOptions/boundary(_:)``.
  public convenience init(
    child: Resolver? = nil, boundary: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      child: child, defaultScope: nil, boundary: boundary,
      at: CodeLocation(fileID, filePath, line, column))
  }

  /// Creates a container and configures it.
  ///
  /// The registrations made by `configure` are base state: they belong to the container, whichever
  /// sandbox is current when the container is created. Prefer this for `static let` containers.
  ///
  /// ```swift
  /// let shop = Resolver { resolver in
  ///   resolver.register { CardGateway() as any PaymentGateway }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - child: A container that provides what this one does not register; it is held strongly.
  ///   - boundary: The boundary that all services registered in this one are behind, if any.
  ///   - configure: The closure that registers the container's services.
  public convenience init(
    child: Resolver? = nil, boundary: String? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    configure: (Resolver) throws -> Void
  ) rethrows {
    self.init(
      child: child, boundary: boundary, fileID: fileID, filePath: filePath, line: line,
      column: column)
    try ContextFrame.settingUp { try configure(self) }
  }

  /// Creates a container that uses the services of another one; an alias for `init(child:)`.
  ///
  /// - Parameter parent: A container that provides what this one does not register; it is held
  ///   strongly.
  public convenience init(
    parent: Resolver?, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(child: parent, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a container that uses the services of another one, and configures it; an alias for
  /// `init(child:configure:)`.
  public convenience init(
    parent: Resolver?, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, configure: (Resolver) throws -> Void
  ) rethrows {
    try self.init(
      child: parent, fileID: fileID, filePath: filePath, line: line, column: column,
      configure: configure)
  }

  /// Creates a container with a default scope for registrations by type, and nests another one.
  package convenience init(
    child: Resolver?, defaultScope: Scope?, boundary: String? = nil, at location: CodeLocation
  ) {
    self.init(
      core: ContainerCore(location: location, defaultScope: defaultScope, boundary: boundary))
    // A new container cannot be part of a cycle.
    if let child { core.append(child) }
  }

  /// Adds a nested container, which is searched after this one and those added before.
  ///
  /// Inside a sandbox it is added for that sandbox only. Adding a container that reaches this one
  /// would make every search endless, so it traps with a diagnosis.
  ///
  /// - Parameter child: The container to add; it is held strongly.
  public func add(
    child: Resolver, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    var seen: [Resolver] = []
    let isCycle = Self.nesting.withLock { _ -> Bool in
      let frame = ContextFrame.current
      var walk = NestWalk(from: child.core)
      while let next = walk.next() {
        if next === core { return true }
        let children = frame?.children(of: next) ?? next.baseChildren
        seen += children
        walk.goOn(to: children)
      }
      if let sandbox = frame?.sandbox {
        sandbox.setChildren((frame?.children(of: core) ?? []) + [child], of: core)
      } else {
        core.append(child)
      }
      return false
    }
    releaseUnlocked(seen)
    if isCycle {
      trap(
        ResolutionError(
          .containerCycle(child: child.core.label), at: location, container: core.label))
    }
    Tests.findDelegate()?.note(.nested(child.core, in: core, at: location))
  }

  // Two threads that nest two containers into each other must not both pass the check. Not of
  // `Void`: ThreadSanitizer takes access to a value without size for access to its neighbours.
  private static let nesting = Lock(0)
}
