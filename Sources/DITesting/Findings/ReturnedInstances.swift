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
  /// In recorded or strict scopes, to detect a double that is registered too late. Other scopes know
  /// only the instances that they keep.
  func noteReturned(
    _ object: AnyObject, _ core: ContainerCore, isDouble: Bool, _ request: Request
  ) {
    let requester = Chain.innermostKey
    let note = InstanceLog.Note(
      key: request.key, container: core.number, isDouble: isDouble,
      origin: RequestOrigin(location: request.location, requester: requester))
    // A test that replaces its own double knows which one it holds.
    if let scope = containerFrame, !isDouble || requester != nil {
      scope.makeReturned().add(object, note)
    }
  }
}
#endif
