internal import DIPrimitives

extension Resolver: SharedContainer {
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
  public static func reset(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    // First, for the instances that are released here may resolve others; and last, so that a run
    // which saw an intermediate state is followed by another.
    rearmSetUp()
    defer { rearmSetUp() }
    let main = main.core
    if let frame = ContextFrame.current, let sandbox = frame.sandbox {
      // A singleton by key path belongs to the process.
      let gone = main.owned(frame).filter {
        ($0.key.property == nil || $0.scope !== Scope.singleton) && !$0.isOfSite
      }
      sandbox.mask(main)
      // Roots and layers inside the sandbox have a root and caches of their own.
      for inner in frame.chain {
        if inner === sandbox || inner.kind == .root || inner.kind == .layer && !inner.isPushedLayer
        {
          inner.setRoot(self.main)
        }
        inner.reset { $0 === Scope.application || $0 === Scope.cached || $0 === Scope.shared }
        for gone in gone { RegistrationTarget.forget(gone, keptIn: inner) }
        // Instances of registrations that other containers own, kept for requests to main.
        main.forgetKeptForOthers(in: inner)
        if inner === sandbox { break }
      }
      return
    }
    let location = CodeLocation(fileID, filePath, line, column)
    let gone = main.registry.foremost().filter { $0.options.repeatedSetUp == nil }
    Tests.findDelegate()?.note(.willReset(main, of: gone, at: location))
    main.registry.removeAll()
    main.removeChildren()
    main.forgetKeptForOthers()
    let old = setProcessRoot(nil)
    Tests.delegate?.note(.didResetRoot)
    releaseUnlocked(old)
    for scope in [Scope.application, Scope.cached, Scope.shared] { scope.forgetKept() }
  }

  private static func rearmSetUp() {
    Startup.rearm()
    main.core.rearm()
  }

  /// Runs all pending registration code before the registrations are listed.
  package func prepareForListing() {
    Startup.runIfNeeded()
    core.runAutoRegisterIfDue(self)
  }
}

extension Resolving {
  /// The current root container.
  public var resolver: Resolver { Resolver.root }
}
