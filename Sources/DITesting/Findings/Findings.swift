#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Foundation

/// The findings about tests: a double that was never resolved or came too late, a live service in a
/// strict scope, work that outlived its test, a change to the process.
///
/// Each function of the kernel's delegate leads to the file that makes the finding.
final class Findings: TestDelegate {
  // MARK: Requests

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

  func noteLate(_ request: Request, container: Resolver, in frame: ContextFrame) {
    if request.isToBeReported(container: container, frame) { frame.endedScope?.reportLate(request) }
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

  func noteLive(
    _ registration: Registration, of core: ContainerCore, _ request: Request, isWrapped: Bool,
    in frame: ContextFrame
  ) {
    frame.noteLive(registration, of: core, request, isWrapped: isWrapped)
  }

  func noteReturned(
    _ instance: AnyObject, of registration: Registration, _ core: ContainerCore, isDouble: Bool,
    _ request: Request, in frame: ContextFrame
  ) {
    frame.noteReturned(instance, of: registration.scope, core, isDouble: isDouble, request)
  }

  func noteKept(
    _ registration: Registration, for request: Request, requestedBy requester: ServiceKey?,
    in caches: ContextFrame
  ) {
    let first = RequestOrigin(location: request.location, requester: requester)
    caches.withNotes { $0.firstRequests[DoublePlace(registration)] = first }
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

  // MARK: Registrations

  func willStore(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService?,
    in frame: ContextFrame
  ) -> (() -> Void)? {
    guard let late = frame.lateDouble(registration, in: core, for: declared) else { return nil }
    return { late.scope.add(late.finding) }
  }

  func didStore(_ registration: Registration, in core: ContainerCore, under frame: ContextFrame) {
    frame.noteHidden(registration, in: core)
  }

  func didChange(
    _ registration: Registration, in core: ContainerCore, _ frame: ContextFrame?, isOfLayer: Bool
  ) {
    if frame == nil, !ProcessHooks.current.knowsTest, ContextFrame.isAnySandboxOpen {
      return ContextFrame.noteUnscoped(registration, in: core)
    }
    ProcessChange.note(registration, in: core, frame, isOfLayer: isOfLayer)
  }

  // MARK: Containers

  func didMake(_ core: ContainerCore) {
    if let test = ProcessHooks.current.runningTest {
      core.change(RunningTest.self) { $0 = test }
    }
  }

  func didNest(_ child: ContainerCore, in core: ContainerCore, at location: CodeLocation) {
    ProcessChange.note(child: child, of: core, at: location)
  }

  func willReset(
    _ core: ContainerCore, of present: [Registration],
    repeating setUp: [Registration.RepeatedSetUp], at location: CodeLocation
  ) {
    ProcessChange.noteReset(of: core, taking: present, repeating: setUp, at: location)
  }

  func willReplaceRoot(_ old: Resolver, with new: Resolver) { RootSwap.note(from: old, to: new) }

  func willReplaceShared(
    _ name: String, _ old: AnyObject?, with new: AnyObject?,
    present: @escaping @Sendable () -> AnyObject?
  ) {
    ProcessChange.noteSwap(of: name, from: old, to: new, present: present)
  }

  func didResetRoot() { RootSwap.forget() }

  // MARK: Frames

  func willRelease(_ view: ContextFrame.View, of frame: ContextFrame) {
    frame.noteUnused(view.registry.all(), in: view.core)
  }

  func willClose(_ sandbox: ContextFrame) { sandbox.noteLosses() }

  func didRecord(in frame: ContextFrame) { ForgottenLayers.report(on: frame) }

  func didEnd(_ frame: ContextFrame) { frame.reportUnscopedNotes() }

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
