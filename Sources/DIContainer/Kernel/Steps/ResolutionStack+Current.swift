internal import DIPrimitives

// Where the calling code stands, on a thread or in a task. While a thread works for an async
// resolution, its steps begin with that one's chain (`AsyncLink.onThread`): so only code on a
// thread without steps has to look at its task's.

extension ResolutionStack {
  /// The chain of the calling code, outermost first.
  package static var current: [ChainLink] {
    isEmpty ? AsyncLink.current?.chain ?? [] : chain(of: di_thread_get()) { _ in false }
  }

  /// The key of the innermost request, whose factory runs.
  package static var innermostKey: ServiceKey? {
    guard let step = di_steps(di_thread_get()) else { return AsyncLink.current?.request.key }
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
        ? AsyncLink.current?.registrations ?? [] : steps().map { $0.pointee.running >> 1 })
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
    try GraphArena.runPutOff(thread)
    return result
  }
}
