internal import DIPrimitives

extension Resolver {
  /// The container that static `register` calls go to.
  ///
  /// Its identity never changes.
  public static let main: Resolver = {
    // Whoever touches it first: it is no sandbox's.
    let main = ContextFrame.$bound.withValue(.base) { Resolver() }
    main.core.rename("main")
    return main
  }()

  private static let assignedRoot = Lock<Resolver?>(nil)

  /// The process's root, which applies where no scope has changed it.
  static var processRoot: Resolver {
    di_root_is_assigned() ? assignedRoot.withLock { $0 } ?? main : main
  }

  /// The container that static `resolve` calls, `Resolving` and property wrappers start at.
  ///
  /// It is `main` until another is assigned. Inside a scope (`withRoot`, `withLayer`, a sandbox)
  /// an assignment changes that scope's root only; with none around, the process's. The answer is
  /// the container that was assigned, never a layer.
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
      RootSwap.note(from: processRoot, to: newValue)
      let old = assignedRoot.withLock { root in
        defer { root = newValue }
        return root
      }
      di_root_set_assigned(true)
      withExtendedLifetime(old) {}
    }
  }

  /// The current root container: `Container.shared` is `Resolver.root`.
  public static var shared: Resolver {
    get { di_attention_needed() == 0 ? processRoot : started }
    set { root = newValue }
  }

  /// Runs `registerAllServices` now, unless it has run.
  public func registerServices() {
    Startup.runIfPending()
  }

  /// Runs `registerAllServices` now, unless it has run.
  ///
  /// A closure that can be called with and without a question mark, as in Resolver.
  public static var registerServices: (() -> Void)! {
    { Startup.runIfPending() }
  }

  /// Starts anew: empties `main` in place, makes it the root, and forgets what the scopes keep.
  ///
  /// `main` loses its registrations and children but keeps its identity, so that containers which
  /// were made with `Resolver(child: main)` go on working. `.application`, `.cached` and `.shared`
  /// are reset; other containers, layers and custom scopes stay. `registerAllServices` runs again
  /// before the next resolution. Inside a sandbox all of this happens to the sandbox's view only.
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
      // A singleton by key path is the process's.
      let hidden = main.core.owned(frame).filter {
        $0.options.factory == nil || $0.scope !== Scope.singleton
      }
      sandbox.makeOverlay(for: main.core).reset()
      let gone = hidden.filter {
        !$0.scope.kind.isPerSite || !SiteSlots.shared.isLinked($0, frame)
      }
      // Roots and layers inside the sandbox have a root and caches of their own.
      for inner in frame.chain {
        if inner === sandbox || inner.kind == .root || inner.kind == .layer && !inner.isPushed {
          inner.setRoot(main)
        }
        inner.forget { $0 === Scope.application || $0 === Scope.cached || $0 === Scope.shared }
        for gone in gone { RegistrationTarget.forget(gone, keptIn: inner) }
        // What other containers own and main was asked for.
        main.core.forgetAskedSlots(in: inner)
        if inner === sandbox { break }
      }
      // Last, so that a run which saw some of it as it was is not the last one.
      sandbox.rearmStartup()
      return
    }
    ProcessChange.noteReset(
      of: main.core, taking: main.core.registry.all(),
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    main.core.registry.removeAll()
    main.core.forgetLoaded()
    main.core.removeChildren()
    main.core.forgetAskedSlots()
    let old = assignedRoot.withLock { root in
      defer { root = nil }
      return root
    }
    di_root_set_assigned(false)
    RootSwap.forget()
    withExtendedLifetime(old) {}
    for scope in [Scope.application, Scope.cached, Scope.shared] { scope.forgetKept() }
    Startup.rearm()
  }

  // MARK: Settings

  private static let processDefaultScope = Lock<Scope>(.graph)

  /// The scope of registrations by type that name none; `.graph` unless set.
  ///
  /// It applies to registrations made afterwards. Inside a sandbox it is set for that sandbox.
  public static var defaultScope: Scope {
    get { ContextFrame.current?.ownDefaultScope ?? processWideDefaultScope }
    set {
      let scope = newValue.keeping
      if let sandbox = ContextFrame.current?.sandbox {
        sandbox.defaultScope = scope
      } else {
        processDefaultScope.withLock { $0 = scope }
        di_note_default_scope()
      }
    }
  }

  static var processWideDefaultScope: Scope {
    processDefaultScope.withLock { $0 }
  }

  private static let processDecoration = Lock<Unchecked<(Any) -> Void>?>(nil)

  /// Called with every instance that is handed out, kept ones and nested ones included.
  ///
  /// Use it to inspect instances or to set their properties; nil removes it. Inside a sandbox it is
  /// set for that sandbox. Unlike Resolver's it works in release builds too.
  public static var decorate: ((_ service: Any) -> Void)? {
    get { currentDecoration(ContextFrame.current) }
    set {
      if let sandbox = ContextFrame.current?.sandbox {
        sandbox.setDecorate(newValue)
        return
      }
      let old = processDecoration.withLock { decoration in
        defer { decoration = newValue.map { Unchecked($0) } }
        return decoration
      }
      // A decoration asks for the attention of every resolution while it is set.
      let change = (newValue == nil ? 0 : 1) - (old == nil ? 0 : 1)
      di_odd_scopes_add(change)
      di_attention_add(change)
    }
  }

  static func currentDecoration(_ frame: ContextFrame?) -> ((Any) -> Void)? {
    if let frame, frame.hasExtrasAround {
      for sandbox in frame.chain {
        if let decoration = sandbox.decorate { return decoration }
      }
    }
    // One that is set for the process makes all scopes odd.
    return di_scopes_are_odd() ? processDecoration.withLock { $0 }?.value : nil
  }
}

extension ContextFrame {
  /// Runs production set-up code: what it registers is base state, outside every scope.
  package static func settingUp<Result>(_ body: () throws -> Result) rethrows -> Result {
    if bound == nil && !mayAnswerOutside && !di_tests_are_possible() { return try body() }
    return try $bound.withValue(base) { try body() }
  }
}
