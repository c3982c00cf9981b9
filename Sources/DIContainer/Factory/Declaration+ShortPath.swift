internal import DIPrimitives

// The short path from a property to an instance, outside all contexts: a look at the container's
// own registry, for a property with only a declaration or a plain registration. All other requests
// take the general path, with `DeclaredProperty.instance`.

extension Declaration {
  /// Returns the instance for a property if the container's own registry suffices, or traps.
  ///
  /// Otherwise it returns nil and has no effect.
  @usableFromInline
  func instanceByShortPath(
    at location: CodeLocation, _ declared: () throws -> Instance
  ) -> Instance? {
    guard ShortPath.isOpen else { return nil }
    // The holder, which the caller keeps alive, keeps the manager alive.
    return managed._withUnsafeGuaranteedRef { manager in
      do {
        return try Chain.withCurrent { try instance(at: location, manager.core, $0, declared) }
      } catch {
        trap(error)
      }
    }
  }

  /// Returns the instance for a property if the container's own registry suffices; otherwise
  /// returns nil and has no effect.
  @inline(__always)
  private func instance(
    at location: CodeLocation, _ core: ContainerCore, _ chain: Chain,
    _ declared: () throws -> Instance
  ) throws -> Instance? {
    guard let found = find(core, chain) else { return nil }
    let path = found.path
    // No `switch`; as in `Resolver.instance`.
    guard path == .unique || path == .graph else {
      return path == .kept ? found.kept : nil
    }
    let isRegistered = found.options.isRegistered
    // An object graph does not share the nil that a declared factory returns.
    if path == .graph, !isRegistered, property.isOptional { return nil }
    // The outermost instance of a graph is shared with no other service.
    let isShared = path == .graph && !chain.steps.isEmpty
    // A factory registered by key path receives no container: any serves.
    let made = try ShortPath.make(
      found, chain, Request(key, location: location), nil, container: .main,
      isShared: isShared, isDeclared: !isRegistered, declared: declared)
    // Only the factory of an optional returns none.
    return made ?? .none(of: property.type)
  }

  /// Returns the instance kept for a property, if the container's own registry suffices; for async
  /// services.
  @usableFromInline
  func kept() -> Instance? {
    managed._withUnsafeGuaranteedRef { manager in
      ShortPath.kept { find(manager.core, $0) }
    }
  }

  /// Returns the registration or declaration in the container's own registry, if that suffices.
  @inline(__always)
  private func find(_ core: ContainerCore, _ chain: Chain) -> Registration? {
    // A factory that was promised, or that names more than a scope, takes the general path. And the
    // root may have a double for a property of another container.
    guard settingsBox == nil || settingsBox.unsafelyUnwrapped.isOnlyScope,
      !di_holds(di_qualified_keys_are_used),
      let found = chain.cache.registration(
        ObjectIdentifier(property), in: core, orFind: { core.registry.findUnlessContexts(key) }),
      // Afterwards: if a reset had removed what was registered, it or `autoRegister` is under way.
      // A container that allows the short path nests no others.
      core.allowsShortPath
    else { return nil }
    if found.options.isRegistered { return found }
    guard found.options.declaredScope == scope,
      scope != .custom || found.scope === settingsBox?.value.scope
    else { return nil }
    return found
  }
}
