internal import DIPrimitives

/// What all containers have in common: their registrations, what they keep, and their settings.
///
/// Settings, `reset` and `push` concern a sandbox's view only while a sandbox is current.
public final class ContainerManager: Sendable {
  package let core: ContainerCore
  private let facade = Lock<Resolver?>(nil)
  /// Whether it is the manager of a container of the user's own, not that of a `Container`.
  private let isOfOwnClass: Bool

  init(_ core: ContainerCore) {
    self.core = core
    isOfOwnClass = false
  }

  deinit {
    guard isOfOwnClass else { return }
    core.detach(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Creates the manager of a container of your own.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    // Whose it is can be told only from who makes it: `shared` may be a variable of the user's own.
    _ = ProcessHooks.ofTests()
    core = ContainerCore(
      location: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    isOfOwnClass = true
    core.factories.noteOwnClass()
    core.attachManager()
  }

  /// The scope of services whose declaration names none; nil stands for `.unique`.
  public var defaultScope: Scope? {
    get { core.factories.defaultScope(core, ContextFrame.current) }
    set { core.factories.setDefaultScope(newValue?.keeping, core) }
  }

  /// Whether a request for a promised service that is not registered traps with a diagnosis.
  ///
  /// False unless set: the answer is then nil where an optional is asked for.
  public var promiseTriggersError: Bool {
    get { core.factories.promiseTriggersError(core, ContextFrame.current) }
    set { core.factories.setPromiseTriggersError(newValue, core) }
  }

  /// The container as one that registers and resolves by type.
  ///
  /// A container of your own has one made on first use, which shares all it has.
  package var resolver: Resolver {
    if let resolver = core.resolver { return resolver }
    return facade.withLock { facade in
      if let resolver = core.resolver ?? facade { return resolver }
      let resolver = Resolver(core: core)
      facade = resolver
      return resolver
    }
  }

  func prepare(_ container: any ManagedContainer) {
    core.factories.prepare(container, core)
  }

  /// The same for a container whose class is not looked at unless there is something to do.
  @inline(never)
  private func prepare(object container: AnyObject) {
    core.factories.prepare(container as! any ManagedContainer, core)
  }

  /// The place that declares a property of a container, which is about to be asked for something.
  ///
  /// The container is a `ManagedContainer`; what takes one as that is compiled to two functions.
  @usableFromInline @inline(never)
  func declaration(
    _ container: AnyObject, _ type: Any.Type, _ key: StaticString, _ location: CodeLocation
  ) -> Unmanaged<Declaration> {
    if !core.isCalm || di_attention_needed() != 0 { prepare(object: container) }
    return Declaration.at(location, type, key, in: Swift.type(of: container))
  }

  /// The same for a property whose name is not the key.
  @usableFromInline @inline(never)
  func declaration(
    _ container: any ManagedContainer, _ type: Any.Type, _ key: StaticString,
    _ location: CodeLocation, in function: StaticString
  ) -> Unmanaged<Declaration> {
    prepare(container)
    return Declaration.at(
      location, type, key, in: Swift.type(of: container), function: function)
  }
}
