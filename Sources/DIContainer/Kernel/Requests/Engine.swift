internal import DIPrimitives

// The slow path from a request to an instance, which handles every case: contexts, nested
// containers, aliases, first requests, recorders, errors. Resolver+Deliver.swift is the fast path.

package enum Engine {
  /// Whether the container's own table suffices for a request of the calling task.
  ///
  /// It does if nothing requires attention, or only async resolutions that the task is no part of.
  @inline(__always)
  static var isUndisturbed: Bool {
    let attention = di_attention_needed()
    return attention == 0 || di_attention_is_async(attention) && isNoAsyncStep()
  }

  // Not inline: the common case would have fewer registers.
  @inline(never)
  private static func isNoAsyncStep() -> Bool { !AsyncLink.isBound }

  /// Puts the instance for a request into memory, searching contexts, nested containers and
  /// aliases.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`.
  @inline(never)
  package static func deliver(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, asked: Resolver,
    below: UInt64? = nil, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    Startup.runIfPending()
    if ResolutionStack.isEmpty, let link = AsyncLink.current {
      return try goOn(link, request, args: args, asked: asked, below: below, to: out)
    }
    switch try start(request, args: args, asked: asked, below: below, to: out) {
    case .done(let outcome): return outcome != .missed
    case .make(let produce): return try produce.run()
    }
  }

  @inline(never)
  private static func start(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, asked: Resolver,
    below: UInt64?, to out: UnsafeMutableRawPointer
  ) throws -> Produce.Start {
    if request.pointee.declared != nil {
      // The property's factory may have been made before a reset.
      asked.core.factories.prepareLate(asked, asked.core)
    }
    let frame = ContextFrame.answering(request, asked: asked)
    var found = Lookup.find(request, asked: asked, frame, below: below)
    if found == nil, asked.core.factories.prepareLate(asked, asked.core) {
      found = Lookup.find(request, asked: asked, frame, below: below)
    }
    if let frame, frame.isGuarded, below == nil {
      switch frame.standIn(for: found, request, asked: asked, to: out) {
      case .none: break
      case .double: return .done(.created)
      case .refused: return .done(.missed)
      case .onMainOnly: throw ResolutionError.fallbackNeedsMain(request.pointee)
      }
    }
    if let found {
      if let frame, request.pointee.declared != nil, below == nil, !found.isDouble {
        frame.noteLiveProperty(request)
      }
      return try start(found, request, args: args, asked: asked, frame, to: out)
    }
    if below == nil, request.pointee.declared == nil,
      let type = request.pointee.type as? any AnswersUnregistered.Type,
      try type.answer(request.pointee, args: args, asked: asked, to: out)
    {
      return .done(.kept)
    }
    frame?.observe { observer in
      observer.missed(request.pointee, in: asked.core)
    }
    return .done(.missed)
  }

  /// Resolves a request that is part of an async resolution, as a step of that.
  @inline(never)
  private static func goOn(
    _ link: AsyncLink, _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?,
    asked: Resolver, below: UInt64?, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    func destroy<Service>(_ type: Service.Type) {
      out.assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    var isAnswered = false
    do {
      try link.onThread {
        isAnswered = try deliver(request, args: args, asked: asked, below: below, to: out)
      }
    } catch {
      // A property of a circle could not be set.
      if isAnswered { destroy(request.pointee.type) }
      throw error
    }
    return isAnswered
  }

  /// Puts the instance that a registration makes or keeps into memory.
  static func deliver(
    _ found: Found, _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?,
    asked: Resolver, _ frame: ContextFrame?, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    switch try start(found, request, args: args, asked: asked, frame, to: out) {
    case .done(let outcome): return outcome != .missed
    case .make(let produce): return try produce.run()
    }
  }

  private static func start(
    _ found: Found, _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?,
    asked: Resolver, _ frame: ContextFrame?, to out: UnsafeMutableRawPointer
  ) throws -> Produce.Start {
    let found = found.wrapping(asked: asked, frame, request.pointee.declared)
    let recording = frame?.begin(request, found, asked: asked)
    return try Produce.start(
      ProduceOrder(
        found: found, requested: request, args: args, asked: asked, frame: frame, out: out,
        event: recording?.number ?? 0, recording: recording, isWhole: true))
  }

  /// Returns the instance for a request, searching contexts, nested containers and aliases.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`.
  package static func answer<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64? = nil,
    as type: Service.Type = Service.self
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      let isAnswered = try withUnsafePointer(to: request) { request in
        try withAddress(of: args) {
          try deliver(
            request, args: $0, asked: asked, below: below, to: UnsafeMutableRawPointer(out))
        }
      }
      return isAnswered ? out.move() : nil
    }
  }

  /// Returns the instance for a factory's dependency; throws if there is none.
  static func need<Service>(
    _ request: Request, args: Any?, asked: Resolver, as type: Service.Type = Service.self
  ) throws -> Service {
    if let service: Service = try answer(request, args: args, asked: asked) { return service }
    throw failure(request, asked: asked)
  }

  /// Returns the reason why a request failed.
  @inline(never)
  package static func failure(_ request: Request, asked: Resolver) -> ResolutionError {
    if let modifier = request.type as? any RequestModifier.Type {
      return failure(modifier.wanted(by: request), asked: asked)
    }
    let frame = ContextFrame.current
    if let found = Lookup.find(request, asked: asked, frame) {
      if let ended = frame?.endedSandbox, !found.isEffectivelyDouble(asked: asked, frame) {
        return .late(request, test: ended.owner.name, found.registration)
      }
      if request.property == nil, let id = found.registration.searchesBelow,
        Lookup.find(request, asked: asked, frame, below: id) == nil
      {
        return .nothingToDecorate(request, found.registration, asked: asked)
      }
      if let absent = found.absentTarget(asked: asked, frame) {
        return failure(absent, asked: asked)
      }
      return .factoryReturnedNil(request, found.registration, asked: asked)
    }
    return .notRegistered(request, asked: asked)
  }
}
