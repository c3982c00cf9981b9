internal import DIPrimitives

/// Notes about instances that a sandbox has returned, each kept as long as the instance is alive.
///
/// The instances are not kept alive.
package final class InstanceLog: Sendable {
  /// The properties of a noted instance.
  package struct Note: Sendable, Hashable {
    package let key: ServiceKey
    package let isDouble: Bool
    /// The service whose factory requested it, if any.
    package let requestedBy: ServiceKey?
    package let requestedAt: CodeLocation
  }

  private struct ID: Hashable {
    let address: ObjectIdentifier
    let key: ServiceKey
  }

  private struct Noted {
    weak var object: AnyObject?
    let number: Int
    let note: Note
  }

  private struct Log {
    var noted = PruningTable<ID, Noted>()
    var last = 0
  }

  private let state = Lock(Log())

  package init() {}

  /// Notes an instance, unless it is noted already.
  func add(
    _ object: AnyObject, _ request: UnsafePointer<Request>, isDouble: Bool,
    requestedBy requester: ServiceKey?
  ) {
    let id = ID(address: ObjectIdentifier(object), key: request.key)
    let note = Note(
      key: request.key, isDouble: isDouble, requestedBy: requester,
      requestedAt: request.pointee.location)
    // A strong reference made from a weak one may turn out to be the last: those to other instances
    // than the caller's leave the lock before they are released.
    let others = state.withLock { state -> [AnyObject] in
      // At an equal address, the instance is the caller's, or deallocated.
      if state.noted[id]?.object != nil { return [] }
      state.last += 1
      return state.noted.add(
        Noted(object: object, number: state.last, note: note), for: id, evidence: \.object
      ).held
    }
    withExtendedLifetime(others) {}
  }

  /// The notes about instances that are still alive, in order.
  package var alive: [Note] {
    // As in `add`.
    let known = state.withLock { state in
      state.noted.all.map { (object: $0.object, entry: $0) }
    }
    return known.filter { $0.object != nil }.map(\.entry).sorted { $0.number < $1.number }
      .map(\.note)
  }
}

extension ContextFrame {
  private func makeHandedOut() -> InstanceLog {
    withNotes { state in
      let log = state.handedOut ?? InstanceLog()
      state.handedOut = log
      return log
    }
  }

  /// Notes an instance that is resolved.
  ///
  /// In recorded or strict scopes, to detect a double that is registered too late. In scopes that
  /// detect leaks, if it is a double or kept. Other scopes know only the instances that they keep.
  func note(
    _ instance: UnsafeMutableRawPointer, of keptIn: Scope, isDouble: Bool,
    _ request: UnsafePointer<Request>
  ) {
    let requester = ResolutionStack.innermostKey
    let scope = innermostScope
    let watch = testPolicies?.leakWatch
    guard let object = InstanceMemory.object(instance, request.pointee.type) else { return }
    // A test that replaces its own double knows which one it holds.
    if let scope, !isDouble || requester != nil {
      scope.makeHandedOut().add(object, request, isDouble: isDouble, requestedBy: requester)
    }
    if let watch, isDouble || keptIn.usesKeepers {
      watch.add(object, request, isDouble: isDouble, requestedBy: requester)
    }
  }
}
