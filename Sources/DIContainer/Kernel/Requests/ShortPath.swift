internal import DIPrimitives

// The short path from a request to an instance, for the common case: nothing requires attention (or
// only async resolutions do, of which the task is no part), the container or a nested one has a
// plain registration, and either an instance is kept or the factory is called. All other requests
// take the general path (Resolution.swift), which would give the same results here: the short path
// only saves time. That of requests by key path is in Declaration+ShortPath.swift.
//
// Nothing here is generic: the public functions, which are inlinable, take the service out of the
// `Instance`. Generic code that is not specialised would look up metadata at every step.
//
// The cost of a plain request: the attention word, one look into a dictionary under a lock, the
// thread's record, a step that records which factory runs.

extension Resolver {
  /// Returns the instance for a request; nil if nothing is registered or the factory returned nil.
  @usableFromInline @inline(__always)
  package func instance(for request: Request, args: Any?) throws -> Instance? {
    if ShortPath.isOpen {
      let chain = Chain.current
      if let found = ShortPath.find(request, chain, in: core) {
        let path = found.path
        // No `switch`: a jump table is slow compared with a small service.
        if _fastPath(path == .unique) {
          return try ShortPath.make(found, chain, request, args, container: self)
        }
        if path == .graph {
          return try ShortPath.makeShared(found, chain, request, args, container: self)
        }
        if path == .kept {
          if let kept = found.keeper?.instance { return kept }
        } else if path == .alias {
          if let converted = try ShortPath.followAlias(
            found, chain, request, args, container: self)
          {
            return converted
          }
        }
      }
    }
    return try Resolution.instance(for: request, args: args, container: self)
  }

  /// Returns the kept instance, wherever its factory runs, if the container's own registry
  /// suffices; for async requests.
  @usableFromInline
  func kept(_ request: Request) -> Instance? {
    ShortPath.kept { ShortPath.find(request, .current, in: core) }
  }

  /// Returns the instance for a request, or traps with the diagnosis.
  @usableFromInline
  package func instanceOrTrap(for request: Request, args: Any?) -> Instance {
    do {
      if let instance = try instance(for: request, args: args) { return instance }
    } catch {
      trap(error)
    }
    trapUnresolved(request)
  }

  /// Returns the root's instance for a request, or traps.
  @usableFromInline
  package static func rootInstanceOrTrap(for request: Request) -> Instance {
    let root =
      ShortPath.isOpen && !di_root_is_assigned() ? main : rootAfterStartup
    return root.instanceOrTrap(for: request, args: nil)
  }

  /// Returns the instance for a request, or throws the diagnosis.
  @usableFromInline
  func instanceOrThrow(for request: Request) throws -> Instance {
    if let instance = try instance(for: request, args: nil) { return instance }
    throw Resolution.failure(request, container: self)
  }

  @inline(never)
  private func trapUnresolved(_ request: Request) -> Never {
    trap(Resolution.failure(request, container: self))
  }

  /// Returns the reason why a request failed.
  // Not inline: the request would be in the stack frames of all callers.
  @usableFromInline @inline(never)
  package func failure(
    _ type: Any.Type, name: Name?, at location: CodeLocation
  ) -> ResolutionError {
    Resolution.failure(Request(type, name: name, location: location), container: self)
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
    _ request: Request, _ chain: Chain, in core: ContainerCore
  ) -> Registration? {
    // To compare names takes as long as to hash them.
    if request.name != nil { return core.find(request.key) }
    return chain.cache.registration(ObjectIdentifier(request.type), in: core) {
      core.find(request.key)
    }
  }

  // Not inline: the common case would have fewer registers.
  @inline(never)
  private static func isNoAsyncStep() -> Bool { !AsyncLink.isBound }

  /// Returns the instance kept by the registration that `find` returns, if there is one.
  ///
  /// Current async resolutions do not affect instances that already exist.
  static func kept(_ find: () -> Registration?) -> Instance? {
    guard di_attention_is_async(di_attention_needed()), let found = find(),
      found.path == .kept || found.path == .awaited
    else { return nil }
    return found.keeper?.instance
  }

  /// Calls a registration's factory, or a property's declared one, as a step of the thread's object
  /// graph.
  ///
  /// If `isShared`, the graph's instance is returned if there is one, and a new one is shared.
  @inline(__always)
  static func make(
    _ found: Registration, _ chain: Chain, _ request: Request, _ args: Any?,
    container: @autoclosure () -> Resolver, isShared: Bool = false, isDeclared: Bool = false,
    declared: () throws -> Instance? = { nil }
  ) throws -> Instance? {
    if isShared, let shared = found.shared(chain) { return shared }
    return try withUnsafePointer(to: request) {
      try chain.enter(found.id, $0, hasArguments: args != nil)
      let made: Instance?
      do {
        made = isDeclared ? try declared() : try found.build(container(), args)
      } catch {
        throw chain.leave(request, registeredAt: found.location, after: error)
      }
      if isShared, let made { found.share(made, chain) }
      try chain.leave(found, made)
      return made
    }
  }

  /// Calls the factory of a registration whose instance an object graph shares.
  // Separate from the common case, whose registers it would take.
  @inline(never)
  fileprivate static func makeShared(
    _ found: Registration, _ chain: Chain, _ request: Request, _ args: Any?, container: Resolver
  ) throws -> Instance? {
    // The outermost instance of a graph is shared with no other service.
    try make(found, chain, request, args, container: container, isShared: !chain.steps.isEmpty)
  }

  /// Returns the instance of an alias's target, if that is a plain registration, as the alias's
  /// service; an outer nil to take the general path.
  @inline(never)
  fileprivate static func followAlias(
    _ found: Registration, _ chain: Chain, _ request: Request, _ args: Any?, container: Resolver
  ) throws -> Instance?? {
    guard let alias = found.alias, let target = container.core.find(alias.target),
      target.id == alias.owner
    else { return nil }
    let made: Instance?
    switch target.path {
    case .unique:
      made = try make(target, chain, request, args, container: container)
    case .graph:
      made = try makeShared(target, chain, request, args, container: container)
    case .kept:
      guard let kept = target.keeper?.instance else { return nil }
      made = kept
    case .awaited, .alias, .other:
      return nil
    }
    return .some(try made.map { try alias.convert($0, request) })
  }
}

extension Chain {
  /// Ends a step whose factory threw; returns the error as one of the kernel's.
  @inline(never)
  fileprivate func leave(
    _ request: Request, registeredAt location: CodeLocation, after error: any Error
  ) -> any Error {
    let error = Self.described(error, request, registeredAt: location)
    leave()
    return error
  }
}
