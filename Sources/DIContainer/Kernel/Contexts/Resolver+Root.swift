internal import DIPrimitives

// The main and the root container, and the settings of the process: the default scope, the
// decorator of all services, and the conditions of contexts.

extension Resolver {
  /// The container that the static `register` functions use.
  ///
  /// Its identity never changes.
  public static let main: Resolver = {
    // It belongs to no sandbox, in whichever context it is first used.
    Resolver(
      core: ContextFrame.$bound.withValue(.base) {
        ContainerCore(label: "main", location: CodeLocation())
      })
  }()

  private static let assignedRoot = Lock<Resolver?>(nil)

  /// The process's root container, which applies where no scope has changed the root.
  package static var processRoot: Resolver {
    di_holds(di_root_is_assigned) ? assignedRoot.withLock { $0 } ?? main : main
  }

  /// Assigns the process's root container, or nil for `main`; returns the former one.
  static func setProcessRoot(_ root: Resolver?) -> Resolver? {
    let old = assignedRoot.withLock { exchange(&$0, with: root) }
    di_note(di_root_is_assigned, root != nil)
    return old
  }

  /// The container that the static `resolve` functions, `Resolving` and property wrappers use.
  ///
  /// It is `main` until another one is assigned. Inside a scope (`withRoot`, `withLayer`, a
  /// sandbox) an assignment changes that scope's root only; outside every scope, the process's. The
  /// value is the container that was assigned, never a layer.
  public static var root: Resolver {
    get {
      if di_attention_needed() == 0 { return processRoot }
      return ContextFrame.current?.root ?? processRoot
    }
    set {
      if let scope = ContextFrame.rootFrame {
        scope.setRoot(newValue)
        return
      }
      Tests.findDelegate()?.note(.willReplaceRoot(processRoot, with: newValue))
      releaseUnlocked(setProcessRoot(newValue))
    }
  }

  // MARK: Settings

  private static let processDefaultScope = Lock<Scope>(.graph)

  /// The scope of registrations by type that specify none; `.graph` by default.
  ///
  /// It applies to registrations made afterwards. Inside a sandbox it is set for that sandbox.
  public static var defaultScope: Scope {
    get { ContextFrame.current?.setting(\.defaultScope) ?? processWideDefaultScope }
    set {
      let scope = newValue.keeping
      if let sandbox = ContextFrame.current?.sandbox {
        sandbox.set { $0.defaultScope = scope }
      } else {
        Tests.findDelegate()?.note(
          .willReplaceShared("Resolver.defaultScope", processWideDefaultScope, with: scope))
        processDefaultScope.withLock { $0 = scope }
      }
    }
  }

  static var processWideDefaultScope: Scope {
    processDefaultScope.withLock { $0 }
  }

  /// The closure that decorates every service, compared by identity.
  private static let processDecorator = Lock<Reference<Unchecked<(Any) -> Void>>?>(nil)

  /// A closure that is called with every instance that is returned.
  ///
  /// It also receives cached instances and the dependencies of others. Use it to inspect instances
  /// or to set their properties; nil removes it. Inside a sandbox it is set for that sandbox.
  /// Unlike Resolver's, it works in release builds too.
  public static var decorate: ((_ service: Any) -> Void)? {
    get { currentDecorator(ContextFrame.current) }
    set {
      if let sandbox = ContextFrame.current?.sandbox {
        sandbox.set { $0.decorate = .some(newValue) }
        return
      }
      let new = newValue.map { Reference(Unchecked($0)) }
      Tests.findDelegate()?.note(
        .willReplaceShared("Resolver.decorate", processDecorator.withLock { $0 }, with: new))
      let old = processDecorator.withLock { decorator in
        processDecorator.word = new == nil ? 0 : 1
        return exchange(&decorator, with: new)
      }
      // While a decorator is set, every resolution has to take the general path.
      let change = (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
      di_attention_add(change)
    }
  }

  static func currentDecorator(_ frame: ContextFrame?) -> ((Any) -> Void)? {
    if let decorator = frame?.setting(\.decorate) { return decorator }
    return processDecorator.word == 0 ? nil : processDecorator.withLock { $0 }?.value.value
  }
}

extension ContainerCore {
  package convenience init(
    label: String? = nil, location: CodeLocation, holdsDoubles: Bool = false,
    defaultScope: Scope? = nil, boundary: String? = nil
  ) {
    self.init(
      label: label, location: location, holdsDoubles: holdsDoubles, defaultScope: defaultScope,
      boundary: boundary, isInSandbox: ContextFrame.current?.sandbox != nil)
    Tests.findDelegate()?.note(.made(self))
  }
}

// MARK: - Conditions

extension FactoryContext {
  private static let process = Lock(FactoryContext())

  /// The conditions that apply to the calling task: those of its sandbox if set there, otherwise
  /// those of the process.
  public static var current: FactoryContext {
    get {
      ContextFrame.current?.setting(\.conditions) ?? process.withLock { $0 }
    }
    set { change { $0 = newValue } }
  }

  package static func change(_ change: (inout FactoryContext) -> Void) {
    guard let sandbox = ContextFrame.writableSandbox else { return process.withLock(change) }
    // A sandbox begins with what applied to it, which is read before the frame is locked.
    let present = current
    sandbox.set { settings in
      var own = settings.conditions ?? present
      change(&own)
      settings.conditions = own
    }
  }
}
