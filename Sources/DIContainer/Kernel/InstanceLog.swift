// What a sandbox handed out, remembered without keeping it alive.

/// Notes about instances, each for as long as somebody else holds the instance.
package final class InstanceLog: Sendable {
  /// What is known of an instance.
  package struct Note: Sendable, Hashable {
    package let key: ServiceKey
    package let isDouble: Bool
    /// The service whose factory asked for it, if one did.
    package let askedBy: ServiceKey?
    package let requestedAt: CodeLocation
  }

  private struct ID: Hashable {
    let object: ObjectIdentifier
    let key: ServiceKey
  }

  private struct Entry {
    weak var object: AnyObject?
    let number: Int
    let note: Note
  }

  private struct State {
    var entries: [ID: Entry] = [:]
    var count = 0
    /// How many entries there may be before those of gone instances are sorted out.
    var limit = 64
  }

  private let state = Lock(State())

  package init() {}

  func add(_ object: AnyObject, _ note: Note) {
    let id = ID(object: ObjectIdentifier(object), key: note.key)
    // A strong reference from a weak one may turn out to be the last: those of other instances
    // than the caller's leave the lock before they are released.
    let others = state.withLock { state -> [AnyObject] in
      // Where the address is the same, the instance is the caller's, or gone.
      guard state.entries[id]?.object == nil else { return [] }
      state.count += 1
      state.entries[id] = Entry(object: object, number: state.count, note: note)
      guard state.entries.count >= state.limit else { return [] }
      var others: [AnyObject] = []
      state.entries = state.entries.filter { _, entry in
        guard let object = entry.object else { return false }
        others.append(object)
        return true
      }
      state.limit = max(64, state.entries.count * 2)
      return others
    }
    withExtendedLifetime(others) {}
  }

  /// The notes about instances that are still alive, in order.
  package var alive: [Note] {
    let entries = state.withLock { Array($0.entries.values) }
    return entries.filter { $0.object != nil }.sorted { $0.number < $1.number }.map(\.note)
  }
}

extension ContextFrame {
  private var isWatched: Bool { hasPolicies || hasRecorders }

  /// Notes an instance that is handed out.
  ///
  /// Where somebody listens or asks for strictness: in case a double comes too late for whoever got
  /// it. Where leaks are looked for: if it is a double or kept. Plain sandboxes take a shorter way,
  /// and know only what they keep themselves.
  func note(_ instance: UnsafeMutableRawPointer, _ found: Found, _ request: Request) {
    let asker = ResolutionStack.innermostKey
    // A test that replaces its own double knows what it holds.
    let isOwnDouble = found.isDouble && asker == nil
    let scope = isOwnDouble || !isWatched ? nil : innermostScope
    var watch = hasPolicies ? chain.lazy.compactMap(\.policy?.leakWatch).first : nil
    let kind = found.registration.scope.kind
    if !found.isDouble, kind == .unique || kind == .graph { watch = nil }
    guard scope != nil || watch != nil,
      let object = classInstance(found.registration.asAny(instance))
    else { return }
    let note = InstanceLog.Note(
      key: request.key, isDouble: found.isDouble, askedBy: asker,
      requestedAt: request.location)
    scope?.makeHandedOut().add(object, note)
    watch?.add(object, note)
  }
}
