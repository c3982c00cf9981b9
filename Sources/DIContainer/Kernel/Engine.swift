internal import DIPrimitives

// From a request to an instance. `Resolver.answer` is the whole of the common case: nothing asks
// for attention, the container itself has a plain registration, and either an instance is kept or
// the factory is called. All else (contexts, nesting, aliases, weak and per-container scopes,
// recorders, errors) goes through `Engine.answer`.
//
// What a plain request costs: the attention word, the thread's record, two writes to it (the read
// section), one probe of the table, the copy of a closure, a frame on the stack.

extension Resolver {
  /// The instance for a request, or nil when nothing is registered or the factory answered nil.
  @inline(__always)
  func answer<Service>(
    _ type: Service.Type, name: Name?, args: Any?, location: CodeLocation
  ) throws -> Service? {
    if di_attention_needed() == 0 {
      let thread = di_thread_get()
      di_pin(thread)
      if let found = core.registry.reader.find(RawKey(type, name: name)) {
        let registration = unsafeDowncast(
          found._withUnsafeGuaranteedRef { $0 }, to: Registration<Service>.self)
        switch registration.path {
        case .unique, .graph:
          let make = registration.make
          let id = registration.id
          let isGraph = registration.path == .graph
          let sharesValues = registration.options.sharesValues
          di_unpin(thread)
          let request = Request(type, name: name, location: location)
          if isGraph {
            return try Engine.share(
              thread, id, request, hasArguments: args != nil, sharesValues: sharesValues
            ) { try make(self, args) }
          }
          return try Engine.construct(thread, id, request, hasArguments: args != nil) {
            try make(self, args)
          }
        case .kept:
          if let raw = di_load(registration.slot.unsafelyUnwrapped.word) {
            let box = unsafeDowncast(
              Unmanaged<AnyBox>.fromOpaque(raw)._withUnsafeGuaranteedRef { $0 },
              to: StrongBox<Service>.self)
            let value = box.value
            di_unpin(thread)
            return value
          }
        case .other:
          break
        }
      }
      di_unpin(thread)
    }
    return try Engine.answer(
      Request(type, name: name, location: location), args: args, asked: self)
  }
}

