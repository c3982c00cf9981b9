internal import DIPrimitives

// The short way from a property to an instance: one look at the container's table, where there is
// nothing but a declaration or a plain registration. All else takes the long way, in
// FactoryRegistration+Answer.swift.

extension ContainerManager {
  /// Puts the instance for a property into memory, or traps; see `deliver`.
  ///
  /// The caller's hold on `owner` keeps the manager alive.
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

  /// Puts the instance for a property into memory if that takes no more than a look at the
  /// container's own table; answers false, and does nothing, otherwise.
  @inline(__always)
  private func deliver(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer, _ declared: (UnsafeMutableRawPointer) throws -> Bool
  ) throws -> Bool {
    guard Engine.isUndisturbed else { return false }
    let thread = di_thread_get()
    di_pin(thread)
    guard let (found, isRegistered) = find(request, bits, extras) else {
      di_unpin(thread)
      return false
    }
    let path = found._withUnsafeGuaranteedRef { $0.path }
    // No `switch`; as in `Resolver.deliver`.
    guard path == .unique || path == .graph else {
      let isKept =
        path == .kept
        && found._withUnsafeGuaranteedRef { Slot.copyPinned($0.keptAt, to: out) }
      di_unpin(thread)
      return isKept
    }
    let id = found._withUnsafeGuaranteedRef { $0.id }
    // The outermost instance of a cycle has nobody to be shared with.
    let isShared = path == .graph && di_frames(thread) != nil
    if isShared, GraphArena.copy(id, nil, to: out, thread) {
      di_unpin(thread)
      return true
    }
    let step = try Engine.enter(thread, id, request, hasArguments: false, isReading: true)
    let isBuilt: Bool
    do {
      // What is registered by key path takes no container: any will do.
      isBuilt =
        isRegistered
        ? try found._withUnsafeGuaranteedRef { try $0.build(out, Resolver.main, nil) }
        : try declared(out)
    } catch {
      throw Engine.leave(thread, step, request, in: core, after: error)
    }
    if isBuilt, isShared { Engine.share(found, out, nil, thread) }
    try Engine.leave(thread, step, found, out, isBuilt: isBuilt)
    return isBuilt
  }
}

extension ContainerManager {
  /// What the container's own table has for a property, if that is all there is to look at.
  ///
  /// To be called, and the answer used, inside a read section.
  @inline(__always)
  private func find(
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?
  ) -> (found: Unmanaged<Registration>, isRegistered: Bool)? {
    // A factory that was just registered, or promised, takes a closer look.
    let code = bits
    // So does one where the root may have a double for a property of another container's.
    guard code <= DeclaredScope.custom, core.isCalm,
      !di_root_is_assigned() || !QualifiedKeys.areUsed.isSet,
      extras == nil || extras.unsafelyUnwrapped.isOnlyScope, let found = core.find(request)
    else { return nil }
    let declarations = found._withUnsafeGuaranteedRef { $0.options.declarations }
    let isRegistered = declarations == DeclaredScope.anyCode
    let isRight =
      isRegistered
      || declarations == code + 1
        && (code != DeclaredScope.custom
          || found._withUnsafeGuaranteedRef { $0.scope === extras?.scope })
    return isRight ? (found, isRegistered) : nil
  }

  /// Copies the instance that is kept for a property, if that takes no more than a look at the
  /// container's own table; for services that have to be waited for.
  @usableFromInline
  static func copyKept(
    _ owner: AnyObject, _ manager: Unmanaged<ContainerManager>,
    _ request: UnsafePointer<Request>, _ bits: UInt8, _ extras: FactoryExtras?,
    to out: UnsafeMutableRawPointer
  ) -> Bool {
    // Async resolutions that are under way have no part in what is there already.
    guard di_attention_is_async(di_attention_needed()) else { return false }
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return manager._withUnsafeGuaranteedRef { manager in
      guard let (found, _) = manager.find(request, bits, extras) else { return false }
      return found._withUnsafeGuaranteedRef {
        $0.path == .kept && Slot.copyPinned($0.keptAt, to: out)
      }
    }
  }
}
