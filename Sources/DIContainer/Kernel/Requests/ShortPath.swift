internal import DIPrimitives

// The short path from a request to an instance, for the common case: nothing requires attention (or
// only async resolutions do, of which the task is no part), the container or a nested one has a
// plain registration, and either an instance is kept or the factory is called. All other requests
// take the general path (Resolution.swift), which would give the same results here: the short path
// only saves time. That of requests by key path is in Declaration+ShortPath.swift.
//
// Nothing here is generic: the public functions, which are inlinable, provide memory for the
// result, and code that knows the service's type (the factory, the box of a kept instance) copies
// it there. Generic code that is not specialised would look up metadata at every step.
//
// The cost of a plain request: the attention word, one look into a dictionary under a lock, the
// thread's record, a step that records which factory runs.

extension Resolver {
  /// Puts the instance for a request into uninitialised memory.
  ///
  /// Returns false if nothing is registered or the factory returned nil.
  @usableFromInline @inline(__always)
  package func deliver(
    _ request: Borrowed<Request>, args: Borrowed<Any>?, to out: InstanceMemory
  ) throws -> Bool {
    if ShortPath.isOpen {
      let chain = Chain.current
      if let found = ShortPath.find(request, chain, in: core) {
        let path = found.path
        // No `switch`: a jump table is slow compared with a small service.
        if _fastPath(path == .unique) {
          return try ShortPath.make(found, chain, request, args, container: self, to: out)
        }
        if path == .graph {
          return try ShortPath.makeShared(found, chain, request, args, container: self, to: out)
        }
        if path == .kept {
          if found.copyKept(to: out) { return true }
        } else if path == .alias {
          if let isDelivered = try ShortPath.deliverAlias(
            found, chain, request, args, container: self, to: out)
          {
            return isDelivered
          }
        }
      }
    }
    return try Resolution.deliver(request, args: args, container: self, to: out)
  }

  /// Copies a kept instance, wherever its factory runs, if the container's own registry suffices;
  /// for async requests.
  @usableFromInline
  func copyKept(_ request: Borrowed<Request>, to out: InstanceMemory) -> Bool {
    ShortPath.copyKept(to: out) { ShortPath.find(request, .current, in: core) }
  }

  /// Puts the instance for a request into uninitialised memory, or traps with the diagnosis.
  @usableFromInline
  package func deliverOrTrap(
    _ request: Borrowed<Request>, args: Borrowed<Any>?, to out: InstanceMemory
  ) {
    do {
      if try deliver(request, args: args, to: out) { return }
    } catch {
      trap(error)
    }
    trapUnresolved(request)
  }

  /// Puts the root's instance for a request into uninitialised memory, or traps.
  @usableFromInline
  package static func deliverFromRootOrTrap(
    _ request: Borrowed<Request>, to out: InstanceMemory
  ) {
    if ShortPath.isOpen, !di_root_is_assigned() {
      main.deliverOrTrap(request, args: nil, to: out)
    } else {
      rootAfterStartup.deliverOrTrap(request, args: nil, to: out)
    }
  }

  @inline(never)
  private func trapUnresolved(_ request: Borrowed<Request>) -> Never {
    trap(Resolution.failure(request.value, container: self))
  }

  /// Returns the reason why a request failed.
  // Not inline: the request would be in the stack frames of all callers.
  @usableFromInline @inline(never)
  package func failure(
    _ type: Any.Type, name: Name?, at location: CodeLocation
  ) -> ResolutionError {
    Resolution.failure(Request(type, name: name, location: location), container: self)
  }

  /// Returns the kept instance for an async request, if the container's own registry suffices.
  @inlinable @inline(__always)
  func kept<Service>(_ type: Service.Type, name: Name?, _ location: CodeLocation) -> Service? {
    Request.with(type, name: name, args: nil, location: location) { request, _, out in
      copyKept(request, to: out) ? out.move(as: Service.self) : nil
    }
  }

  /// Returns the instance for a request, or nil if nothing is registered or the factory returned
  /// nil.
  @inlinable @inline(__always)
  package func instance<Service>(
    _ type: Service.Type, name: Name?, args: Any?, location: CodeLocation
  ) throws -> Service? {
    try Request.with(type, name: name, args: args, location: location) { request, args, out in
      try deliver(request, args: args, to: out) ? out.move(as: Service.self) : nil
    }
  }
}