package enum Engine {
  /// The instance for a request, by way of contexts, nested containers and aliases.
  ///
  /// `below` is the id of a registration to look below; see `Lookup`.
  @inline(never)
  package static func answer<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64? = nil,
    as type: Service.Type = Service.self
  ) throws -> Service? {
    Startup.runIfPending()
    let frame = ContextFrame.answering(request, asked: asked)
    let key = RawKey(request.type, name: request.name, property: request.property)
    let found = Lookup.find(key, in: asked.core, frame, below: below)
    if let frame, frame.isGuarded, below == nil {
      switch try frame.guarded(found, request, asked: asked, as: Service.self) {
      case .goOn: break
      case .double(let double): return double
      }
    }
    if let found {
      let registration = unsafeDowncast(found.registration, to: Registration<Service>.self)
      return try Produce(
        registration: registration, found: found, request: request, args: args, asked: asked,
        frame: frame
      ).run()
    }
    // Asked for an optional that is not registered as such: the answer for what it wraps.
    if let optional = Service.self as? any AnswersOptionally.Type, below == nil {
      return try optional.answer(request, args: args, asked: asked) as! Service?
    }
    frame?.observe { observer in
      observer.missed(request, in: asked.core)
    }
    return nil
  }

  /// The instance for what a factory needs; throws when there is none.
  static func need<Service>(
    _ request: Request, args: Any?, asked: Resolver, below: UInt64? = nil,
    as type: Service.Type = Service.self
  ) throws -> Service {
    if let service: Service = try answer(request, args: args, asked: asked, below: below) {
      return service
    }
    throw failure(Service.self, request, asked: asked, below: below)
  }

  /// Why a request came to nothing.
  @inline(never)
  package static func failure<Service>(
    _ type: Service.Type, _ request: Request, asked: Resolver, below: UInt64? = nil
  ) -> ResolutionError {
    let key = RawKey(request.type, name: request.name, property: request.property)
    if let found = Lookup.find(key, in: asked.core, ContextFrame.current, below: below) {
      return .factoryReturnedNil(request, found.registration, asked: asked)
    }
    return .notRegistered(request, asked: asked)
  }

  /// Calls a factory as one step of the thread's resolution cycle.
  @inline(__always)
  static func construct<Service>(
    _ thread: UnsafeMutablePointer<di_thread>, _ registration: UInt64, _ request: Request,
    hasArguments: Bool, slot: UnsafeMutableRawPointer? = nil, event: UInt64 = 0,
    make: () throws -> Service?
  ) throws -> Service? {
    let parent = ResolutionStack.innermost(thread)
    var frame = ResolutionFrame(
      parent: parent, registration: registration, hasArguments: hasArguments, slot: slot,
      event: event, request: request)
    return try withUnsafeMutablePointer(to: &frame) { frame in
      if UInt(bitPattern: frame) < thread.pointee.stack_limit {
        throw ResolutionError.tooDeep(request)
      }
      var outer = parent
      while let ancestor = outer {
        if ancestor.pointee.registration == registration, !hasArguments,
          !ancestor.pointee.hasArguments
        {
          throw ResolutionError.cycle(request, backTo: ancestor)
        }
        outer = ancestor.pointee.parent
      }
      di_set_frames(thread, UnsafeMutableRawPointer(frame))
      defer {
        if parent == nil { endCycle(thread) }
        di_set_frames(thread, UnsafeMutableRawPointer(parent))
      }
      do {
        return try make()
      } catch let error as ResolutionError {
        throw error
      } catch {
        throw ResolutionError.factoryFailed(error, request)
      }
    }
  }

  @inline(__always)
  private static func endCycle(_ thread: UnsafeMutablePointer<di_thread>) {
    guard let arena = GraphArena.of(thread), !arena.isEmpty else { return }
    // What a deinit asks for is a cycle of its own.
    di_set_frames(thread, nil)
    arena.clear(on: thread)
  }

  /// An instance, one per resolution cycle.
  @inline(__always)
  static func share<Service>(
    _ thread: UnsafeMutablePointer<di_thread>, _ registration: UInt64, _ request: Request,
    hasArguments: Bool, sharesValues: Bool, make: () throws -> Service?
  ) throws -> Service? {
    // The outermost instance of a cycle has nobody to be shared with.
    if di_frames(thread) == nil {
      return try construct(
        thread, registration, request, hasArguments: hasArguments, make: make)
    }
    if let object = GraphArena.of(thread)?.find(registration, nil) {
      return unboxed(object, as: Service.self)
    }
    let service = try construct(
      thread, registration, request, hasArguments: hasArguments, make: make)
    if let service, sharesValues || isClassInstance(service) {
      GraphArena.make(thread).add(boxed(service), registration, nil)
    }
    return service
  }

  /// The instance itself if its declared type is a class, otherwise a box around it.
  @inline(__always)
  static func boxed<Service>(_ service: Service) -> AnyObject {
    Service.self is AnyClass
      ? unsafeBitCast(service, to: AnyObject.self) : StrongBox(service, onRelease: nil)
  }

  @inline(__always)
  static func unboxed<Service>(_ object: AnyObject, as type: Service.Type) -> Service {
    Service.self is AnyClass
      ? unsafeBitCast(object, to: Service.self)
      : unsafeDowncast(object, to: StrongBox<Service>.self).value
  }

  @inline(__always)
  static func isClassInstance<Service>(_ service: Service) -> Bool {
    Service.self is AnyClass || classInstance(service) != nil
  }
}

/// `Optional`, as far as a request for it can be answered by what it wraps.
private protocol AnswersOptionally {
  static func answer(_ request: Request, args: Any?, asked: Resolver) throws -> Any
}

extension Optional: AnswersOptionally {
  fileprivate static func answer(_ request: Request, args: Any?, asked: Resolver) throws -> Any {
    let inner = Request(
      Wrapped.self, name: request.name, property: request.property, location: request.location)
    let service: Wrapped? = try Engine.answer(inner, args: args, asked: asked)
    // An optional is always answered: with nil, if nothing is registered.
    return Optional<Wrapped?>.some(service) as Any
  }
}
