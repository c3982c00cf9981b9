internal import DIPrimitives

// From a request to an instance. `Resolver.deliver` is the whole of the common case: nothing
// requires attention (or only async resolutions do, of which the task is no part), the container or
// a nested one has a plain registration, and either an instance is kept or the factory is called.
// All other requests (contexts, aliases, first requests for kept instances, recorders, errors) go
// through `Engine.deliver` in Engine.swift.
//
// Nothing here is generic: the public functions, which are inlinable, provide memory for the
// result, and code that knows the service's type (the factory, the box of a kept instance) copies
// it there. Generic code that is not specialised would look up metadata at every step.
//
// The cost of a plain request: the attention word, the thread's record, two writes to it (the read
// section), one probe of the table, a frame that records which factory runs. No reference is
// counted: the frame keeps the registration alive (di_frame.h).

extension Resolver {
  /// Puts the instance for a request into uninitialised memory.
  ///
  /// Returns false if nothing is registered or the factory returned nil.
  @usableFromInline @inline(__always)
  package func deliver(
    _ request: UnsafePointer<Request>, args: UnsafePointer<Any>?, to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    if Engine.isUndisturbed {
      let thread = di_thread_get()
      di_pin(thread)
      if let found = core.find(request) {
        let path = found._withUnsafeGuaranteedRef { $0.path }
        // No `switch`: a jump table is slow compared with a small service.
        if _fastPath(path == .unique) {
          return try Engine.make(found, thread, request, args, asked: self, to: out)
        }
        if path == .graph {
          // The outermost instance of a cycle is shared with no other service.
          return di_frames(thread) == nil
            ? try Engine.make(found, thread, request, args, asked: self, to: out)
            : try Engine.deliverShared(found, thread, request, args, asked: self, to: out)
        }
        if path == .kept {
          if found._withUnsafeGuaranteedRef({ Keeper.copyPinned($0.keptAt, to: out) }) {
            di_unpin(thread)
            return true
          }
        } else if path == .alias {
          if let isAnswered = try Engine.deliverAlias(
            found, thread, request, args, asked: self, to: out)
          {
            return isAnswered
          }
          return try Engine.deliver(request, args: args, asked: self, to: out)
        }
      }
      di_unpin(thread)
    }
    return try Engine.deliver(request, args: args, asked: self, to: out)
  }

  /// Copies a kept instance, wherever its factory runs, if the container's own table suffices; for
  /// async requests.
  ///
  /// Current async resolutions do not affect instances that already exist.
  @usableFromInline
  func copyKept(
    _ request: UnsafePointer<Request>, to out: UnsafeMutableRawPointer
  ) -> Bool {
    guard di_attention_is_async(di_attention_needed()) else { return false }
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    guard let found = core.find(request) else { return false }
    switch found._withUnsafeGuaranteedRef({ $0.path }) {
    case .kept, .awaited:
      return found._withUnsafeGuaranteedRef { Keeper.copyPinned($0.keptAt, to: out) }
    case .unique, .graph, .alias, .other: return false
    }
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
    if Engine.isUndisturbed, !di_root_is_assigned() {
      main.deliverOrTrap(request, args: nil, to: out)
    } else {
      started.deliverOrTrap(request, args: nil, to: out)
    }
  }

  @inline(never)
  private func trapUnanswered(_ request: UnsafePointer<Request>) -> Never {
    trap(Engine.failure(request.pointee, asked: self))
  }

  /// Returns the reason why a request failed.
  @usableFromInline
  package func failure(_ request: Request) -> ResolutionError {
    Engine.failure(request, asked: self)
  }

  /// Returns the kept instance for an async request, if the container's own table suffices.
  @inlinable @inline(__always)
  func kept<Service>(_ type: Service.Type, name: Name?, _ location: CodeLocation) -> Service? {
    Request.with(type, name: name, args: nil, location: location) { request, _, out in
      copyKept(request, to: UnsafeMutableRawPointer(out)) ? out.move() : nil
    }
  }

  /// Returns the instance for a request, or nil if nothing is registered or the factory returned
  /// nil.
  @inlinable @inline(__always)
  package func answer<Service>(
    _ type: Service.Type, name: Name?, args: Any?, location: CodeLocation
  ) throws -> Service? {
    try Request.with(type, name: name, args: args, location: location) { request, args, out in
      try deliver(request, args: args, to: UnsafeMutableRawPointer(out)) ? out.move() : nil
    }
  }
}

// Separate from the common case, whose registers they would take.
extension Engine {
  /// Puts an instance that the cycle shares into memory.
  ///
  /// Called in a read section, which it leaves.
  @inline(never)
  fileprivate static func deliverShared(
    _ found: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    try share(found, thread, request, args, asked: asked, to: out)
  }
}