enum ShortPath {
  /// Whether the container's own registry suffices for a request of the calling task.
  ///
  /// It does if nothing requires attention, or only async resolutions that the task is no part of.
  @inline(__always)
  static var isOpen: Bool {
    let attention = di_attention_needed()
    return attention == 0 || di_attention_is_async(attention) && isNoAsyncStep()
  }

  /// Returns the registration that serves a request outside every context; nil if that takes the
  /// general path to find.
  @inline(__always)
  static func find(
    _ request: Borrowed<Request>, _ chain: Chain, in core: ContainerCore
  ) -> Registration? {
    // To compare names takes as long as to hash them.
    if request.value.name != nil { return core.find(request.value.key) }
    return chain.cache.registration(ObjectIdentifier(request.value.type), in: core) {
      core.find(request.value.key)
    }
  }

  // Not inline: the common case would have fewer registers.
  @inline(never)
  private static func isNoAsyncStep() -> Bool { !AsyncLink.isBound }

  /// Copies the instance kept by the registration that `find` returns, if there is one.
  ///
  /// Current async resolutions do not affect instances that already exist.
  static func copyKept(to out: InstanceMemory, _ find: () -> Registration?) -> Bool {
    guard di_attention_is_async(di_attention_needed()), let found = find(),
      found.path == .kept || found.path == .awaited
    else { return false }
    return found.copyKept(to: out)
  }

  /// Calls a registration's factory, or a property's declared one, as a step of the thread's object
  /// graph.
  ///
  /// If `isShared`, the graph's instance is returned if there is one, and a new one is shared.
  @inline(__always)
  static func make(
    _ found: Registration, _ chain: Chain,
    _ request: Borrowed<Request>, _ args: Borrowed<Any>?,
    container: @autoclosure () -> Resolver, isShared: Bool = false, to out: InstanceMemory,
    isDeclared: Bool = false,
    declared: (InstanceMemory) throws -> Bool = { _ in false }
  ) throws -> Bool {
    if isShared, found.copyShared(chain, to: out) { return true }
    try chain.enter(found.id, request, hasArguments: args != nil)
    let isBuilt: Bool
    do {
      isBuilt = isDeclared ? try declared(out) : try found.build(out, container(), args)
    } catch {
      throw chain.leave(request, registeredAt: found.location, after: error)
    }
    if isBuilt, isShared { found.share(out, chain) }
    try chain.leave(found, out, isBuilt: isBuilt)
    return isBuilt
  }

  /// Calls the factory of a registration whose instance an object graph shares.
  // Separate from the common case, whose registers it would take.
  @inline(never)
  fileprivate static func makeShared(
    _ found: Registration, _ chain: Chain,
    _ request: Borrowed<Request>, _ args: Borrowed<Any>?, container: Resolver,
    to out: InstanceMemory
  ) throws -> Bool {
    // The outermost instance of a graph is shared with no other service.
    try make(
      found, chain, request, args, container: container,
      isShared: !chain.steps.isEmpty, to: out)
  }

  /// Puts the instance of an alias's target, if that is a plain registration of a class, into
  /// memory; returns nil to take the general path.
  @inline(never)
  fileprivate static func deliverAlias(
    _ found: Registration, _ chain: Chain, _ request: Borrowed<Request>, _ args: Borrowed<Any>?,
    container: Resolver, to out: InstanceMemory
  ) throws -> Bool? {
    guard let alias = found.alias, let target = container.core.find(alias.target),
      target.isClass, target.id == alias.owner
    else { return nil }
    return try withUnsafeTemporaryAllocation(of: AnyObject.self, capacity: 1) { object in
      let memory = InstanceMemory(object)
      switch target.path {
      case .unique:
        guard try make(target, chain, request, args, container: container, to: memory)
        else { return false }
      case .graph:
        guard try makeShared(target, chain, request, args, container: container, to: memory)
        else { return false }
      case .kept:
        if !target.copyKept(to: memory) { return nil }
      case .awaited, .alias, .other:
        return nil
      }
      defer { object.deinitialize() }
      guard alias.convert(memory, to: out) else {
        throw alias.failure(memory, request.value)
      }
      return true
    }
  }
}

extension Chain {
  /// Ends a step whose factory threw; returns the error as one of the kernel's.
  @inline(never)
  fileprivate func leave(
    _ request: Borrowed<Request>, registeredAt location: CodeLocation, after error: any Error
  ) -> any Error {
    let error = Self.described(error, request.value, registeredAt: location)
    leave()
    return error
  }
}
