#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The findings about tests: a double that was never resolved or came too late, a live service in a
/// strict scope, work that outlived its test, a change to the process.
///
/// Each event leads to the file that makes the finding.
final class Findings: TestDelegate {
  var unboundFrame: ContextFrame? { ContextFrame.unboundWorkFrame }

  func frame(forUnbound request: Request, container: Resolver) -> ContextFrame? {
    let frame = ContextFrame.unboundWorkFrame
    if frame?.sandbox != nil { return frame }
    if frame == nil, let frame = self.frame(refusing: request, container: container) {
      return frame
    }
    ContextFrame.noteUnscoped(request, container, in: frame)
    return frame
  }

  func refuse(
    _ request: Request, for boundary: Registration, of core: ContainerCore, in frame: ContextFrame
  ) -> FallbackDouble? {
    frame.noteRefused(request, for: boundary, of: core)
    return frame.fallback(for: request, of: core, from: \.standIns)
  }

  func fallback(
    for request: Request, of core: ContainerCore, in frame: ContextFrame
  ) -> FallbackDouble? {
    frame.fallback(for: request, of: core)
  }

  func advice(onMissing request: Request, container: Resolver) -> [ResolutionError.Circumstance] {
    let frame = ContextFrame.current
    frame?.noteFailed(request)
    let loss = container.core.loss(of: request.key)
    return (loss?.circumstances ?? []) + (container.core.leftOut(request.key).map { [$0] } ?? [])
      + (frame?.testFacts(besides: request).map { .note("the test: \($0.1)") } ?? [])
      + (PlannedWork.isCurrent ? [.fix(PlannedWork.missingFix)] : [])
  }

  func willStore(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService?,
    in frame: ContextFrame
  ) -> (() -> Void)? {
    frame.noteRegistered(registration, in: core)
    frame.reportReplaced(by: registration, in: core)
    guard let late = frame.lateDouble(registration, in: core, for: declared) else { return nil }
    return { late.scope.add(late.finding) }
  }

  func note(_ event: TestEvent) {
    switch event {
    case .late(let request, let container, let frame):
      guard request.isToBeReported(container: container, frame) else { break }
      frame.endedFrame?.reportLate(request)
    case .live(let registration, let core, let request, let isWrapped, let frame):
      frame.noteLive(registration, of: core, request, isWrapped: isWrapped)

    case .stored(let registration, let core, let frame):
      frame.noteHidden(registration, in: core)
    case .changed(let registration, let core, let frame, let isOfLayer):
      if frame == nil, !ProcessHooks.current.isInTest(), ContextFrame.isAnySandboxOpen {
        return ContextFrame.noteUnscoped(registration, in: core)
      }
      ProcessChange.note(registration, in: core, isOfLayer: isOfLayer)

    case .made(let core):
      let listing = PlannedWork.mayBeListing ? RunningTest.listing : nil
      if let test = ProcessHooks.current.runningTest ?? listing {
        core.change(RunningTest.self) { $0 = test }
      }
    case .nested(let child, let core, let location):
      ProcessChange.note(child: child, of: core, at: location)
    case .willReset(let core, let present, let location):
      ProcessChange.noteReset(of: core, taking: present, at: location)
    case .willReplaceRoot(let old, let new): RootSwap.note(from: old, to: new)
    case .willReplaceShared(let name, let old, let new):
      ProcessChange.noteSwap(of: name, from: old, to: new)
    case .didResetRoot: RootSwap.forget()

    case .willRelease(let view, let frame):
      frame.noteUnused(OwnRegistration.all(in: view.registry, of: view.core))
    case .willClose(let sandbox): sandbox.noteLosses()
    case .didEnd(let frame):
      frame.reportUnscoped()
      // What work on another thread found while the scope was being closed.
      frame.reportNoted()
    }
  }

  func report(_ issue: DiagnosticIssue) { ProcessHooks.current.report(issue) }
}

extension ProcessHooks {
  /// Sets the hooks, unless they are set, and makes the kernel call the findings.
  static func bind(_ hooks: ProcessHooks) {
    set(hooks)
    Tests.install(Findings())
  }
}
#endif
