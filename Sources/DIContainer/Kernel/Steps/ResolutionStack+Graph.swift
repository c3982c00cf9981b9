internal import DIPrimitives

// The end of a thread's object graph, with its outermost step.

extension ResolutionStack {
  /// Ends a step of the thread's object graph, and the graph with its outermost one.
  @inline(__always)
  static func leave(_ thread: ThreadRecord, _ step: Step) {
    let parent = step.pointee.parent
    di_set_steps(thread, parent)
    if parent == nil { GraphArena.endGraph(thread) }
  }

  /// Ends a step whose factory has returned; the outermost one first runs what was put off.
  @inline(__always)
  static func leave(
    _ thread: ThreadRecord, _ step: Step,
    _ found: Registration, _ out: InstanceMemory, isBuilt: Bool
  ) throws {
    if step.pointee.parent == nil, GraphArena.isInUse(thread) {
      return try endGraph(thread, step, found, out, isBuilt: isBuilt)
    }
    leaveInner(thread, step)
  }

  @inline(never)
  private static func endGraph(
    _ thread: ThreadRecord, _ step: Step,
    _ found: Registration, _ out: InstanceMemory, isBuilt: Bool
  ) throws {
    defer { leave(thread, step) }
    guard GraphArena.hasPutOff(thread) else { return }
    if isBuilt, found.scope.keptBy == .objectGraph {
      found.share(out, thread)
    }
    do {
      try GraphArena.runPutOff(thread)
    } catch {
      if isBuilt { found.destroy(out) }
      throw error
    }
  }

  /// Ends the builds of the calling thread, which is abandoned.
  static func endBuilds() {
    for build in steps().compactMap(\.pointee.ownBuild) { build.end() }
    GraphArena.dropPutOff(di_thread_get())
  }
}
