internal import DIPrimitives

// The fast path for requests inside scopes. Most tests run in plain scopes: sandboxes, layers,
// scoped roots and recorders, with nothing pushed, no policy or decoration. Then the registration
// is found in the sandboxes' overlays and the layers, from the innermost outwards, or in the
// container's own table, and kept instances are those of the innermost scope. `Engine.deliver`
// would find the same, at twenty times the cost (770 to 1,900 ns). All other requests take that
// path.

/// The parts of a frame that a plain request reads, without locks.
enum PlainScope {
  /// Initialises the scope of a frame, before the frame is published.
  static func attach(_ frame: ContextFrame, to scope: UnsafeMutablePointer<di_scope>) {
    let parent = frame.parent?.plain
    scope.pointee.frame = Unmanaged.passUnretained(frame).toOpaque()
    scope.pointee.parent = parent
    scope.pointee.sandbox = frame.kind == .sandbox ? scope : parent?.pointee.sandbox
    switch frame.kind {
    case .sandbox, .root, .layer: scope.pointee.innermost = scope
    case .base, .caches, .recorder, .policy: scope.pointee.innermost = parent?.pointee.innermost
    }
    let isInLayer = parent?.pointee.has_layers ?? false
    scope.pointee.has_layers = isInLayer || frame.kind == .layer
    // A recorder that is already active further out must not record everything twice.
    if let recorder = frame.dryRun?.recorder ?? frame.recorder,
      !isListening(recorder, from: parent?.pointee.listener)
    {
      scope.pointee.log = recorder.logAddress
      scope.pointee.listener = scope
      // A dry run is invisible outside.
      scope.pointee.next_listener = frame.dryRun == nil ? parent?.pointee.listener : nil
    } else {
      scope.pointee.listener = parent?.pointee.listener
    }
    scope.pointee.is_layer = frame.kind == .layer
    scope.pointee.installed = frame.installed.map { Unmanaged.passUnretained($0.core).toOpaque() }
    if frame.kind == .root, let root = frame.installed {
      di_store(di_scope_root(scope), Unmanaged.passRetained(root).toOpaque())
    }
    let hasPlainCaches: Bool
    switch frame.caches {
    case .all: (scope.pointee.brings_caches, hasPlainCaches) = (true, true)
    case .none: hasPlainCaches = true
    case .only: hasPlainCaches = false
    }
    let isPlainKind =
      switch frame.kind {
      case .sandbox, .caches, .layer, .recorder: true
      // Its own registrations would win over layers outside it.
      case .root: !isInLayer
      case .base, .policy: false
      }
    scope.pointee.is_plain =
      isPlainKind && hasPlainCaches && frame.hasNoPolicy
      && parent?.pointee.is_plain ?? true
  }

  private static func isListening(
    _ recorder: ResolutionRecorder, from listener: UnsafeMutablePointer<di_scope>?
  ) -> Bool {
    var next = listener
    while let listener = next {
      if listener.pointee.log == recorder.logAddress { return true }
      next = listener.pointee.next_listener
    }
    return false
  }

  /// Releases everything that a frame holds, in its `deinit`.
  static func clear(_ scope: UnsafeMutablePointer<di_scope>) {
    for overlay in Overlay.List(scope) {
      let over = Unmanaged<ContainerCore>.fromOpaque(overlay.pointee.over.unsafelyUnwrapped)
      over._withUnsafeGuaranteedRef { core in
        if core.wasMadeInScope { core.remove(scope: scope.pointee.frame.unsafelyUnwrapped) }
      }
      if overlay == di_scope_overlay(scope) {
        Registry.clear(overlay)
      } else {
        Registry.release(overlay)
      }
    }
    FrameSlots(word: di_scope_slots(scope)).takeAll()?.free()
    // One by one: an array of them took 230 instructions.
    release(di_scope_root(scope))
    release(di_scope_top(scope))
    release(di_scope_extras(scope))
    release(di_scope_handed_out(scope))
    di_lock_destroy(di_scope_lock(scope))
  }

  private static func release(_ word: UnsafeMutablePointer<UnsafeMutableRawPointer?>) {
    if let held = di_load(word) { Unmanaged<AnyObject>.fromOpaque(held).release() }
  }

