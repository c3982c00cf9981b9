internal import DIPrimitives

// The short path from a property to an instance, outside all contexts: a look at the container's
// own registry, for a property with only a declaration or a plain registration. All other requests
// take the general path, with `deliverOrTrap` or `FactoryRegistration.instance`.

extension Declaration {
  /// Puts the instance for a property into memory if the container's own registry suffices, or
  /// traps.
  ///
  /// Otherwise it returns false and has no effect.
  @usableFromInline
  func deliverByShortPath(
    _ request: Borrowed<Request>, to out: InstanceMemory,
    _ declared: (InstanceMemory) throws -> Bool
  ) -> Bool {
    // The holder, which the caller keeps alive, keeps the manager alive.
    managed._withUnsafeGuaranteedRef { manager in
      do {
        return try deliver(request, manager.core, to: out, declared)
      } catch {
        trap(error)
      }
    }
  }

  /// Puts the instance for a property into memory if the container's own registry suffices;
  /// otherwise returns false and has no effect.
  @inline(__always)
  private func deliver(
    _ request: Borrowed<Request>, _ core: ContainerCore, to out: InstanceMemory,
    _ declared: (InstanceMemory) throws -> Bool
  ) throws -> Bool {
    guard ShortPath.isOpen else { return false }
    let chain = Chain.current
    guard let found = find(core, chain) else { return false }
    let path = found.path
    // No `switch`; as in `Resolver.deliver`.
    guard path == .unique || path == .graph else {
      return path == .kept && found.copyKept(to: out)
    }
    let isRegistered = found.options.isRegistered
    // An object graph does not share the nil that a declared factory returns.
    if path == .graph, !isRegistered, property.isOptional { return false }
    // The outermost instance of a graph is shared with no other service.
    let isShared = path == .graph && !chain.steps.isEmpty
    // A factory registered by key path receives no container: any serves.
    let isBuilt = try ShortPath.make(
      found, chain, request, nil, container: .main, isShared: isShared, to: out,
      isDeclared: !isRegistered, declared: declared)
    // Only the factory of an optional returns none.
    if !isBuilt { (request.value.type as! any OptionalType.Type).storeNone(to: out) }
    return true
  }

  /// Copies the instance kept for a property, if the container's own registry suffices; for async
  /// services.
  @usableFromInline
  func copyKept(to out: InstanceMemory) -> Bool {
    managed._withUnsafeGuaranteedRef { manager in
      ShortPath.copyKept(to: out) { find(manager.core, .current) }
    }
  }

  /// Returns the registration or declaration in the container's own registry, if that suffices.
  @inline(__always)
  private func find(_ core: ContainerCore, _ chain: Chain) -> Registration? {
    // A factory that was just registered, or promised, or that names more than a scope, takes the
    // general path. And the root may have a double for a property of another container.
    guard marks.isOnlyScope, settingsBox == nil || settingsBox.unsafelyUnwrapped.isOnlyScope,
      !di_qualified_keys_are_used(),
      let found = chain.cache.registration(
        ObjectIdentifier(property), in: core, orFind: { core.registry.find(key) }),
      // Afterwards: if a reset had removed what was registered, it or `autoRegister` is under way.
      // A container that allows the short path nests no others.
      core.allowsShortPath
    else { return nil }
    if found.options.isRegistered { return found }
    guard found.options.declaredScope == marks.scope,
      marks.scope != .custom || found.scope === settingsBox?.value.scope
    else { return nil }
    return found
  }
}
