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

  fileprivate struct ID: Hashable {
    let object: ObjectIdentifier
    let key: ServiceKey
  }

  // An object, so that notes can be moved without a call of the runtime for each weak reference.
  fileprivate final class Entry {
    weak var object: AnyObject?
    let address: ObjectIdentifier
    let note: Note

    init(_ object: AnyObject, _ note: Note) {
      self.object = object
      address = ObjectIdentifier(object)
      self.note = note
    }

    var id: ID { ID(object: address, key: note.key) }
  }

  fileprivate struct State {
    /// In order; an instance that was noted long ago may be there once more.
    var entries: [Entry] = []
    /// For some instances, by address, the entry that was made last.
    ///
    /// One that is asked for again and again is found here; a dictionary of all took 1,500
    /// instructions a note.
    var recent = [Entry?](repeating: nil, count: InstanceLog.recentCount)
    /// How many entries there may be before those of gone instances are sorted out.
    var limit = 64
  }

  private static let recentCount = 32
  private let state = Lock(State())

  package init() {}

  func add(_ object: AnyObject, _ note: Note) {
    let address = ObjectIdentifier(object)
    let place = Int(UInt(bitPattern: address) / 16 % UInt(Self.recentCount))
    // A strong reference from a weak one may turn out to be the last: those of other instances
    // than the caller's leave the lock before they are released.
    let others = state.withLock { state -> [AnyObject] in
      // Where the address is the same, the instance is the caller's, or gone.
      if let entry = state.recent[place], entry.address == address, entry.note.key == note.key,
        entry.object != nil
      {
        return []
      }
      let entry = Entry(object, note)
      state.entries.append(entry)
      state.recent[place] = entry
      return state.entries.count >= state.limit ? state.sortOut() : []
    }
    withExtendedLifetime(others) {}
  }

  /// The notes about instances that are still alive, in order.
  package var alive: [Note] {
    var seen: Set<ID> = []
    let entries = state.withLock { $0.entries }
    return entries.filter { $0.object != nil && seen.insert($0.id).inserted }.map(\.note)
  }
}

extension InstanceLog.State {
  /// Drops what is gone or there twice, and answers the instances that it looked at.
  fileprivate mutating func sortOut() -> [AnyObject] {
    var seen: Set<InstanceLog.ID> = []
    var instances: [AnyObject] = []
    entries = entries.filter { entry in
      guard let object = entry.object else { return false }
      instances.append(object)
      return seen.insert(entry.id).inserted
    }
    limit = max(64, entries.count * 2)
    return instances
  }
}

extension Registration {
  /// The instance in memory as an object, if it is one of a class.
  fileprivate func object(in memory: UnsafeMutableRawPointer) -> AnyObject? {
    form.object(in: memory)?.takeUnretainedValue() ?? classInstance(asAny(memory))
  }
}

extension ContextFrame {
  private var isWatched: Bool { hasPolicies || !recorders.isEmpty }

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
      let object = found.registration.object(in: instance)
    else { return }
    let note = InstanceLog.Note(
      key: request.key, isDouble: found.isDouble, askedBy: asker,
      requestedAt: request.location)
    scope?.makeHandedOut().add(object, note)
    watch?.add(object, note)
  }
}
