internal import DIPrimitives

// What scopes of the context have in the place of these is in FrameParameters.swift, and what
// `.singleton` keeps for the process in SingletonSlots.swift.

/// The once-states of a service that is kept by parameter (`scopeOnParameters`).
///
/// Parameters are values of the user's: they are hashed, compared and let go with no lock held. An
/// entry stays as long as a request uses it: whoever waits for an instance, and whoever comes
/// later, must come to share one, even if what was being built came to nothing or was forgotten.
final class ParameterSlots<T>: Sendable {
  struct Entry {
    let id: UInt64
    let parameter: AnyHashable
    /// The parameter's hash when it came: the user's code may answer another one later.
    let hash: Int
    let slot: Slot
    /// How many requests use it now.
    fileprivate var users = 1
    /// How many requests ever used it: whether one did while nobody looked.
    fileprivate var uses: UInt = 1

    /// Whether something is kept for it, in the caches of a scope if it has its own.
    fileprivate func isKept(in caches: ContextFrame?) -> Bool {
      // Each container that asks has a once-state derived from this one, and finds it by this one.
      if slot.scope.kind == .containerAsked { return true }
      return caches.map { $0.keeps(slot) } ?? !slot.isEmpty
    }

    /// The same, where what is kept weakly and is gone does not count.
    fileprivate func isKept(in caches: ContextFrame?, as type: T.Type) -> Bool {
      guard isKept(in: caches) else { return false }
      guard slot.isWeak else { return true }
      return (caches?.slot(for: slot) ?? slot).kept(as: type) != nil
    }
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    var changes = 0
    /// How many entries there are.
    var count = 0
    /// How many there may be before those for which nothing is kept any more are sorted out.
    var limit = 32
    /// Those of what decorations make of the instances.
    var decorated: [WeakList] = []
    /// What scopes of the context have in the place of this list, and where they have it.
    var inContexts = WeakTable<ParameterSlots, WeakParameters>()

    /// The place of an entry among those of a hash, if it is still there.
    func index(of slot: Slot, _ hash: Int) -> Int? {
      entries[hash]?.firstIndex { $0.slot === slot }
    }

    /// Takes an entry out, to be let go with no lock held.
    mutating func remove(_ hash: Int, _ index: Int) -> Entry {
      changes += 1
      count -= 1
      let removed = entries[hash]!.remove(at: index)
      if entries[hash]!.isEmpty { entries[hash] = nil }
      return removed
    }
  }

  private struct WeakList {
    weak var list: ParameterSlots?
  }

  private let state = Lock(State())

  deinit {
    // Nobody asks for the service any more: what scopes keep for it goes, too.
    for (list, parameters) in state.withLock({ $0.inContexts.all }) {
      list?.removeAll()
      parameters.value?.drop(ObjectIdentifier(self))
    }
  }

  private func removeAll() {
    let old = state.withLock { state in
      defer { state.entries = [:] }
      state.count = 0
      return state.entries
    }
    withExtendedLifetime(old) {}
  }

  /// How many parameters it knows of.
  var count: Int { state.withLock { $0.count } }

  /// The once-state for a parameter, which the caller uses until it says `leave`.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - scope: How long an instance is kept.
  ///   - caches: The scope that the list is of, if that brings its own caches.
  /// - Returns: What the list has for the parameter.
  func enter(_ parameter: AnyHashable, _ scope: Scope, keptIn caches: ContextFrame?) -> Entry {
    let hash = parameter.hashValue
    while true {
      let (present, changes) = state.withLock { ($0.entries[hash] ?? [], $0.changes) }
      let found = present.first { $0.parameter == parameter && $0.slot.scope === scope }
      if let found {
        let isThere = state.withLock { state in
          guard let index = state.index(of: found.slot, hash) else { return false }
          state.entries[hash]![index].users += 1
          state.entries[hash]![index].uses &+= 1
          return true
        }
        if isThere { return found }
        continue
      }
      let made = Entry(
        id: Registration.nextID(), parameter: parameter, hash: hash, slot: Slot(scope, T.self))
      let (isAdded, isFull) = state.withLock { state in
        guard state.changes == changes else { return (false, false) }
        state.entries[hash, default: []].append(made)
        state.changes += 1
        state.count += 1
        guard state.count >= state.limit else { return (true, false) }
        // Nobody else comes to sort them out meanwhile.
        state.limit = state.count * 2
        return (true, true)
      }
      if isFull { sortOut(keptIn: caches) }
      if isAdded { return made }
    }
  }

  /// Says that a request is over; drops the entry if nobody uses it and nothing is kept for it.
  func leave(_ entry: Entry, keptIn caches: ContextFrame?) {
    let hash = entry.hash
    let dropped: Entry? = state.withLock { state in
      guard let index = state.index(of: entry.slot, hash) else { return nil }
      state.entries[hash]![index].users -= 1
      guard state.entries[hash]![index].users == 0 else { return nil }
      if entry.isKept(in: caches) { return nil }
      return state.remove(hash, index)
    }
    if let dropped { caches?.forget(dropped.slot) }
  }

