internal import DIPrimitives

// From a request to an instance. `Resolver.deliver` is the whole of the common case: nothing asks
// for attention (or only async resolutions do, in which the task has no part), the container or one
// below it has a plain registration, and either an instance is kept or the factory is called. All
// else (contexts, aliases, first requests for what is kept, recorders, errors) goes through
// `Engine.deliver`.
//
// Nothing here is generic: the public functions, which are inlinable, provide memory for the
// answer, and whatever knows the service's type (the factory, the box of a kept instance) copies it
// there. Generic code that is not specialised would look up metadata at every step.
//
// What a plain request costs: the attention word, the thread's record, two writes to it (the read
// section), one probe of the table, the copy of a closure, a frame on the stack.

extension Resolver {
  /// Puts the instance for a request into uninitialised memory.
  ///
  /// Answers false when nothing is registered or the factory answered nil.
  @usableFromInline @inline(__always)
  package func deliver(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    if Engine.isUndisturbed {
      let thread = di_thread_get()
      di_pin(thread)
      if let found = core.find(request) {
        switch found._withUnsafeGuaranteedRef({ $0.path }) {
        case .graph where di_frames(thread) != nil:
          return try Engine.deliverShared(found, thread, request, args, asked: self, to: out)
        // The outermost instance of a cycle has nobody to be shared with.
        case .unique, .graph:
          let id = found._withUnsafeGuaranteedRef { $0.id }
          let build = found._withUnsafeGuaranteedRef { $0.build }
          di_unpin(thread)
          let step = try Engine.enter(thread, id, request, hasArguments: args != nil)
          do {
            let isBuilt = try build(out, self, args)
            Engine.leave(thread, step)
            return isBuilt
          } catch {
            throw Engine.leave(thread, step, request, in: core, after: error)
          }
        case .kept:
          if found._withUnsafeGuaranteedRef({ Slot.copyPinned($0.keptAt, to: out) }) {
            di_unpin(thread)
            return true
          }
        case .alias:
          return try Engine.deliverAlias(found, thread, request, args, asked: self, to: out)
        case .other:
          break
        }
      }
      di_unpin(thread)
    } else if let isAnswered = try Engine.deliverInPlainScope(
      request, args, asked: self, to: out)
    {
      return isAnswered
    }
    return try Engine.deliver(request, args: args, asked: self, to: out)
  }

  /// Puts the instance for a request into uninitialised memory, or traps with the diagnosis.
  @usableFromInline
  package func deliverOrTrap(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, to out: UnsafeMutableRawPointer
  ) {
    do {
      if try deliver(request, args: args, to: out) { return }
    } catch {
      trap(error)
    }
    trapUnanswered(request)
  }

  /// Puts the root's instance for a request into uninitialised memory, or traps.
  @usableFromInline
  package static func deliverFromRootOrTrap(
    _ request: UnsafePointer<Request>, to out: UnsafeMutableRawPointer
  ) {
    // Main lives for ever; holding another root costs some 10 ns.
    if Engine.isUndisturbed, !di_root_is_assigned() {
      main.deliverOrTrap(request, args: nil, to: out)
    } else if let root = PlainScope.root {
      root.deliverOrTrap(request, args: nil, to: out)
    } else {
      started.deliverOrTrap(request, args: nil, to: out)
    }
  }

  @inline(never)
  private func trapUnanswered(_ request: UnsafePointer<Request>) -> Never {
    trap(Engine.failure(request.pointee, asked: self))
  }

  /// Why a request came to nothing.
  @usableFromInline
  package func failure(_ request: Request) -> ResolutionError {
    Engine.failure(request, asked: self)
  }

  /// The instance for a request, or nil when nothing is registered or the factory answered nil.
  @inlinable @inline(__always)
  package func answer<Service>(
    _ type: Service.Type, name: Name?, args: Any?, location: CodeLocation
  ) throws -> Service? {
    try Request.with(type, name: name, args: args, location: location) { request, args, out in
      try deliver(request, args: args, to: UnsafeMutableRawPointer(out)) ? out.move() : nil
    }
  }
}

// Apart from the common case, whose registers they would take.
extension Engine {
  /// Answers with an instance that the cycle shares.
  ///
  /// Called in a read section, which it leaves. It is `share` once more: without optimisation a
  /// call to that would stay on the stack of every link.
  @inline(never)
  fileprivate static func deliverShared(
    _ found: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let recipe = SharedRecipe(found)
    di_unpin(thread)
    if GraphArena.copy(recipe.id, nil, to: out, thread) { return true }
    let step = try enter(thread, recipe.id, request, hasArguments: args != nil)
    do {
      guard try recipe.build(out, asked, args) else {
        leave(thread, step)
        return false
      }
    } catch {
      throw leave(thread, step, request, in: asked.core, after: error)
    }
    leave(thread, step)
    recipe.share(out, nil, thread)
    return true
  }

