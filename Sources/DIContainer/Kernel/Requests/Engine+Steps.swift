internal import DIPrimitives

// The steps of a thread's resolution cycle: the bookkeeping around each call of a factory.

extension Engine {
  /// Begins a step of the thread's resolution cycle, before a factory is called.
  ///
  /// `isReading`: whether the caller is in a read section, which the step leaves. Before that, the
  /// step records which factory runs, so that the registration stays alive until it ends
  /// (di_frame.h).
  @inline(__always)
  static func enter(
    _ thread: UnsafeMutablePointer<di_thread>, _ registration: UInt64,
    _ request: UnsafePointer<Request>, hasArguments: Bool, slot: UnsafeMutableRawPointer? = nil,
    event: UInt64 = 0, isReading: Bool = false
  ) throws -> UnsafeMutablePointer<di_frame> {
    if di_stack_address() < thread.pointee.stack_limit {
      if isReading { di_unpin(thread) }
      throw tooDeep(request)
    }
    let running = di_running(registration, hasArguments)
    let parent = di_frames(thread)
    var outer = parent
    while let ancestor = outer {
      if ancestor.pointee.running == running, !hasArguments {
        if isReading { di_unpin(thread) }
        throw cycle(request, backTo: ancestor)
      }
      outer = ancestor.pointee.parent
    }
    let step = di_frame_after(thread, parent)
    step.pointee.slot = slot
    step.pointee.event = event
    step.pointee.requested = UnsafeRawPointer(request)
    di_frame_run(step, running)
    di_set_frames(thread, step)
    if isReading { di_unpin(thread) }
    return step
  }

  /// Ends a step of the thread's resolution cycle.
  @inline(__always)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_frame>
  ) {
    let parent = step.pointee.parent
    di_set_frames(thread, parent)
    if parent == nil { GraphArena.endCycle(thread) }
    if di_frame_was_left_something(step) { di_frame_let_go(step) }
  }

  /// Calls a registration's factory as a step of the thread's resolution cycle.
  ///
  /// Called in a read section, which it leaves.
  @inline(__always)
  static func make(
    _ found: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let step = try enter(
      thread, found._withUnsafeGuaranteedRef { $0.id }, request, hasArguments: args != nil,
      isReading: true)
    let isBuilt: Bool
    do {
      isBuilt = try found._withUnsafeGuaranteedRef { try $0.build(out, asked, args) }
    } catch {
      throw leave(thread, step, request, in: asked.core, after: error)
    }
    try leave(thread, step, found, out, isBuilt: isBuilt)
    return isBuilt
  }

  /// Ends a step whose factory has returned; the outermost one first sets deferred properties.
  @inline(__always)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_frame>,
    _ found: Unmanaged<Registration>, _ out: UnsafeMutableRawPointer, isBuilt: Bool
  ) throws {
    let parent = step.pointee.parent
    if parent == nil, GraphArena.isInUse(thread) {
      return try endCycle(thread, step, found, out, isBuilt: isBuilt)
    }
    di_set_frames(thread, parent)
    if di_frame_was_left_something(step) { di_frame_let_go(step) }
  }

  @inline(never)
  private static func endCycle(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_frame>,
    _ found: Unmanaged<Registration>, _ out: UnsafeMutableRawPointer, isBuilt: Bool
  ) throws {
    defer { leave(thread, step) }
    guard GraphArena.hasPutOff(thread) else { return }
    if isBuilt, found._withUnsafeGuaranteedRef({ $0.scope.kind == .graph }) {
      share(found, out, thread)
    }
    do {
      try GraphArena.setPutOff(thread)
    } catch {
      if isBuilt { found._withUnsafeGuaranteedRef { $0.destroy(out) } }
      throw error
    }
  }

  /// Runs several resolutions as one cycle, or as part of the current one.
  static func inOneCycle<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = di_thread_get()
    if di_frames(thread) != nil { return try body() }
    let step = di_frame_after(thread, nil)
    (step.pointee.slot, step.pointee.event, step.pointee.requested) = (nil, 0, nil)
    di_frame_run(step, 0)
    di_set_frames(thread, step)
    defer { leave(thread, step) }
    let result = try body()
    try GraphArena.setPutOff(thread)
    return result
  }

  /// Ends a step whose factory threw; returns the error as one of the kernel's.
  @inline(never)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_frame>,
    _ request: UnsafePointer<Request>, in core: ContainerCore, after error: any Error
  ) -> any Error {
    let frame = ContextFrame.current
    var found = Lookup.find(RawKey(request), in: core, frame)?.registration
    while let target = found?.aliasTarget {
      found = Lookup.find(target.rawKey, in: core, frame)?.registration
    }
    let error = described(error, request, registeredAt: found?.location)
    leave(thread, step)
    return error
  }

  // Separate, so that the path of all requests has a small stack frame.

  @inline(never)
  private static func tooDeep(_ request: UnsafePointer<Request>) -> any Error {
    ResolutionError.tooDeep(request.pointee)
  }

  @inline(never)
  private static func cycle(
    _ request: UnsafePointer<Request>, backTo frame: UnsafeMutablePointer<di_frame>
  ) -> any Error {
    ResolutionError.cycle(request.pointee, backTo: frame)
  }

  /// Returns the error of a factory as one of the kernel's.
  @inline(never)
  static func described(
    _ error: any Error, _ request: UnsafePointer<Request>, registeredAt location: CodeLocation?
  ) -> any Error {
    error is ResolutionError
      ? error
      : ResolutionError.factoryFailed(error, request.pointee, registeredAt: location)
  }

  /// Puts the cycle's shared instance into memory, or calls the factory and shares the new one.
  ///
  /// Called in a read section, which it leaves.
  @inline(__always)
  static func share(
    _ found: Unmanaged<Registration>, _ thread: UnsafeMutablePointer<di_thread>,
    _ request: UnsafePointer<Request>, _ args: UnsafePointer<Any>?, asked: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    // The outermost instance of a cycle is shared with no other service.
    let isOutermost = di_frames(thread) == nil
    let id = found._withUnsafeGuaranteedRef { $0.id }
    if !isOutermost, GraphArena.copy(id, to: out, thread) {
      di_unpin(thread)
      return true
    }
    let step = try enter(thread, id, request, hasArguments: args != nil, isReading: true)
    let isBuilt: Bool
    do {
      isBuilt = try found._withUnsafeGuaranteedRef { try $0.build(out, asked, args) }
    } catch {
      throw leave(thread, step, request, in: asked.core, after: error)
    }
    if isBuilt, !isOutermost { share(found, out, thread) }
    try leave(thread, step, found, out, isBuilt: isBuilt)
    return isBuilt
  }

  /// Shares a new instance with the rest of the cycle, before its step ends.
  @inline(__always)
  static func share(
    _ found: Unmanaged<Registration>, _ out: UnsafeMutableRawPointer,
    _ thread: UnsafeMutablePointer<di_thread>
  ) {
    found._withUnsafeGuaranteedRef {
      $0.share(out, thread, values: $0.options.sharesValues)
    }
  }
}
