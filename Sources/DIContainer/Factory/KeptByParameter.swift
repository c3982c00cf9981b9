// Once-states beside those of registrations: one for each parameter, one for each property of a
// container type, and when an instance was last asked for.

/// The once-states of a service that is kept by parameter (`scopeOnParameters`).
///
/// Parameters are values of the user's: they are hashed and compared with no lock held.
final class ParameterSlots<T>: Sendable {
  struct Entry {
    let id: UInt64
    let parameter: AnyHashable
    let slot: Slot
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    var changes = 0
  }

  private let state = Lock(State())

  /// The once-state for a parameter.
  func entry(for parameter: AnyHashable, _ scope: Scope) -> Entry {
    let hash = parameter.hashValue
    while true {
      let (present, changes) = state.withLock { ($0.entries[hash] ?? [], $0.changes) }
      if let entry = present.first(where: { $0.parameter == parameter && $0.slot.scope === scope })
      {
        return entry
      }
      let made = Entry(
        id: Registration.nextID(), parameter: parameter, slot: Slot(scope, T.self))
      let isAdded = state.withLock { state in
        guard state.changes == changes else { return false }
        state.entries[hash, default: []].append(made)
        state.changes += 1
        return true
      }
      if isAdded { return made }
    }
  }

  /// Drops the entry of a parameter for which nothing was kept.
  func remove(_ entry: Entry) {
    let hash = entry.parameter.hashValue
    let old = state.withLock { state in
      let old = state.entries[hash] ?? []
      let rest = old.filter { $0.slot !== entry.slot }
      state.entries[hash] = rest.isEmpty ? nil : rest
      state.changes += 1
      return old
    }
    withExtendedLifetime(old) {}
  }

  func removeAll() -> [Slot] {
    let old = state.withLock { state in
      defer {
        state.entries = [:]
        state.changes += 1
      }
      return state.entries
    }
    return old.values.flatMap { $0.map(\.slot) }
  }

  /// The same once-states, in a list of its own.
  func copy() -> ParameterSlots {
    let copy = ParameterSlots()
    let entries = state.withLock { $0.entries }
    copy.state.withLock { $0.entries = entries }
    return copy
  }
}

/// The once-states of services that are `.singleton` by key path: one for each container type and
/// property, for the whole process.
final class SingletonSlots: Sendable {
  static let shared = SingletonSlots()

  private let slots = Lock<[Key: Slot]>([:])

  private struct Key: Hashable {
    let container: ObjectIdentifier
    let property: ObjectIdentifier
  }

  func slot(_ container: Any.Type, _ property: PropertyKey, _ type: Any.Type) -> Slot {
    let key = Key(container: ObjectIdentifier(container), property: ObjectIdentifier(property))
    return slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = Slot(Scope.singleton, type)
      slots[key] = slot
      return slot
    }
  }
}

/// When kept instances were last asked for (`timeToLive`).
package final class ExpiryClock: Sendable {
  /// How much later it is taken to be than it is; tests bind it.
  @TaskLocal package static var ahead: Duration = .zero

  private let lastAsked = Lock<[ObjectIdentifier: ContinuousClock.Instant]>([:])

  /// Notes that an instance is asked for; says whether it was last asked for too long ago.
  func isExpired(_ slot: Slot, after seconds: Double) -> Bool {
    let now = ContinuousClock.now + Self.ahead
    let last = lastAsked.withLock { asked in
      defer { asked[ObjectIdentifier(slot)] = now }
      return asked[ObjectIdentifier(slot)]
    }
    guard let last else { return false }
    return now - last > .seconds(seconds)
  }
}
