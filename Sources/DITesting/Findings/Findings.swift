#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// The findings about tests: a double that was never resolved or came too late, a live service in a
/// strict scope, work that outlived its test, a change to the process.
///
/// Each event leads to the file that makes the finding.
final class Findings: TestDelegate {
  var unboundFrame: ContextFrame? { ContextFrame.unboundWorkScope?.frame }

  // Work that an earlier test left behind is no part of a test, and does not run on the main
  // thread, where XCTest runs one test after the other.
  var isInRunningTest: Bool {
    let hooks = ProcessHooks.current
    return hooks.knowsTest || hooks.runsOneTestAtATime() && Thread.isMainThread
  }

  func frame(forUnbound request: Request, container: Resolver) -> ContextFrame? {
    guard let scope = ContextFrame.unboundWorkScope else {
      ContextFrame.noteUnscoped(request, container)
      return nil
    }
    scope.note(request, container)
    return scope.frame
  }

  func fallback(
    for request: Request, of core: ContainerCore, in frame: ContextFrame
  ) -> FallbackDouble? {
    frame.fallback(for: request, of: core)
  }

  func fallbackNeedsMain(
    _ key: ServiceKey, of core: ContainerCore, in frame: ContextFrame
  ) -> Bool {
    frame.fallbackNeedsMain(key, of: core)
  }

  func advice(onMissing request: Request, container: Resolver) -> [ResolutionError.Circumstance] {
    let loss = container.core.loss(of: request.key)
    let shared = container.core.sharedVariableNotes(request.key)
    let fixes = [
      shared.isEmpty ? nil : ContainerCore.sharedVariableFix,
      loss == nil ? nil : SandboxLoss.fix,
      TestListing.mayBeMakingTestCases ? TestListing.fix : nil,
    ]
    return (loss?.notes ?? shared).map { .note($0) }
      + fixes.compactMap { $0.map { .fix($0) } }
  }

  func willStore(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService?,
    in frame: ContextFrame
  ) -> (() -> Void)? {
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
    case .returned(let instance, let core, let isDouble, let request, let frame):
      frame.noteReturned(instance, core, isDouble: isDouble, request)
    case .kept(let registration, let request, let requester, let frame):
      let first = RequestOrigin(location: request.location, requester: requester)
      frame.withNotes { $0.firstRequests[DoublePlace(registration)] = first }

    case .stored(let registration, let core, let frame):
      frame.noteHidden(registration, in: core)
    case .changed(let registration, let core, let frame, let isOfLayer):
      if frame == nil, !ProcessHooks.current.knowsTest, ContextFrame.isAnySandboxOpen {
        return ContextFrame.noteUnscoped(registration, in: core)
      }
      ProcessChange.note(registration, in: core, frame, isOfLayer: isOfLayer)

    case .made(let core):
      if let test = ProcessHooks.current.runningTest {
        core.change(RunningTest.self) { $0 = test }
      }
    case .nested(let child, let core, let location):
      ProcessChange.note(child: child, of: core, at: location)
    case .willReset(let core, let present, let setUp, let location):
      ProcessChange.noteReset(of: core, taking: present, repeating: setUp, at: location)
    case .willReplaceRoot(let old, let new): RootSwap.note(from: old, to: new)
    case .willReplaceShared(let name, let old, let new, let present):
      ProcessChange.noteSwap(of: name, from: old, to: new, present: present)
    case .didResetRoot: RootSwap.forget()

    case .willRelease(let view, let frame): frame.noteUnused(view.registry.all(), in: view.core)
    case .willClose(let sandbox): sandbox.noteLosses()
    case .didRecord(let frame): ForgottenLayers.report(on: frame)
    case .didEnd(let frame): frame.reportUnscopedNotes()
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
