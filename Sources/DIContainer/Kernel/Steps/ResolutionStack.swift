internal import DIPrimitives

// The current resolutions of a thread: a linked list of steps, innermost first, one around each
// call of a factory. It detects cycles, provides the chain of an error, and marks the end of
// an object graph. While a thread works for an async resolution, its list begins with that one's
// chain (`AsyncLink.onThread`): so only code on a thread without steps has to look at its task's.

/// One of the current resolutions of a thread (di_step.h).
typealias Step = UnsafeMutablePointer<di_step>

extension di_step {
  /// The request of the step, in memory of its caller, which still waits for the result.
  ///
  /// It is nil for a step that groups several requests.
  var request: Borrowed<Request>? {
    get { requested.map { Borrowed($0.assumingMemoryBound(to: Request.self)) } }
    set { requested = newValue.map { UnsafeRawPointer($0.address) } }
  }

  /// The build of a keeper's instance, if the resolution is one; its builder holds it.
  var ownBuild: Turn? {
    get { build.map { Unmanaged.fromOpaque($0).takeUnretainedValue() } }
    set { build = newValue.map { Unmanaged.passUnretained($0).toOpaque() } }
  }
}

package enum ResolutionStack {
  /// Returns the current resolutions of a thread, innermost first.
  static func steps(of thread: ThreadRecord = di_thread_get()) -> some Sequence<Step> {
    sequence(state: di_steps(thread)) { next in
      defer { next = next?.pointee.parent }
      return next
    }
  }

  /// Returns the chain of a thread, outermost first, from the innermost resolution that satisfies a
  /// predicate on.
  static func chain(of thread: ThreadRecord, from fits: (Step) -> Bool) -> [ChainLink] {
    var links: [ChainLink] = []
    for step in steps(of: thread) {
      if let request = step.pointee.request { links.append(request.value.chainLink) }
      if fits(step) { break }
    }
    return links.reversed()
  }

  /// Returns the chain of a cycle of turns, of which the calling thread owns the last.
  ///
  /// The steps of the other threads do not change, for these sleep until the caller goes on.
  static func chain(through turns: [Turn]) -> [ChainLink] {
    let parts = turns.map { turn in
      chain(of: turn.thread) { $0.pointee.ownBuild === turn }
    }
    return parts.last! + parts.dropLast().flatMap { $0 }
  }

  /// Ends the builds of the calling thread, which is abandoned.
  static func endBuilds() {
    for build in steps().compactMap(\.pointee.ownBuild) { build.end() }
    GraphArena.dropPutOff(di_thread_get())
  }

  static var isEmpty: Bool { di_steps(di_thread_get()) == nil }
}

// MARK: - Where the calling code stands, on a thread or in a task

extension ResolutionStack {
  /// The chain of the calling code, outermost first.
  package static var current: [ChainLink] {
    isEmpty ? AsyncLink.current?.chain ?? [] : chain(of: di_thread_get()) { _ in false }
  }

  /// Whether the calling code works for no resolution.
  static var isIdle: Bool { isEmpty && AsyncLink.current == nil }

  /// The key of the innermost request, whose factory runs.
  package static var innermostKey: ServiceKey? {
    guard let step = di_steps(di_thread_get()) else { return AsyncLink.current?.request?.key }
    return step.pointee.request?.value.key
  }

  /// The event of the innermost resolution that has one, or 0.
  static var currentEvent: UInt64 {
    if isEmpty { return AsyncLink.current?.innermostEvent ?? 0 }
    return steps().first { $0.pointee.event != 0 }?.pointee.event ?? 0
  }

  /// The property whose factory runs, if one does.
  static var currentProperty: DeclaredProperty? {
    guard let step = di_steps(di_thread_get()) else { return AsyncLink.current?.declared }
    return step.pointee.request?.value.declared
  }

  /// The registrations whose instances are being built.
  static var registrations: Set<UInt64> {
    Set(
      isEmpty
        ? AsyncLink.current?.registrations ?? [] : steps().map { di_running_registration($0) })
  }
}

