internal import DIPrimitives

// Requests whose context is not what it should be: made by work that belongs to no test while
// sandboxes are open, or by work that outlived its test. Neither is ever answered silently.

extension ContextFrame {
  private static let openSandboxes = Lock<[ContextFrame]>([])
  private static let processUnscopedWork = Lock<Treatment?>(nil)

  /// How requests that belong to no test are treated where no sandbox says otherwise.
  package static var unscopedWork: Treatment {
    get { processUnscopedWork.withLock { $0 } ?? .warn }
    set { processUnscopedWork.withLock { $0 = newValue } }
  }

  func noteOpen() {
    guard kind == .sandbox else { return }
    Self.openSandboxes.withLock { $0.append(self) }
  }

  func noteEnd() {
    guard kind == .sandbox else { return }
    let last = Self.openSandboxes.withLock { open in
      open.lastIndex { $0 === self }.map { open.remove(at: $0) }
    }
    withExtendedLifetime(last) {}
  }

  /// The frame that a request is answered in, once what is wrong with it is reported.
  static func answering(_ request: UnsafePointer<Request>) -> ContextFrame? {
    if let frame = current {
      if let ended = frame.endedScope { ended.reportLate(request.pointee) }
      return frame
    }
    if isSettingUp { return nil }
    let open = openSandboxes.withLock { $0 }
    return open.isEmpty ? nil : unscoped(request.pointee, open)
  }

  /// The innermost scope around that has ended: the work that asks is late.
  package var endedScope: ContextFrame? {
    chain.first { $0.isScope && $0.hasEnded }
  }

  private var isScope: Bool { kind == .sandbox || kind == .root || kind == .layer }

  // Reported once for a resolution, not for all that it asks for.
  private func reportLate(_ request: Request) {
    let treatment = chain.lazy.compactMap(\.policy?.lateWork).first ?? .warn
    guard let severity = treatment.severity, ResolutionStack.isEmpty else { return }
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(request.key)` was resolved for a test that has ended.",
          facts: [
            ("test:", owner.name), ("opened:", "\(owner.location)"),
            ("requested:", "\(request.location)"), ("thread:", Self.threadText),
          ],
          fixes: [
            "Let the test wait for the work it starts: await it, or cancel it.",
            "Or let the sandbox wait for carried contexts: `.sandbox(drain: .seconds(1))`.",
          ]
        ).text, severity: severity, location: request.location))
  }

  private static func unscoped(_ request: Request, _ open: [ContextFrame]) -> ContextFrame? {
    guard let hooks = ProcessHooks.current, hooks.currentTest() == nil else { return nil }
    if let last = open.last, last.chain.contains(where: { $0.policy?.adoptsUnscopedWork ?? false }),
      open.allSatisfy({ frame in last.chain.contains { $0 === frame } })
    {
      return last
    }
    let treatments = open.flatMap { $0.chain.compactMap(\.policy?.unscopedWork) }
    let treatment: Treatment =
      treatments.contains(.fail)
      ? .fail : treatments.contains(.warn) ? .warn : treatments.first ?? unscopedWork
    if let severity = treatment.severity, ResolutionStack.isEmpty,
      open.last?.isFirstUnscoped(request) ?? false
    {
      // It is nobody's test: the scope opened last passes it on.
      open.last?.report(
        DiagnosticIssue(
          text: Diagnosis(
            headline:
              "`\(request.key)` was resolved by work that belongs to no test, "
              + "while a sandbox is open: it gets the live service.",
            facts: chainFacts(request) + [("thread:", threadText)]
              + open.map { ("open:", "\($0.owner.name), at \($0.owner.location)") },
            fixes: [
              "Carry the context there: `let context = ResolutionContext.current`, then "
                + "`context.run { … }`.",
              "Or wrap the closure: `queue.async(execute: ResolutionContext.carrying { … })`.",
            ]
          ).text, severity: severity, location: request.location))
    }
    return nil
  }

  /// A loop that belongs to no test is reported once, not once for every round.
  private func isFirstUnscoped(_ request: Request) -> Bool {
    extra(UnscopedRequests.self, orMake: { UnscopedRequests() }).insert(request)
  }

  private final class UnscopedRequests: Sendable {
    private let reported = Lock<Set<ChainLink>>([])

    func insert(_ request: Request) -> Bool {
      let link = ChainLink(key: request.key, location: request.location)
      return reported.withLock { $0.insert(link).inserted }
    }
  }

  private static var threadText: String { di_is_main_thread() ? "main" : "another than main" }
}