  /// Answers with what an alias stands for.
  ///
  /// Called in a read section, which it leaves.
  @inline(never)
  fileprivate static func deliverAlias(
    _ found: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let target = found._withUnsafeGuaranteedRef { found in
      found.alias.flatMap { asked.core.find($0.key) }.map {
        PlainScope.Answer(found: $0, caches: nil, layer: nil)
      }
    }
    if let isAnswered = try deliverAlias(
      found, target, thread, request, args, asked: asked, to: out)
    {
      return isAnswered
    }
    return try deliver(request, args: args, asked: asked, to: out)
  }
}

package enum Engine {
  /// Whether a request of the calling task is answered by the container's own table: nothing asks
  /// for attention, or nothing but async resolutions that the task has no part in.
  @inline(__always)
  static var isUndisturbed: Bool {
    let attention = di_attention_needed()
    return attention == 0 || di_attention_is_async(attention) && isNoAsyncStep()
  }

  // Not inline: the common case would have fewer registers.
  @inline(never)
  private static func isNoAsyncStep() -> Bool { !AsyncLink.isBound }

  /// Puts the instance for a request into memory, by way of contexts, nesting and aliases.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`.
  @inline(never)
  package static func deliver(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, asked: Resolver,
    below: UInt64? = nil, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    if below == nil, let isAnswered = try FirstKept.deliver(request, args, asked: asked, to: out) {
      return isAnswered
    }
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
    let frame = ContextFrame.answering(request, asked: asked)
    let key = RawKey(request)
    var found = Lookup.find(key, in: asked.core, frame, below: below)
    if found == nil, asked.core.factories.prepareLate(asked, asked.core) {
      found = Lookup.find(key, in: asked.core, frame, below: below)
    }
    if let frame, frame.isGuarded, below == nil {
      switch frame.standIn(for: found, request, asked: asked, to: out) {
      case .none: break
      case .double: return .done(.created)
      case .refused: return .done(.missed)
      }
    }
    if let found {
      return try start(found, request, args: args, asked: asked, frame, to: out)
    }
    if below == nil, let type = request.pointee.type as? any AnswersUnregistered.Type,
      try type.answer(request.pointee, args: args, asked: asked, to: out)
    {
      return .done(.kept)
    }
    frame?.observe { observer in
      observer.missed(request.pointee, in: asked.core)
    }
    return .done(.missed)
  }

  /// Answers a step of an async resolution as part of it.
  @inline(never)
  private static func goOn(
    _ link: AsyncLink, _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?,
    asked: Resolver, below: UInt64?, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    try link.onThread {
      try deliver(request, args: args, asked: asked, below: below, to: out)
    }
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
    let found = found.wrapping(asked: asked, frame)
    let recording = frame?.begin(request, found, asked: asked)
    return try Produce.start(
      ProduceOrder(
        found: found, requested: request, args: args, asked: asked, frame: frame, out: out,
        event: recording?.number ?? 0, recording: recording, isWhole: true))
  }

  /// The instance for a request, by way of contexts, nested containers and aliases.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`.
  package static func answer<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64? = nil,
    as type: Service.Type = Service.self
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress.unsafelyUnwrapped
      let isAnswered = try withUnsafePointer(to: request) { request in
        guard let args else {
          return try deliver(
            request, args: nil, asked: asked, below: below, to: UnsafeMutableRawPointer(out))
        }
        return try withUnsafePointer(to: args) {
          try deliver(
            request, args: $0, asked: asked, below: below, to: UnsafeMutableRawPointer(out))
        }
      }
      return isAnswered ? out.move() : nil
    }
  }

  /// The instance for what a factory needs; throws when there is none.
  static func need<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64? = nil,
    as type: Service.Type = Service.self
  ) throws -> Service {
    if let service: Service = try answer(request, args: args, asked: asked, below: below) {
      return service
    }
    throw failure(request, asked: asked, below: below)
  }

  /// Why a request came to nothing.
  @inline(never)
  package static func failure(
    _ request: Request, asked: Resolver, below: UInt64? = nil
  ) -> ResolutionError {
    let key = RawKey(request.type, name: request.name, property: request.property)
    let frame = ContextFrame.current
    if let found = Lookup.find(key, in: asked.core, frame, below: below) {
      if let ended = frame?.endedSandbox, !found.isEffectivelyDouble(asked: asked, frame) {
        return .late(request, test: ended.owner.name, found.registration)
      }
      if let id = found.registration.searchesBelow,
        Lookup.find(key, in: asked.core, frame, below: id) == nil
      {
        return .nothingToDecorate(request, found.registration, asked: asked)
      }
      return .factoryReturnedNil(request, found.registration, asked: asked)
    }
    return .notRegistered(request, asked: asked)
  }
}

/// What is answered where it is not registered as such.
protocol AnswersUnregistered {
  /// Puts the answer into memory; false if there is none.
  static func answer(
    _ request: Request, args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool
}

extension Optional: AnswersUnregistered {
  /// The answer for what it wraps.
  static func answer(
    _ request: Request, args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let inner = Request(
      Wrapped.self, name: request.name, property: request.property, location: request.location)
    let service: Wrapped? = try Engine.answer(inner, args: args?.pointee, asked: asked)
    // An optional is always answered: with nil, if nothing is registered.
    out.initializeMemory(as: Wrapped?.self, to: service)
    return true
  }
}
