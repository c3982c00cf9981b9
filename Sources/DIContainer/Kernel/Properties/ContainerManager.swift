internal import DIPrimitives

/// The registrations, kept instances and settings of a container.
///
/// Every container has one, whatever its class. While a sandbox is current, changes of settings,
/// `reset` and `push` affect only the sandbox's view.
///
/// ```swift
/// final class Warehouse: SharedContainer {
///   static let shared = Warehouse()
///   let manager = ContainerManager()
/// }
/// ```
public final class ContainerManager: Sendable {
  package let core: ContainerCore
  private let facade = Lock<Resolver?>(nil)
  /// Whether it is the manager of a user-defined container rather than of a `Container`.
  private let isOfOwnClass: Bool

  init(_ core: ContainerCore) {
    self.core = core
    isOfOwnClass = false
  }

  deinit {
    guard isOfOwnClass else { return }
    core.detach(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
  }

  /// Creates the manager of a user-defined container.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    // Its test can be determined only while it is made: `shared` may be any variable.
    _ = Tests.findDelegate()
    core = ContainerCore(
      location: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    isOfOwnClass = true
    core.settings.noteOwnClass()
    core.attachManager()
  }

  /// The scope of services whose declaration names none; nil means `.unique`.
  public var defaultScope: Scope? {
    get { core.setting(\.defaultScope, ContextFrame.current) ?? nil }
    set { core.setDefaultScope(newValue?.keeping) }
  }

  /// Whether a request for a promised service that is not registered traps with a diagnosis.
  ///
  /// The default is false: then a request for an optional returns nil.
  public var promiseTriggersError: Bool {
    get { core.setting(\.promiseTriggersError, ContextFrame.current) ?? false }
    set { core.set { $0.promiseTriggersError = newValue } }
  }

  /// The container in the form that registers and resolves by type.
  ///
  /// For a user-defined container it is made on first use, and shares all state.
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
    core.settings.prepare(container, core)
  }

  /// Prepares a container whose class is inspected only if necessary.
  @inline(never)
  private func prepare(object container: AnyObject) {
    if core.settings.isDue(core) { prepare(container as! any ManagedContainer) }
  }

  /// Returns a property whose container is about to be used.
  ///
  /// The container is a `ManagedContainer`; a parameter of that type would be compiled to two
  /// functions.
  @usableFromInline @inline(never)
  func property(
    _ container: AnyObject, _ type: Any.Type, _ key: StaticString, _ location: CodeLocation
  ) -> Unmanaged<PropertyKey> {
    if !core.allowsShortPath || di_attention_needed() != 0 { prepare(object: container) }
    return PropertyKey.at(location, type, key, in: Swift.type(of: container))
  }

  /// Returns a property whose name is not the key.
  @usableFromInline @inline(never)
  func property(
    _ container: any ManagedContainer, _ type: Any.Type, _ key: StaticString,
    _ location: CodeLocation, in function: StaticString
  ) -> Unmanaged<PropertyKey> {
    prepare(container)
    return PropertyKey.at(
      location, type, key, in: Swift.type(of: container), function: function)
  }
}

/// A container that declares services as properties.
public protocol ManagedContainer: AnyObject, Sendable {
  /// The registrations, kept instances and settings of the container.
  var manager: ContainerManager { get }
}

/// A container that registers services of its own before its first use.
///
/// The protocol is isolated to no actor, even in a module whose default isolation is the main
/// actor, because the container may be used first from anywhere.
public protocol AutoRegistering: SendableMetatype {
  /// Registers the container's services.
  ///
  /// It is called once per container, and again after `reset()`: before anything is registered or
  /// resolved by key path, before a request by type that has no registration yet, with `await` or
  /// without, and before all registrations are listed, as by `resolveMany`, `registrations`,
  /// `graph`, `dryRun()` and `validate()`. Registrations made by type before that remain.
  ///
  /// The registrations that it makes are base state, whichever test uses the container first.
  func autoRegister()
}

/// A container class with a shared instance.
///
/// ```swift
/// extension Container {
///   var payments: Factory<any Payments> { self { CardPayments() } }
/// }
///
/// let payments = Container.shared.payments()
/// ```
///
/// A user-defined container is a final class with a manager, and a `shared` instance that it
/// declares or gets from `DefaultSharedContainer`. A service that is declared in an extension of
/// this protocol is available in every container.
public protocol SharedContainer: ManagedContainer {
  /// The instance that is used where none is passed.
  static var shared: Self { get }
}
