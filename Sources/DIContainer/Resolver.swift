internal import DIPrimitives

// `Resolver` is the container. Registering is in Resolver+Registration.swift, asking in
// Resolver+Resolution.swift, the process's main and root container in Resolver+Root.swift. What
// users see is thin: every container is a `ContainerCore` (Kernel), every request goes through
// `Engine`, and what a sandbox, a layer or a scoped root changes is a `ContextFrame`.

/// A container: it holds registrations, makes and keeps instances, and nests other containers.
///
/// ```swift
/// let payments = Resolver { r in
///   r.register { CardGateway() as any PaymentGateway }.scope(.cached)
/// }
/// let gateway: any PaymentGateway = payments.resolve()
/// ```
///
/// A container looks at its own registrations first, then at its children in the order added,
/// depth first. All members may be used from any thread.
public final class Resolver: SharedContainer, Sendable {
  /// What the container has in common with every container: registrations, scopes, options.
  public let manager: ContainerManager
  package let core: ContainerCore

  package init(core: ContainerCore) {
    self.core = core
    manager = ContainerManager(core)
    core.attach(self)
  }

  deinit {
    core.detach(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Creates an empty container.
  public convenience init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      core: ContainerCore(
        location: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Creates a container that asks another one for what it does not register itself.
  ///
  /// The other container is held strongly.
  public convenience init(
    child: Resolver?, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(fileID: fileID, filePath: filePath, line: line, column: column)
    // A new container cannot be part of a cycle.
    if let child { core.append(child) }
  }

  /// Creates a container below another: what it does not register itself is looked up there.
  ///
  /// The same as `init(child:)`, in DITranquillity's words.
  ///
  /// The other container is held strongly.
  public convenience init(
    parent: Resolver?, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    self.init(child: parent, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a container and sets it up.
  ///
  /// What `configure` registers is base state: it belongs to the container, whatever sandbox is
  /// current when the container happens to be made. Prefer this for `static let` containers.
  /// `child` is asked for what this container does not register; it is held strongly.
  public convenience init(
    child: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    configure: (Resolver) throws -> Void
  ) rethrows {
    self.init(child: child, fileID: fileID, filePath: filePath, line: line, column: column)
    try ContextFrame.settingUp { try configure(self) }
  }

  /// Creates a container below another and sets it up; see `init(child:configure:)`.
  public convenience init(
    parent: Resolver?, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, configure: (Resolver) throws -> Void
  ) rethrows {
    try self.init(
      child: parent, fileID: fileID, filePath: filePath, line: line, column: column,
      configure: configure)
  }

  /// Adds a child: a container to ask after this one and the children added before.
  ///
  /// Inside a sandbox the child is added for that sandbox only. Adding a container that reaches
  /// this one would make every search endless: it traps with a diagnosis.
  public func add(
    child: Resolver, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    // Released with no lock held: by then these may be the last references to the containers.
    var seen: [Resolver] = []
    let isCycle = Self.nesting.withLock { _ -> Bool in
      let frame = ContextFrame.current
      var walk = NestWalk(from: child.core, uncounted: 32)
      while let next = walk.next() {
        if next === core { return true }
        let children = frame?.children(of: next) ?? next.baseChildren
        seen += children
        walk.goOn(to: children)
      }
      if let sandbox = frame?.sandbox {
        let overlay = sandbox.makeOverlay(for: core)
        overlay.setChildren((frame?.children(of: core) ?? []) + [child])
      } else {
        core.append(child)
      }
      di_note_change()
      return false
    }
    withExtendedLifetime(seen) {}
    if !isCycle { ProcessChange.note(child: child.core, of: core, at: location) }
    if isCycle {
      trap(ResolutionError.containerCycle(child.core.label, in: core.label, at: location))
    }
  }

  // Two threads that nest two containers into each other must not both find nothing wrong.
  // Not of `Void`: ThreadSanitizer takes access to what has no size for access to its neighbours.
  private static let nesting = Lock(0)

  /// The instances that this container keeps in the `.container` scope.
  ///
  /// `resolver.cache.reset()` forgets them, as in Resolver; inside a sandbox, a layer or a scoped
  /// root those of that only. As a registration's scope it is the same as `.container`.
  public var cache: Scope { Scope.Cached(of: manager) }
}

/// Registers the services of an application: `extension Resolver: ResolverRegistering`.
///
/// `registerAllServices` runs once per process, before the first resolution, and again after
/// `Resolver.reset()`. What it registers is base state, and never overwrites what was registered
/// before. A conformance in another module than the containers' needs `@retroactive`.
///
/// It belongs to no actor, also in a module whose default isolation is the main actor: the first
/// request may come from anywhere. Services of the main actor are registered with `registerMain`.
public protocol ResolverRegistering: SendableMetatype {
  /// Registers the services of the application.
  static func registerAllServices()
}

/// Something that resolves its dependencies from a container.
///
/// The default `resolver` is `Resolver.root` at the time of each use, so it follows scoped roots.
public protocol Resolving {
  /// The container to resolve from.
  var resolver: Resolver { get }
}

extension Resolving {
  /// The current root container.
  public var resolver: Resolver { Resolver.root }
}
