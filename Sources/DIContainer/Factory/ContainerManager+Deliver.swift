internal import DIPrimitives

// The fast path from a property to an instance: one lookup in the container's table, for a property
// with only a declaration or a plain registration. All other requests take the slow path, in
// FactoryRegistration+Answer.swift.

extension ContainerManager {
  /// Puts the instance for a property into uninitialised memory, or traps; see `deliver`.
  ///
  /// The caller's reference to `owner` keeps the manager alive.
  @usableFromInline
  static func deliverOrTrap(
    _ owner: AnyObject, _ manager: Unmanaged<ContainerManager>,
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) -> Bool {
    manager._withUnsafeGuaranteedRef { manager in
      do {
        return try manager.deliver(request, bits, extras, to: out, declared)
      } catch {
        trap(error)
      }
    }
  }

  /// Puts the instance for a property into memory if the container's own table, or plain scopes,
  /// suffice; otherwise returns false and has no effect.
  @inline(__always)
  private func deliver(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    guard Engine.isUndisturbed else {
      return try deliverInPlainScope(request, bits, extras, to: out, declared)
    }
    let thread = di_thread_get()
    di_pin(thread)
    guard let (found, isRegistered) = find(request, bits, extras) else {
      di_unpin(thread)
      return false
    }
    return try deliver(
      PlainScope.Answer(found: found, caches: nil, layer: nil), isRegistered: isRegistered,
      thread, request, to: out, declared)
  }

  /// Puts the instance for a property into memory inside plain scopes, such as a test's sandbox.
  @inline(never)
  private func deliverInPlainScope(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    guard isPlain(bits, extras), !mayHaveQualifiedDouble, let (scope, main) = PlainScope.current(),
      // Recorders tell nil from an instance.
      scope.pointee.listener == nil || !isOptional(request.pointee.type)
    else { return false }
    let key = RawKey(request)
    let thread = di_thread_get()
    di_pin(thread)
    guard
      let answer = PlainScope.find(
        key, in: core, scope, main: main,
        oddMarks: RegistrationTable.Mark.hidesBelow | RegistrationTable.Mark.hasChildren),
      let isRegistered = isRegistered(answer.found, bits, extras),
      // A sandbox's settings for the declaration may lie over a registration.
      isRegistered || core.findOwn(key)?.toOpaque() == answer.found.toOpaque()
    else {
      di_unpin(thread)
      return false
    }
    let isDouble =
      isRegistered
      && (answer.layer != nil || answer.found._withUnsafeGuaranteedRef { $0.options.isDouble }
        || scope.installs(Unmanaged.passUnretained(core).toOpaque()))
    let isBuilt: Bool
    if let listener = scope.pointee.listener {
      isBuilt =
        try Engine.deliverRecorded(
          thread, answer, scope, listener, request, hasArguments: false, in: core,
          isDouble: isDouble, to: out
        ) { out in
          // A factory registered by key path receives no container: any serves.
          isRegistered
            ? try answer.found._withUnsafeGuaranteedRef { try $0.build(out, Resolver.main, nil) }
            : try declared(out)
        } ?? false
    } else {
      answer.found._withUnsafeGuaranteedRef { $0.noteUse() }
      isBuilt = try deliver(
        answer, isRegistered: isRegistered, thread, request, to: out, declared)
    }
    if isBuilt, !isDouble { ContextFrame.current?.noteLiveProperty(request.pointee) }
    return isBuilt
  }

  /// Puts the instance of a registration or declaration into memory; returns false, with no effect,
  /// if its scope keeps none yet or another path has to be taken.
  ///
  /// It is called in a read section, which it leaves.
  @inline(__always)
  private func deliver(
    _ answer: PlainScope.Answer, isRegistered: Bool, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, to out: UnsafeMutableRawPointer,
    _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    let found = answer.found
    let path = found._withUnsafeGuaranteedRef { $0.path }
    // No `switch`; as in `Resolver.deliver`.
    guard path == .unique || path == .graph else {
      let isKept = path == .kept && Engine.copyKept(answer, to: out)
      di_unpin(thread)
      return isKept
    }
    let id = found._withUnsafeGuaranteedRef { $0.id }
    let scope = answer.caches?.toOpaque()
    // The outermost instance of a cycle is shared with no other service.
    let isShared = path == .graph && di_frames(thread) != nil
    if isShared, GraphArena.copy(id, scope, to: out, thread) {
      di_unpin(thread)
      return true
    }
    let step = try Engine.enter(thread, id, request, hasArguments: false, isReading: true)
    let isBuilt: Bool
    do {
      // A factory registered by key path receives no container: any serves.
      isBuilt =
        isRegistered
        ? try found._withUnsafeGuaranteedRef { try $0.build(out, Resolver.main, nil) }
        : try declared(out)
    } catch {
      throw Engine.leave(thread, step, request, in: core, after: error)
    }
    if isBuilt, isShared { Engine.share(found, out, scope, thread) }
    try Engine.leave(thread, step, found, out, isBuilt: isBuilt, scope: scope)
    return isBuilt
  }
}

extension ContainerManager {
  /// Returns the registration or declaration in the container's own table, if that suffices.
  ///
  /// Call it, and use the result, inside a read section only.
  @inline(__always)
  private func find(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?
  ) -> (found: Unmanaged<Registration>, isRegistered: Bool)? {
    // The root may have a double for a property of another container.
    guard isPlain(bits, extras), !di_root_is_assigned() || !QualifiedKeys.areUsed.isSet,
      let found = core.find(request), let isRegistered = isRegistered(found, bits, extras)
    else { return nil }
    return (found, isRegistered)
  }

  /// Whether the declaration specifies only a scope, and the container needs no attention.
  ///
  /// A factory that was just registered, or promised, takes the slow path.
  @inline(__always)
  private func isPlain(_ bits: UInt8, _ extras: FactoryExtras?) -> Bool {
    bits <= DeclaredScope.custom && core.isCalm
      && (extras == nil || extras.unsafelyUnwrapped.isOnlyScope)
  }

  /// Whether a layer may hold a double for all containers of the type.
  private var mayHaveQualifiedDouble: Bool {
    QualifiedKeys.areUsed.isSet && core.factories.containerType != Resolver.self
  }

  /// Returns true for something that was registered, and false for the declaration with the same
  /// scope; nil if it is neither, or needs the slow path.
  @inline(__always)
  private func isRegistered(
    _ found: Unmanaged<Registration>, _ bits: UInt8, _ extras: FactoryExtras?
  ) -> Bool? {
    let declarations = found._withUnsafeGuaranteedRef { $0.options.declarations }
    if declarations == DeclaredScope.anyCode { return true }
    let isDeclared =
      declarations == bits + 1
      && (bits != DeclaredScope.custom
        || found._withUnsafeGuaranteedRef { $0.scope === extras?.scope })
    return isDeclared ? false : nil
  }

  /// Copies the instance kept for a property, if the container's own table suffices; for async
  /// services.
  @usableFromInline
  static func copyKept(
    _ owner: AnyObject, _ manager: Unmanaged<ContainerManager>,
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer
  ) -> Bool {
    // Current async resolutions do not affect instances that already exist.
    guard di_attention_is_async(di_attention_needed()) else { return false }
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return manager._withUnsafeGuaranteedRef { manager in
      guard let (found, _) = manager.find(request, bits, extras) else { return false }
      return found._withUnsafeGuaranteedRef {
        $0.path == .kept && Keeper.copyPinned($0.keptAt, to: out)
      }
    }
  }
}
