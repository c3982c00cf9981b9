// Where the calling code stands, on a thread or in a task. While a thread works for an async
// resolution, its steps begin with that one's chain (`AsyncLink.onThread`): so only code on a
// thread without steps has to look at its task's.

extension Chain {
  /// The requests that the calling code works for, outermost first.
  package static var currentLinks: [ChainLink] {
    let chain = current
    return chain.steps.isEmpty ? AsyncLink.current?.chain ?? [] : chain.links()
  }

  /// Whether the calling thread works for no resolution.
  static var isEmpty: Bool { current.steps.isEmpty }

  /// The key of the innermost request, whose factory runs.
  package static var innermostKey: ServiceKey? {
    guard let step = current.steps.last else { return AsyncLink.current?.request.key }
    return step.request?.pointee.key
  }

  /// The event of the innermost resolution that has one, or 0.
  static var currentEvent: UInt64 {
    let steps = current.steps
    if steps.isEmpty { return AsyncLink.current?.innermostEvent ?? 0 }
    return steps.last { $0.event != 0 }?.event ?? 0
  }

  /// The registrations whose instances are being built.
  static var registrations: Set<UInt64> {
    let steps = current.steps
    return Set(
      steps.isEmpty
        ? AsyncLink.current?.registrations ?? [] : steps.map(\.subject.registration))
  }

  /// Runs several resolutions as one graph, or as part of the current one.
  static func asOneGraph<Result>(_ body: () throws -> Result) throws -> Result {
    let chain = current
    if !chain.steps.isEmpty { return try body() }
    if let link = AsyncLink.current { return try link.onThread(body) }
    chain.steps.append(
      Step(
        subject: Subject(registration: 0), hasArguments: true, request: nil, event: 0, build: nil))
    defer { chain.leave() }
    let result = try body()
    try chain.runPutOff()
    return result
  }
}
