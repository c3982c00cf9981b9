internal import DIPrimitives

// The current resolutions of a thread: a linked list of steps, innermost first, one around each
// call of a factory. It detects cycles and provides the chain of an error. The end of its outermost
// step is that of an object graph (ResolutionStack+Graph.swift).
//
// Files of the folder, each on those before it:
//
// - `ResolutionStack`: the steps of a thread;
// - `PutOff`: setters of properties that run later, as steps of their own;
// - `GraphArena`: the instances that a thread's object graph shares, and what it has put off;
// - `ResolutionStack+Graph`: the end of a graph with its outermost step;
// - `AsyncGraph` and `AsyncLink`: the same for a task, which puts its chain on the threads that
//   work for it;
// - `AsyncBuild`: builds by tasks, each for one link and all that wait for it;
// - `ResolutionStack+Current`: where the calling code stands, on a thread or in a task.

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

  static var isEmpty: Bool { di_steps(di_thread_get()) == nil }
}

// MARK: - Steps

extension ResolutionStack {
  /// Begins a step of the thread's object graph, before a factory is called.
  @inline(__always)
  static func enter(
    _ thread: ThreadRecord, _ registration: UInt64,
    _ request: Borrowed<Request>, hasArguments: Bool, build: Turn? = nil,
    event: UInt64 = 0
  ) throws -> Step {
    if di_stack_address() < thread.pointee.stack_limit { throw tooDeep(request) }
    let running = di_running(registration, hasArguments)
    let parent = di_steps(thread)
    var outer = parent
    while let ancestor = outer {
      if ancestor.pointee.running == running, !hasArguments {
        throw cycle(request, backTo: ancestor)
      }
      outer = ancestor.pointee.parent
    }
    let step = step(thread, after: parent, running: running, event: event, request, build: build)
    di_set_steps(thread, step)
    return step
  }

  /// Ends a step that is not known to be the graph's outermost one.
  @inline(__always)
  static func leaveInner(_ thread: ThreadRecord, _ step: Step) {
    di_set_steps(thread, step.pointee.parent)
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
    step.pointee.running = running
    return step
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
