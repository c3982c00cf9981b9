internal import DIPrimitives

extension Resolver: SharedContainer {
  /// The container that the static `register` functions use.
  ///
  /// Its identity never changes.
  public static let main: Resolver = {
    // It belongs to no sandbox, in whichever context it is first used.
    let main = ContextFrame.$bound.withValue(.base) { Resolver() }
    main.core.rename("main")
    return main
  }()

  private static let assignedRoot = Lock<Resolver?>(nil)

  /// The process's root container, which applies where no scope has changed the root.
  package static var processRoot: Resolver {
    di_root_is_assigned() ? assignedRoot.withLock { $0 } ?? main : main
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
      if let scope = ContextFrame.rootScope {
        scope.setRoot(newValue)
        return
      }
      Tests.findDelegate()?.willReplaceRoot(processRoot, with: newValue)
      let old = assignedRoot.withLock { root in
        defer { root = newValue }
        return root
      }
      di_root_set_assigned(true)
      withExtendedLifetime(old) {}
    }
  }

  /// The root container after start-up, which may assign it, has run.
  @usableFromInline
  static var rootAfterStartup: Resolver {
    Startup.runIfNeeded()
    return root
  }

  /// The current root container: `Container.shared` is `Resolver.root`.
  public static var shared: Resolver {
    get { di_attention_needed() == 0 ? processRoot : rootAfterStartup }
    set { root = newValue }
  }

  /// Runs `registerAllServices`, unless it has run already.
  public func registerServices() {
    Startup.runIfPending()
  }

  /// A closure that runs `registerAllServices`, unless it has run already.
  ///
  /// It can be called with and without a question mark, as in Resolver.
  public static var registerServices: (() -> Void)! {
    { Startup.runIfPending() }
  }

  /// Resets `main`, the root container and the caches of the process.
  ///
  /// `main` becomes the root again. It loses its registrations and nested containers but keeps its
  /// identity, so containers made with `Resolver(child: main)` continue to work. `.application`,
  /// `.cached` and `.shared` are reset; other containers, layers and custom scopes keep their
  /// state. `registerAllServices` runs again before the next resolution. Inside a sandbox all of
  /// this applies to the sandbox's view only.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, for reports.
  ///   - filePath: The caller's file, for reports.
  ///   - line: The caller's line, for reports.
  ///   - column: The caller's column, for reports.
  public static func reset(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    if let frame = ContextFrame.current, let sandbox = frame.sandbox {
      // A singleton by key path belongs to the process.
      let gone = main.core.owned(frame).filter {
        ($0.key.property == nil || $0.scope !== Scope.singleton) && !$0.isOfSite
      }
      let hidden = main.core.registries(frame).flatMap { $0.everything() }
      sandbox.mask(main.core)
      SharedKeepers.release(hidden)
      // Roots and layers inside the sandbox have a root and caches of their own.
      for inner in frame.chain {
        if inner === sandbox || inner.kind == .root || inner.kind == .layer && !inner.isPushed {
          inner.setRoot(main)
        }
        inner.reset { $0 === Scope.application || $0 === Scope.cached || $0 === Scope.shared }
        for gone in gone { RegistrationTarget.forget(gone, keptIn: inner) }
        // Instances of registrations that other containers own, kept for requests to main.
        main.core.forgetAsked(in: inner)
        if inner === sandbox { break }
      }
      // Last, so that a run which saw an intermediate state is followed by another.
      sandbox.rearmStartup()
      return
    }
    Tests.findDelegate()?.willReset(
      main.core, of: main.core.registry.all(),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    main.core.registry.removeAll()
    main.core.forgetLoaded()
    main.core.removeChildren()
    main.core.forgetAsked()
    let old = assignedRoot.withLock { root in
      defer { root = nil }
      return root
    }
    di_root_set_assigned(false)
    Tests.delegate?.didResetRoot()
    withExtendedLifetime(old) {}
    for scope in [Scope.application, Scope.cached, Scope.shared] { scope.forgetKept() }
    Startup.rearm()
  }

  /// Runs all pending registration code before the registrations are listed.
  func prepareForListing() {
    Startup.runIfNeeded()
    core.settings.runAutoRegisterIfDue(self, core)
  }

  // MARK: Settings

  private static let processDefaultScope = Lock<Scope>(.graph)

  /// The scope of registrations by type that specify none; `.graph` by default.
  ///
  /// It applies to registrations made afterwards. Inside a sandbox it is set for that sandbox.
  public static var defaultScope: Scope {
    get { ContextFrame.current?.ownDefaultScope ?? processWideDefaultScope }
    set {
      let scope = newValue.keeping
      if let sandbox = ContextFrame.current?.sandbox {
        sandbox.setDefaultScope(scope)
      } else {
        processDefaultScope.withLock { $0 = scope }
        di_note_default_scope()
      }
    }
  }

  static var processWideDefaultScope: Scope {
    processDefaultScope.withLock { $0 }
  }

  private static let processDecorator = Lock<Unchecked<(Any) -> Void>?>(nil)
  /// Whether a decorator was ever set, in the process or in a sandbox.
  private static let isDecoratorEverSet = Atomic()

  /// A closure that is called with every instance that is returned.
  ///
  /// It also receives cached instances and the dependencies of others. Use it to inspect instances
  /// or to set their properties; nil removes it. Inside a sandbox it is set for that sandbox.
  /// Unlike Resolver's, it works in release builds too.
  public static var decorate: ((_ service: Any) -> Void)? {
    get { currentDecorator(ContextFrame.current) }
    set {
      isDecoratorEverSet.set(true)
      if let sandbox = ContextFrame.current?.sandbox {
        sandbox.setDecorate(newValue)
        return
      }
      let old = processDecorator.withLock { decorator in
        defer { decorator = newValue.map { Unchecked($0) } }
        return decorator
      }
      // While a decorator is set, every resolution has to take the general path.
      let change = (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
      di_attention_add(change)
    }
  }

  static func currentDecorator(_ frame: ContextFrame?) -> ((Any) -> Void)? {
    guard isDecoratorEverSet.isSet else { return nil }
    if let frame {
      for sandbox in frame.chain {
        if let decorator = sandbox.decorate { return decorator }
      }
    }
    return processDecorator.withLock { $0 }?.value
  }
}

extension Resolving {
  /// The current root container.
  public var resolver: Resolver { Resolver.root }
}

extension ContextFrame {
  /// Runs production set-up code, whose registrations are base state, outside every scope.
  package static func settingUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    if bound == nil && !mayServeUnboundWork && !di_tests_are_possible() { return try body() }
    return try $bound.withValue(base) { try body() }
  }
}
