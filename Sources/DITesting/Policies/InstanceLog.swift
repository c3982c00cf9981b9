#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The place of a request, and the service whose factory made it, if any.
struct RequestOrigin: Sendable, Hashable {
  let location: CodeLocation
  let requester: ServiceKey?
}

/// Notes about instances that a sandbox has returned, each kept as long as the instance is alive.
///
/// The instances are not kept alive.
final class InstanceLog: Sendable {
  /// The properties of a noted instance.
  struct Note: Sendable, Hashable {
    let key: ServiceKey
    /// The number of the container that holds its registration.
    let container: UInt64
    let isDouble: Bool
    let origin: RequestOrigin
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

  init() {}

  /// Notes an instance, unless it is noted already.
  func add(_ object: AnyObject, _ note: Note) {
    let id = ID(address: ObjectIdentifier(object), key: note.key)
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
    releaseUnlocked(others)
  }

  /// The notes about instances that are still alive, in order.
  var alive: [Note] {
    // As in `add`.
    let known = state.withLock { state in
      state.noted.all.map { (object: $0.object, entry: $0) }
    }
    return known.filter { $0.object != nil }.map(\.entry).sorted { $0.number < $1.number }
      .map(\.note)
  }
}
#endif
