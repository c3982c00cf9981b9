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

  /// Puts the instance for a property into memory if the container's own table or, in a frame, a
  /// plain look-up suffices; otherwise returns false and has no effect.
  @inline(__always)
  private func deliver(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    guard Engine.isUndisturbed else {
      return try deliverInFrame(request, bits, extras, to: out, declared)
    }
    let thread = di_thread_get()
    di_pin(thread)
    guard let (found, isRegistered) = find(request, bits, extras) else {
      di_unpin(thread)
      return false
    }
    return try deliver(found, isRegistered: isRegistered, thread, request, to: out, declared)
  }

  /// Puts the instance for a property into memory if nothing but a registration or the declaration
  /// with its scope decides what it is; otherwise returns false and has no effect.
  ///
  /// It is the general path without a choice among contexts, parameters and settings.
  @inline(never)
  private func deliverInFrame(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    Startup.runIfPending()
    let frame = ContextFrame.current
    guard isPlain(bits, extras), !(request.pointee.type is any OptionalType.Type),
      !(frame?.isGuarded ?? false),
      !(QualifiedKeys.areUsed.isSet && core.factories.containerType != Resolver.self),
      !(frame?.sandboxes.contains { $0.extra(FactoryViews.self) != nil } ?? false),
      !(ResolutionStack.isEmpty && AsyncLink.isBound)
    else { return false }
    let key = RawKey(request)
    let registered = Lookup.find(key, in: core, frame)
    guard let holder = registered?.registration ?? core.own(key, frame),
      isRegistered(.passUnretained(holder), bits, extras) == (registered != nil),
      // A sandbox's settings for the declaration may lie over a registration.
      registered != nil || core.registry.find(key) === holder
    else { return false }
    let resolver = resolver
    let requestFrame = ContextFrame.answering(request, asked: resolver)
    if !(registered?.isDouble ?? false) { requestFrame?.noteLiveProperty(request.pointee) }
    return try withoutActuallyEscaping(declared) { declared in
      try Engine.deliver(
        registered ?? Found(registration: holder, owner: core, isDouble: false), request,
        args: nil, asked: resolver, requestFrame, by: registered == nil ? declared : nil, to: out)
    }
  }

  /// Puts the instance of a registration or declaration into memory; returns false, with no effect,
  /// if its scope keeps none yet or another path has to be taken.
  ///
  /// It is called in a read section, which it leaves.
  @inline(__always)
  private func deliver(
    _ found: Unmanaged<Registration>, isRegistered: Bool, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, to out: UnsafeMutableRawPointer,
    _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    let path = found._withUnsafeGuaranteedRef { $0.path }
    // No `switch`; as in `Resolver.deliver`.
    guard path == .unique || path == .graph else {
      let isKept =
        path == .kept && found._withUnsafeGuaranteedRef { Keeper.copyPinned($0.keptAt, to: out) }
      di_unpin(thread)
      return isKept
    }
    let id = found._withUnsafeGuaranteedRef { $0.id }
    // The outermost instance of a cycle is shared with no other service.
    let isShared = path == .graph && di_frames(thread) != nil
    if isShared, GraphArena.copy(id, nil, to: out, thread) {
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
    if isBuilt, isShared { Engine.share(found, out, thread) }
    try Engine.leave(thread, step, found, out, isBuilt: isBuilt)
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