// MARK: - Steps

extension ResolutionStack {
  /// Begins a step of the thread's object graph, before a factory is called.
  ///
  /// `isReading`: whether the caller is in a read section, which the step leaves. Before that, the
  /// step records which factory runs, so that the registration stays alive until it ends
  /// (di_step.h).
  @inline(__always)
  static func enter(
    _ thread: ThreadRecord, _ registration: UInt64,
    _ request: Borrowed<Request>, hasArguments: Bool, build: Turn? = nil,
    event: UInt64 = 0, isReading: Bool = false
  ) throws -> Step {
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
    let step = step(thread, after: parent, running: running, event: event, request, build: build)
    di_set_steps(thread, step)
    if isReading { di_unpin(thread) }
    return step
  }

  /// Ends a step of the thread's object graph.
  @inline(__always)
  static func leave(_ thread: ThreadRecord, _ step: Step) {
    let parent = step.pointee.parent
    di_set_steps(thread, parent)
    if parent == nil { GraphArena.endGraph(thread) }
    if di_step_has_left(step) { di_step_release_left(step) }
  }

  /// Ends a step whose factory has returned; the outermost one first sets deferred properties.
  @inline(__always)
  static func leave(
    _ thread: ThreadRecord, _ step: Step,
    _ found: BorrowedRegistration, _ out: InstanceMemory, isBuilt: Bool
  ) throws {
    let parent = step.pointee.parent
    if parent == nil, GraphArena.isInUse(thread) {
      return try endGraph(thread, step, found, out, isBuilt: isBuilt)
    }
    di_set_steps(thread, parent)
    if di_step_has_left(step) { di_step_release_left(step) }
  }

  @inline(never)
  private static func endGraph(
    _ thread: ThreadRecord, _ step: Step,
    _ found: BorrowedRegistration, _ out: InstanceMemory, isBuilt: Bool
  ) throws {
    defer { leave(thread, step) }
    guard GraphArena.hasPutOff(thread) else { return }
    if isBuilt, found.read({ $0.scope.keptBy == .objectGraph }) {
      found.read { $0.share(out, thread) }
    }
    do {
      try GraphArena.setPutOff(thread)
    } catch {
      if isBuilt { found.read { $0.destroy(out) } }
      throw error
    }
  }

  /// Returns a step to put on a thread's chain, without the checks of `enter`.
  @inline(__always)
  static func step(
    _ thread: ThreadRecord, after parent: Step?, running: UInt64, event: UInt64,
    _ request: Borrowed<Request>?, build: Turn? = nil
  ) -> Step {
    let step = di_step_after(thread, parent)
    step.pointee.ownBuild = build
    step.pointee.event = event
    step.pointee.request = request
    di_step_run(step, running)
    return step
  }

  /// Runs several resolutions as one graph, or as part of the current one.
  static func asOneGraph<Result>(_ body: () throws -> Result) throws -> Result {
    let thread = di_thread_get()
    if di_steps(thread) != nil { return try body() }
    if let link = AsyncLink.current { return try link.onThread(body) }
    let step = step(thread, after: nil, running: 0, event: 0, nil)
    di_set_steps(thread, step)
    defer { leave(thread, step) }
    let result = try body()
    try GraphArena.setPutOff(thread)
    return result
  }

  /// Returns the error of a factory as one of the kernel's.
  @inline(never)
  static func described(
    _ error: any Error, _ request: Request, registeredAt location: CodeLocation?
  ) -> any Error {
    error is ResolutionError
      ? error
      : ResolutionError.factoryFailed(error, request, registeredAt: location)
  }

  // Separate, so that the path of all requests has a small stack frame.

  @inline(never)
  private static func tooDeep(_ request: Borrowed<Request>) -> any Error {
    ResolutionError(.tooDeep, request.value)
  }

  @inline(never)
  private static func cycle(_ request: Borrowed<Request>, backTo step: Step) -> any Error {
    ResolutionError.cycle(request.value, through: chain(of: di_thread_get()) { $0 == step })
  }
}