  /// Drops the entries that nobody uses and for which nothing is kept any more.
  ///
  /// To look whether a weakly kept instance is there is to hold it for a moment, and it may be let
  /// go of by all others meanwhile: no lock is held then.
  private func sortOut(keptIn caches: ContextFrame?) {
    let idle = state.withLock { state in
      state.entries.values.flatMap { $0.filter { $0.users == 0 } }
    }
    let empty = idle.filter { !$0.isKept(in: caches, as: T.self) }
    let dropped = state.withLock { state -> [Entry] in
      let dropped = empty.compactMap { entry -> Entry? in
        guard let index = state.index(of: entry.slot, entry.hash) else { return nil }
        // What was used since may keep something again.
        guard state.entries[entry.hash]![index].uses == entry.uses else { return nil }
        return state.remove(entry.hash, index)
      }
      state.limit = max(32, state.count * 2)
      return dropped
    }
    if let caches { for entry in dropped { caches.forget(entry.slot) } }
  }

  /// Whether a scope that has its own caches keeps an instance for one of the parameters.
  func keepsAny(in caches: ContextFrame) -> Bool {
    let slots = state.withLock { $0.entries.values.flatMap { $0.map(\.slot) } }
    return slots.contains { caches.keeps($0) }
  }

  /// Forgets what is kept, in the caches of a scope if it has its own.
  func forget(keptIn caches: ContextFrame?) {
    let (old, inUse) = state.withLock { state in
      let old = state.entries
      state.entries = old.compactMapValues { entries in
        let inUse = entries.filter { $0.users > 0 }
        return inUse.isEmpty ? nil : inUse
      }
      state.count = state.entries.values.reduce(0) { $0 + $1.count }
      state.limit = max(32, state.count * 2)
      state.changes += 1
      return (old, state.entries)
    }
    for (hash, entries) in old {
      for entry in entries {
        guard let caches else {
          entry.slot.forget()
          continue
        }
        let isInUse = inUse[hash]?.contains { $0.slot === entry.slot } ?? false
        if isInUse { caches.reset(entry.slot) } else { caches.forget(entry.slot) }
      }
    }
  }

  /// Adds the list of what a decoration makes of the instances.
  func addDecorated(_ list: ParameterSlots) {
    let held = state.withLock { state in
      let held = state.decorated.compactMap(\.list)
      state.decorated = (held + [list]).map { WeakList(list: $0) }
      return held
    }
    withExtendedLifetime(held) {}
  }

  /// This list, and those of what decorations make of the instances, and others of that.
  var withDecorated: [ParameterSlots] {
    let decorated = state.withLock { $0.decorated.compactMap(\.list) }
    return [self] + decorated.flatMap(\.withDecorated)
  }

  /// Takes over the parameters of another list, each with a once-state of its own.
  ///
  /// - Parameters:
  ///   - other: The list.
  ///   - fill: Gets the other's once-state and the new one.
  func copy(_ other: ParameterSlots, fill: (Slot, Slot) -> Void) {
    var entries = other.state.withLock { $0.entries }
    for (hash, present) in entries {
      entries[hash] = present.map { entry in
        let own = entry.slot.makeEmpty()
        fill(entry.slot, own)
        return Entry(
          id: Registration.nextID(), parameter: entry.parameter, hash: hash, slot: own, users: 0)
      }
    }
    let filled = entries
    state.withLock { state in
      state.entries = filled
      state.count = filled.values.reduce(0) { $0 + $1.count }
      state.limit = max(32, state.count * 2)
    }
  }

  /// The list of a scope that has its own caches, in the place of this one.
  func own(_ caches: ContextFrame?) -> ParameterSlots {
    guard let caches else { return self }
    let parameters = caches.extra(FrameParameters.self) { FrameParameters() }
    return parameters.list(for: self) { makeForContext(parameters) }
  }

  private func makeForContext(_ parameters: FrameParameters) -> ParameterSlots {
    let own = ParameterSlots()
    let left = state.withLock { $0.inContexts.set(WeakParameters(parameters), for: own) }
    withExtendedLifetime(left) {}
    return own
  }

  /// The same, if there is one yet.
  func existing(_ caches: ContextFrame?) -> ParameterSlots? {
    guard let caches else { return self }
    return caches.extra(FrameParameters.self)?.list(for: self)
  }

  /// The list of the running resolution cycle; nil outside of one.
  func ofCycle(_ thread: UnsafeMutablePointer<di_thread>) -> ParameterSlots? {
    if di_frames(thread) == nil { return nil }
    let key = Unmanaged.passUnretained(self).toOpaque()
    return withUnsafeTemporaryAllocation(of: ParameterSlots.self, capacity: 1) { memory in
      let list = memory.baseAddress!
      if GraphArena.copy(0, key, to: list, thread) { return list.move() }
      list.initialize(to: ParameterSlots())
      GraphArena.add(
        Unmanaged<AnyObject>.passUnretained(list.pointee), from: list,
        size: MemoryLayout<ParameterSlots>.size, 0, key, thread)
      return list.move()
    }
  }
}

extension FactoryRegistration {
  /// How many parameters are remembered in a context, with something kept for them or not.
  package var parameterCount: Int {
    let frame = ContextFrame.current
    guard let own = own(frame) else { return 0 }
    let caches = frame?.cacheFrame(for: own.scope)
    return record(own).parameters(own.scope)?.existing(caches)?.count ?? 0
  }
}
