internal import DIPrimitives

// The lists that scopes of the context use instead of these are in FrameParameters.swift, and the
// process's, for `.singleton`, in SingletonSlots.swift.

/// The slots of a service whose instances are kept by parameter (`scopeOnParameters`).
///
/// Parameters are the user's values: they are hashed, compared and released with no lock held. An
/// entry remains as long as a request uses it: the requests that wait for an instance, and later
/// ones, must share one, even if a build failed or its instance was forgotten.
final class ParameterSlots: Sendable {
  struct Entry {
    let id: UInt64
    let parameter: AnyHashable
    /// The parameter's hash at the first request; the user's code may return another one later.
    let hash: Int
    let slot: Keeper
    /// The number of requests that use it now.
    fileprivate var users = 1
    /// The number of requests that ever used it, which shows use between two checks.
    fileprivate var uses: UInt = 1

    /// Returns whether an instance is kept for it, in the caches of a scope if that has its own.
    fileprivate func isKept(in caches: ContextFrame?) -> Bool {
      // Each requested container has a slot derived from this one, and finds it by this one.
      if slot.scope.kind == .containerAsked { return true }
      return caches.map { $0.keeps(slot) } ?? !slot.isEmpty
    }

    /// Returns whether an instance is kept for it, other than one kept weakly that is gone.
    fileprivate func holdsInstance(in caches: ContextFrame?) -> Bool {
      func holds<Service>(_ type: Service.Type) -> Bool {
        (caches?.slot(for: slot) ?? slot).kept(as: type) != nil
      }
      return isKept(in: caches) && (!slot.isWeak || holds(slot.type))
    }
  }

  private struct State {
    var entries: [Int: [Entry]] = [:]
    var changes = 0
    /// The number of entries.
    var count = 0
    /// The number of entries at which those are removed for which nothing is kept any more.
    var limit = 32
    /// The lists of the instances that decorations make of these.
    var decorated: [WeakList] = []
    /// The lists that scopes of the context use instead of this one, with the holders of these.
    var inContexts = WeakTable<ParameterSlots, Weak<FrameParameters>>()

    /// Returns the index of an entry among those of a hash, if it is still present.
    func index(of slot: Keeper, _ hash: Int) -> Int? {
      entries[hash]?.firstIndex { $0.slot === slot }
    }

    /// Removes an entry, which is to be released with no lock held.
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

  /// The type of the instances.
  private let type: Any.Type
  private let state = Lock(State())

  init(_ type: Any.Type) { self.type = type }

  deinit {
    // The service is not requested any more: the instances that scopes keep for it go, too.
    for (list, parameters) in state.withLock({ $0.inContexts.all }) {
      list?.removeAll()
      parameters.value?.drop(ObjectIdentifier(self))
    }
  }

  private func removeAll() {
    let old = state.withLock { state in
      defer { state.entries = [:] }
      state.count = 0
      state.changes += 1
      return state.entries
    }
    withExtendedLifetime(old) {}
  }

  /// The number of parameters with an entry.
  var count: Int { state.withLock { $0.count } }

  /// Returns the entry for a parameter, which the caller uses until it calls `leave`.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - scope: The scope of the instance.
  ///   - caches: The scope that the list belongs to, if that has its own caches.
  /// - Returns: The list's entry for the parameter.
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
        id: Registration.nextID(), parameter: parameter, hash: hash, slot: Keeper(scope, type))
      let (isAdded, isFull) = state.withLock { state in
        guard state.changes == changes else { return (false, false) }
        state.entries[hash, default: []].append(made)
        state.changes += 1
        state.count += 1
        guard state.count >= state.limit else { return (true, false) }
        // No other thread is to sort them out meanwhile.
        state.limit = state.count * 2
        return (true, true)
      }
      if isFull { sortOut(keptIn: caches) }
      if isAdded { return made }
    }
  }

  /// Ends a request's use of an entry, which is removed if it is unused and nothing is kept for it.
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

  /// Removes the entries that no request uses and for which nothing is kept any more.
  ///
  /// Checking for a weakly kept instance holds it for a moment, in which all other references may
  /// be released: so no lock is held then.
  private func sortOut(keptIn caches: ContextFrame?) {
    let idle = state.withLock { state in
      state.entries.values.flatMap { $0.filter { $0.users == 0 } }
    }
    let empty = idle.filter { !$0.holdsInstance(in: caches) }
    let dropped = state.withLock { state -> [Entry] in
      let dropped = empty.compactMap { entry -> Entry? in
        guard let index = state.index(of: entry.slot, entry.hash) else { return nil }
        // An entry that was used since may keep an instance again.
        guard state.entries[entry.hash]![index].uses == entry.uses else { return nil }
        return state.remove(entry.hash, index)
      }
      state.limit = max(32, state.count * 2)
      return dropped
    }
    if let caches { for entry in dropped { caches.forget(entry.slot) } }
  }

  /// Returns whether a scope with its own caches keeps an instance for any of the parameters.
  func keepsAny(in caches: ContextFrame) -> Bool {
    let slots = state.withLock { $0.entries.values.flatMap { $0.map(\.slot) } }
    return slots.contains { caches.keeps($0) }
  }

  /// Forgets the kept instances, in the caches of a scope if that has its own.
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

  /// Adds the list of the instances that a decoration makes of these.
  func addDecorated(_ list: ParameterSlots) {
    let held = state.withLock { state in
      let held = state.decorated.compactMap(\.list)
      state.decorated = (held + [list]).map { WeakList(list: $0) }
      return held
    }
    withExtendedLifetime(held) {}
  }

  /// This list and, recursively, those of the instances that decorations make of its own.
  var withDecorated: [ParameterSlots] {
    let decorated = state.withLock { $0.decorated.compactMap(\.list) }
    return [self] + decorated.flatMap(\.withDecorated)
  }

  /// The parameters with their slots.
  var all: [(parameter: AnyHashable, slot: Keeper)] {
    state.withLock { $0.entries.values.flatMap { $0.map { ($0.parameter, $0.slot) } } }
  }

  /// Returns the list that a scope with its own caches uses instead of this one.
  func own(_ caches: ContextFrame?) -> ParameterSlots {
    guard let caches else { return self }
    let parameters = caches.extra(FrameParameters.self) { FrameParameters() }
    return parameters.list(for: self) { makeForContext(parameters) }
  }

  private func makeForContext(_ parameters: FrameParameters) -> ParameterSlots {
    let own = ParameterSlots(type)
    let left = state.withLock { $0.inContexts.set(Weak(value: parameters), for: own) }
    withExtendedLifetime(left) {}
    return own
  }

  /// Returns the list that a scope with its own caches uses, if there is one yet.
  func existing(_ caches: ContextFrame?) -> ParameterSlots? {
    guard let caches else { return self }
    return caches.extra(FrameParameters.self)?.list(for: self)
  }

  /// Returns the list of the current resolution cycle; nil outside of one.
  func ofCycle(_ thread: UnsafeMutablePointer<di_thread>) -> ParameterSlots? {
    if di_frames(thread) == nil { return nil }
    let key = Unmanaged.passUnretained(self).toOpaque()
    return withUnsafeTemporaryAllocation(of: ParameterSlots.self, capacity: 1) { memory in
      let list = memory.baseAddress!
      if GraphArena.copy(0, key, to: list, thread) { return list.move() }
      list.initialize(to: ParameterSlots(type))
      GraphArena.add(.object(list.pointee), 0, key, thread)
      return list.move()
    }
  }
}
