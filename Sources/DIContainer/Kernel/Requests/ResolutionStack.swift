internal import DIPrimitives

// The current resolutions of a thread: a linked list of steps, innermost first, one around each
// call of a factory. It detects circles, provides the chain of an error, and marks the end of a
// resolution cycle.

extension di_step {
  /// The request of the step, in memory of its caller, which still waits for the result.
  ///
  /// It is nil for a step that groups several requests.
  var asked: UnsafePointer<Request>? { requested?.assumingMemoryBound(to: Request.self) }
}

enum ResolutionStack {
  /// Returns the current resolutions of a thread, innermost first.
  static func steps(
    of thread: UnsafeMutablePointer<di_thread> = di_thread_get()
  ) -> some Sequence<UnsafeMutablePointer<di_step>> {
    sequence(state: di_steps(thread)) { next in
      defer { next = next?.pointee.parent }
      return next
    }
  }

  /// Returns the chain of a thread, outermost first, from the innermost resolution that satisfies a
  /// predicate on.
  static func chain(
    of thread: UnsafeMutablePointer<di_thread>,
    from fits: (UnsafeMutablePointer<di_step>) -> Bool
  ) -> [ChainLink] {
    var links: [ChainLink] = []
    for step in steps(of: thread) {
      if let asked = step.pointee.asked { links.append(asked.pointee.chainLink) }
      if fits(step) { break }
    }
    return links.reversed()
  }

  /// Returns the chain of a thread, outermost first, from the resolution that builds
  /// for `keeper` on.
  static func chain(
    of thread: UnsafeMutablePointer<di_thread>, from keeper: UnsafeMutableRawPointer
  ) -> [ChainLink] {
    chain(of: thread) { $0.pointee.keeper == keeper }
  }

  /// The chain of the calling thread, outermost first.
  static var current: [ChainLink] { chain(of: di_thread_get()) { _ in false } }

  /// Returns the event of the innermost resolution of a thread that has one, or 0.
  @inline(__always)
  static func innermostEvent(_ thread: UnsafeMutablePointer<di_thread>) -> UInt64 {
    var next = di_steps(thread)
    while let step = next {
      if step.pointee.event != 0 { return step.pointee.event }
      next = step.pointee.parent
    }
    return 0
  }

  static var isEmpty: Bool { di_steps(di_thread_get()) == nil }
}

// MARK: - Steps

extension ResolutionStack {
  /// Begins a step of the thread's resolution cycle, before a factory is called.
  ///
  /// `isReading`: whether the caller is in a read section, which the step leaves. Before that, the
  /// step records which factory runs, so that the registration stays alive until it ends
  /// (di_step.h).
  @inline(__always)
  static func enter(
    _ thread: UnsafeMutablePointer<di_thread>, _ registration: UInt64,
    _ request: UnsafePointer<Request>, hasArguments: Bool, keeper: UnsafeMutableRawPointer? = nil,
    event: UInt64 = 0, isReading: Bool = false
  ) throws -> UnsafeMutablePointer<di_step> {
    if di_stack_address() < thread.pointee.stack_limit {
      if isReading { di_unpin(thread) }
      throw tooDeep(request)
    }
    let running = di_running(registration, hasArguments)
    let parent = di_steps(thread)
    var outer = parent
    while let ancestor = outer {
      if ancestor.pointee.running == running, !hasArguments {
        if isReading { di_unpin(thread) }
        throw cycle(request, backTo: ancestor)
      }
      outer = ancestor.pointee.parent
    }
    let step = di_step_after(thread, parent)
    step.pointee.keeper = keeper
    step.pointee.event = event
    step.pointee.requested = UnsafeRawPointer(request)
    di_step_run(step, running)
    di_set_steps(thread, step)
    if isReading { di_unpin(thread) }
    return step
  }

  /// Ends a step of the thread's resolution cycle.
  @inline(__always)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_step>
  ) {
    let parent = step.pointee.parent
    di_set_steps(thread, parent)
    if parent == nil { GraphArena.endCycle(thread) }
    if di_step_has_left(step) { di_step_release_left(step) }
  }

  /// Ends a step whose factory has returned; the outermost one first sets deferred properties.
  @inline(__always)
  static func leave(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_step>,
    _ found: Unmanaged<Registration>, _ out: UnsafeMutableRawPointer, isBuilt: Bool
  ) throws {
    let parent = step.pointee.parent
    if parent == nil, GraphArena.isInUse(thread) {
      return try endCycle(thread, step, found, out, isBuilt: isBuilt)
    }
    di_set_steps(thread, parent)
    if di_step_has_left(step) { di_step_release_left(step) }
  }

  @inline(never)
  private static func endCycle(
    _ thread: UnsafeMutablePointer<di_thread>, _ step: UnsafeMutablePointer<di_step>,
    _ found: Unmanaged<Registration>, _ out: UnsafeMutableRawPointer, isBuilt: Bool
  ) throws {
    defer { leave(thread, step) }
    guard GraphArena.hasPutOff(thread) else { return }
    if isBuilt, found._withUnsafeGuaranteedRef({ $0.scope.kind == .graph }) {
      found._withUnsafeGuaranteedRef { $0.share(out, thread) }
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
    if di_steps(thread) != nil { return try body() }
    let step = di_step_after(thread, nil)
    (step.pointee.keeper, step.pointee.event, step.pointee.requested) = (nil, 0, nil)
    di_step_run(step, 0)
    di_set_steps(thread, step)
    defer { leave(thread, step) }
    let result = try body()
    try GraphArena.setPutOff(thread)
    return result
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

  // Separate, so that the path of all requests has a small stack frame.

  @inline(never)
  private static func tooDeep(_ request: UnsafePointer<Request>) -> any Error {
    ResolutionError.tooDeep(request.pointee)
  }

  @inline(never)
  private static func cycle(
    _ request: UnsafePointer<Request>, backTo step: UnsafeMutablePointer<di_step>
  ) -> any Error {
    ResolutionError.cycle(request.pointee, backTo: step)
  }
}