  /// The container at which static requests of the task start; nil to take the slow path.
  static var root: Resolver? {
    guard !di_scopes_are_odd(), let bound = ContextFrame.borrowed else { return nil }
    var next: UnsafeMutablePointer<di_scope>? = bound._withUnsafeGuaranteedRef { $0.plain }
    while let scope = next {
      if scope.isOdd { return nil }
      if di_load(di_scope_root(scope)) != nil {
        return Unmanaged<ContextFrame>.fromOpaque(scope.pointee.frame.unsafelyUnwrapped)
          ._withUnsafeGuaranteedRef { $0.root }
      }
      next = scope.pointee.parent
    }
    return di_root_is_assigned() ? nil : Resolver.main
  }

  /// Returns the scope that a request is made in, and main if layers in it are on top of
  /// that.
  ///
  /// It returns nil to take the slow path.
  @inline(__always)
  static func current() -> (scope: UnsafeMutablePointer<di_scope>, main: Unmanaged<Resolver>?)? {
    guard !di_scopes_are_odd(),
      let scope = ContextFrame.borrowed?._withUnsafeGuaranteedRef({ $0.plain })
    else { return nil }
    let main =
      scope.pointee.has_layers && !di_root_is_assigned()
      ? Unmanaged.passUnretained(Resolver.main) : nil
    return (scope, main)
  }

  /// The result of a walk over the frames.
  struct Answer {
    let found: Unmanaged<Registration>
    /// The innermost frame that brings caches, which has to be alive while the result is used.
    let caches: Unmanaged<ContextFrame>?
    /// The layer with the registration, unless that is in the requested container.
    let layer: Unmanaged<ContainerCore>?
  }

  /// Returns the registration that serves a key; nil to take the slow path.
  ///
  /// `main` is the process's root if layers are in force, which are on top of the root. Call this,
  /// and use the result, inside a read section.
  @inline(__always)
  static func find(
    _ key: RawKey, in core: ContainerCore, _ scope: UnsafeMutablePointer<di_scope>,
    main: Unmanaged<Resolver>?, oddMarks: UInt = RegistrationTable.Mark.hidesBelow
  ) -> Answer? {
    guard scope.pointee.is_plain else { return nil }
    let asked = UnsafeRawPointer(Unmanaged.passUnretained(core).toOpaque())
    var found: Unmanaged<Registration>?
    var caches: UnsafeMutableRawPointer?
    var root: UnsafeMutableRawPointer?
    var layer: UnsafeMutableRawPointer?
    var isOdd = false
    var next: UnsafeMutablePointer<di_scope>? = scope
    while let scope = next {
      if scope.isOdd { return nil }
      if caches == nil, scope.pointee.brings_caches { caches = scope.pointee.frame }
      if root == nil { root = di_load(di_scope_root(scope)) }
      if found == nil {
        if scope.pointee.is_layer {
          layer = scope.pointee.installed
          found = find(key, layer: layer.unsafelyUnwrapped, scope, &isOdd)
          if found == nil { layer = nil }
        } else {
          found = find(
            key, asked, in: Overlay.List(scope), isInLayer: scope.pointee.has_layers,
            oddMarks: oddMarks, &isOdd)
        }
        if isOdd { return nil }
      }
      next = scope.pointee.parent
    }
    if scope.pointee.has_layers {
      // Another container than the root; layers may or may not be on top of it.
      guard let root = root.map({ .fromOpaque($0) }) ?? main,
        root._withUnsafeGuaranteedRef({ $0.core === core })
      else { return nil }
    }
    return (found ?? core.findOwn(key)).map {
      Answer(
        found: $0, caches: caches.map { .fromOpaque($0) }, layer: layer.map { .fromOpaque($0) })
    }
  }

  /// Returns a sandbox's registration over a container.
  ///
  /// `isOdd` is set if the result is not enough: the container was reset in the sandbox, or the
  /// sandbox is inside a layer and has changed other containers, which may be nested.
  @inline(__always)
  private static func find(
    _ key: RawKey, _ core: UnsafeRawPointer, in overlays: Overlay.List,
    isInLayer: Bool, oddMarks: UInt, _ isOdd: inout Bool
  ) -> Unmanaged<Registration>? {
    for table in overlays {
      if UnsafeRawPointer(table.pointee.over) == core {
        let reader = RegistrationTable.Reader(table)
        if let found = reader.find(key) { return found }
        if reader.has(oddMarks) { isOdd = true }
        if !isInLayer { return nil }
      } else if isInLayer {
        isOdd = true
      }
    }
    return nil
  }

