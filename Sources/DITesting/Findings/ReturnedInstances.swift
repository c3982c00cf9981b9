#if canImport(Testing) && canImport(XCTest)
import DIContainer

// The instances that a scope returned.

extension ContextFrame {
  private func makeReturned() -> InstanceLog {
    withNotes { notes in
      let log = notes.returned ?? InstanceLog()
      notes.returned = log
      return log
    }
  }

  /// Whether instances were noted in this frame or an enclosing one.
  var hasReturned: Bool { notes?.returned != nil || parent?.hasReturned ?? false }

  /// Notes an instance that is resolved.
  ///
  /// In recorded or strict scopes, to detect a double that is registered too late. In scopes that
  /// detect leaks, if it is a double or kept. Other scopes know only the instances that they keep.
  func noteReturned(
    _ object: AnyObject, of keptIn: Scope, _ core: ContainerCore, isDouble: Bool,
    _ request: Request
  ) {
    let requester = ResolutionStack.innermostKey
    let note = InstanceLog.Note(
      key: request.key, container: core.number, isDouble: isDouble,
      origin: RequestOrigin(location: request.location, requester: requester))
    let scope = containerFrame
    // A thread that a dry run abandoned holds its instances for good.
    let watch = dryRun != nil ? nil : testPolicies?.leakWatch
    // A test that replaces its own double knows which one it holds.
    if let scope, !isDouble || requester != nil {
      scope.makeReturned().add(object, note)
    }
    if let watch, isDouble || keptIn.usesKeepers {
      watch.add(object, note)
    }
  }
}
#endif
