internal import DIPrimitives

// The short path from a request to an instance, for the common case: nothing requires attention (or
// only async resolutions do, of which the task is no part), the container or a nested one has a
// plain registration, and either an instance is kept or the factory is called. All other requests
// take the general path (Resolution.swift), which would give the same results here: the short path
// only saves time. That of requests by key path is in Declaration+ShortPath.swift. The functions of
// `Resolver` here are the entry of every request by type, to either path.
//
// Nothing here is generic: the public functions, which are inlinable, take the service out of the
// `Instance`. Generic code that is not specialised would look up metadata at every step.
//
// The cost of a plain request: the attention word, one look into a dictionary under a lock, the
// thread's record, a step that records which factory runs.

extension Resolver {
  /// Returns the instance for a type; nil if nothing is registered or the factory returned nil.
  ///
  /// A request is made only where something has to know it: not for an instance that is kept.
  @inline(__always)
  private func instance(
    _ type: Any.Type, _ name: Name?, _ args: @autoclosure () -> Any?, _ location: CodeLocation
  ) throws -> Instance? {
    if ShortPath.isOpen,
      let known = try Chain.withCurrent({
        try instanceByShortPath(type, name, args(), location, $0)
      })
    {
      return known
    }
    return try Resolution.instance(
      for: Request(type, name: name, location: location), args: args(), container: self)
  }

  /// Returns the instance for a type, or an inner nil if the factory returned nil; an outer nil to
  /// take the general path.
  @inline(__always)
  private func instanceByShortPath(
    _ type: Any.Type, _ name: Name?, _ args: @autoclosure () -> Any?, _ location: CodeLocation,
    _ chain: Chain
  ) throws -> Instance?? {
    guard let found = ShortPath.find(type, name, chain, in: core) else { return nil }
    let path = found.path
    // No `switch`: a jump table is slow compared with a small service.
    if _fastPath(path == .unique) {
      return .some(
        try ShortPath.make(
          found, chain, Request(type, name: name, location: location), args(), container: self))
    }
    if path == .kept, let kept = found.kept { return kept }
    let request = Request(type, name: name, location: location)
    if path == .graph {
      return .some(try ShortPath.makeShared(found, chain, request, args(), container: self))
    }
    if path == .alias {
      return try ShortPath.followAlias(found, chain, request, args(), container: self)
    }
    return nil
  }
}

// The functions that the public ones call. They receive the parts of a request, because callers
// would have to destroy a whole one, and of requests without arguments no nil in place of these.
extension Resolver {
  /// Returns the instance for a type; nil if nothing is registered or the factory returned nil.
  @usableFromInline
  func instance(
    _ type: Any.Type, name: Name?, args: Any?, at location: CodeLocation
  ) throws -> Instance? {
    try instance(type, name, args, location)
  }

  /// Returns the instance for a type, or traps with the diagnosis.
  @usableFromInline
  func instanceOrTrap(_ type: Any.Type, name: Name?, at location: CodeLocation) -> Instance {
    do {
      if let instance = try instance(type, name, nil, location) { return instance }
    } catch {
      trap(error)
    }
    trapUnresolved(type, name: name, at: location)
  }

  /// Returns the instance for a type, made with arguments, or traps with the diagnosis.
  @usableFromInline
  func instanceOrTrap(
    _ type: Any.Type, name: Name?, args: Any?, at location: CodeLocation
  ) -> Instance {
    do {
      if let instance = try instance(type, name: name, args: args, at: location) {
        return instance
      }
    } catch {
      trap(error)
    }
    trapUnresolved(type, name: name, at: location)
  }

  /// Returns the root's instance for a type, or traps.
  @usableFromInline
  static func rootInstanceOrTrap(
    _ type: Any.Type, name: Name?, at location: CodeLocation
  ) -> Instance {
    let root =
      ShortPath.isOpen && !di_holds(di_root_is_assigned) ? main : rootAfterStartup
    return root.instanceOrTrap(type, name: name, at: location)
  }

  /// Returns the instance for a type, or throws the diagnosis.
  @usableFromInline
  func instanceOrThrow(_ type: Any.Type, at location: CodeLocation) throws -> Instance {
    if let instance = try instance(type, nil, nil, location) { return instance }
    throw failure(type, name: nil, at: location)
  }

  /// Returns the kept instance, wherever its factory runs, if the container's own registry
  /// suffices; for async requests.
  @usableFromInline
  func kept(_ type: Any.Type, name: Name?) -> Instance? {
    ShortPath.kept { ShortPath.find(type, name, $0, in: core) }
  }

  @inline(never)
  private func trapUnresolved(
    _ type: Any.Type, name: Name?, at location: CodeLocation
  ) -> Never {
    trap(failure(type, name: name, at: location))
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
    _ type: Any.Type, _ name: Resolver.Name?, _ chain: Chain, in core: ContainerCore
  ) -> Registration? {
    // To compare names takes as long as to hash them.
    if let name { return core.find(ServiceKey(type, name: name)) }
    return chain.cache.registration(ObjectIdentifier(type), in: core) {
      core.find(ServiceKey(type))
    }
  }

  // Not inline: the common case would have fewer registers.
  @inline(never)
  private static func isNoAsyncStep() -> Bool { !AsyncLink.isBound }

  /// Returns the instance kept by the registration that `find` returns, if there is one.
  ///
  /// Current async resolutions do not affect instances that already exist.
  static func kept(_ find: (Chain) -> Registration?) -> Instance? {
    guard di_attention_is_async(di_attention_needed()), let found = Chain.withCurrent(find),
      found.path == .kept || found.path == .awaited
    else { return nil }
    return found.kept
  }

  /// Calls a registration's factory, or a property's declared one, as a step of the thread's object
  /// graph.
  ///
  /// If `isShared`, the graph's instance is returned if there is one, and a new one is shared.
  @inline(__always)
  static func make(
    _ found: Registration, _ chain: Chain, _ request: @autoclosure () -> Request, _ args: Any?,
    container: @autoclosure () -> Resolver, isShared: Bool = false, isDeclared: Bool = false,
    declared: () throws -> Instance? = { nil }
  ) throws -> Instance? {
    if isShared, let shared = found.shared(chain) { return shared }
    let (request, hasArguments) = (request(), args != nil)
    try chain.check(found.subject, request, hasArguments: hasArguments)
    return try chain.perform(found.subject, request, hasArguments: hasArguments) {
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
      guard let kept = target.kept else { return nil }
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