  /// Returns a layer's registration, seen through the sandboxes outside it.
  private static func find(
    _ key: RawKey, layer: UnsafeMutableRawPointer, _ scope: UnsafeMutablePointer<di_scope>,
    _ isOdd: inout Bool
  ) -> Unmanaged<Registration>? {
    // A layer's nested containers come before registrations outside it.
    let oddMarks = RegistrationTable.Mark.hidesBelow | RegistrationTable.Mark.hasChildren
    var sandbox = scope.pointee.sandbox
    while let next = sandbox {
      if let found = find(
        key, layer, in: Overlay.List(next), isInLayer: false, oddMarks: oddMarks, &isOdd)
      {
        return found
      }
      sandbox = next.pointee.parent?.pointee.sandbox
    }
    return Unmanaged<ContainerCore>.fromOpaque(layer)._withUnsafeGuaranteedRef { core in
      if core.isNest { isOdd = true }
      return core.findOwn(key)
    }
  }
}

extension UnsafeMutablePointer<di_scope> {
  /// Whether requests here have to take the slow path.
  @inline(__always)
  var isOdd: Bool { di_load_word(di_scope_oddities(self)) != 0 }

  /// Whether one of the scopes, from the innermost outwards, satisfies a predicate.
  @inline(__always)
  func isAny(_ fits: (Self) -> Bool) -> Bool {
    var next: Self? = self
    while let scope = next {
      if fits(scope) { return true }
      next = scope.pointee.parent
    }
    return false
  }

  /// Whether a layer or a scoped root here installs a container, given by its address.
  @inline(__always)
  func installs(_ core: UnsafeMutableRawPointer) -> Bool {
    isAny { $0.pointee.installed == core }
  }
}

extension Engine {
  /// Puts the instance for a request in a plain scope into memory; nil to take the slow path.
  @inline(never)
  static func deliverInPlainScope(
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool? {
    guard request.pointee.propertyReference == nil, let (scope, main) = PlainScope.current() else {
      return nil
    }
    let thread = di_thread_get()
    di_pin(thread)
    guard
      let answer = PlainScope.find(RawKey(request), in: asked.core, scope, main: main)
    else {
      di_unpin(thread)
      return nil
    }
    if let listener = scope.pointee.listener {
      return try deliverRecorded(
        thread, answer, scope, listener, request, args, asked: asked, to: out)
    }
    let path = answer.found._withUnsafeGuaranteedRef { $0.path }
    // The fields needed of the registration are copied: counting a reference to it takes longer.
    switch path {
    case .kept:
      let isCopied = copyKept(answer, to: out)
      di_unpin(thread)
      return isCopied ? true : nil
    case .unique:
      answer.found._withUnsafeGuaranteedRef { $0.noteUse() }
      return try make(answer.found, thread, request, args, asked: asked, to: out)
    case .graph:
      answer.found._withUnsafeGuaranteedRef { $0.noteUse() }
      return try share(
        answer.found, thread, request, args, asked: asked, scope: answer.caches?.toOpaque(),
        to: out)
    case .awaited, .alias, .other:
      di_unpin(thread)
      return nil
    }
  }

  /// Copies a kept instance, in one read section with the search for its registration.
  @inline(__always)
  static func copyKept(
    _ answer: PlainScope.Answer, to out: UnsafeMutableRawPointer
  ) -> Bool {
    answer.found._withUnsafeGuaranteedRef { found in
      found.noteUse()
      guard let caches = answer.caches else { return Keeper.copyPinned(found.keptAt, to: out) }
      // If a layer's registration keeps one per requested container, that container is not the
      // layer.
      if answer.layer != nil, found.scope.kind == .containerAsked { return false }
      // Not a retained reference: counting one took 5 of 44 ns.
      let base = Unmanaged.passUnretained(found.slot.unsafelyUnwrapped).toOpaque()
      let slots = caches._withUnsafeGuaranteedRef { $0.slots }
      guard let own = slots.find(base) else { return false }
      return own._withUnsafeGuaranteedRef { Keeper.copyPinned($0.word, to: out) }
    }
  }
}
