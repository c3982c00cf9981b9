internal import DIPrimitives

// Instances that a sandbox has returned, remembered without keeping them alive.
//
// Each note takes 152 bytes. Except on Apple systems it also keeps the memory of its instance
// allocated, though not the instance itself. There are at most twice as many notes as there were
// live instances at the last cleanup, and room for at least eight.

/// Notes about instances, each kept as long as the instance is alive.
package final class InstanceLog: Sendable {
  /// The properties of a noted instance.
  package struct Note: Sendable, Hashable {
    package let key: ServiceKey
    package let isDouble: Bool
    /// The service whose factory requested it, if any.
    package let askedBy: ServiceKey?
    package let requestedAt: CodeLocation
  }

  fileprivate struct ID: Hashable {
    let address: UnsafeRawPointer
    let key: ServiceKey
  }

  fileprivate struct Entry: ~Copyable {
    let object: WeakHold
    let address: UnsafeRawPointer
    let note: Note

    var id: ID { ID(address: address, key: note.key) }
  }

  fileprivate struct State {
    /// The entries in order; an instance that was noted long ago may occur twice.
    var entries: UnsafeMutablePointer<Entry>
    var count = 0
    /// The number of entries at which those of deallocated instances are dropped.
    var limit = InstanceLog.leastLimit
    /// The index of the latest entry for some instances, by address.
    ///
    /// An instance that is requested repeatedly is found here; a dictionary of all took 1,500
    /// instructions per note.
    let recent: UnsafeMutablePointer<Int>
  }

  // With more, freeing would exceed the capacity that allocators cache per thread.
  private static let leastLimit = 8
  private static let recentCount = 32
  private let state: Lock<State>

  package init() {
    let recent = UnsafeMutablePointer<Int>.allocate(capacity: Self.recentCount)
    recent.initialize(repeating: -1, count: Self.recentCount)
    state = Lock(State(entries: .allocate(capacity: Self.leastLimit), recent: recent))
  }

  deinit {
    let state = state.withLock { $0 }
    state.entries.deinitialize(count: state.count)
    state.entries.deallocate()
    state.recent.deallocate()
  }

  /// Notes an instance, unless it was noted recently.
  func add(
    _ object: Unmanaged<AnyObject>, _ request: UnsafePointer<Request>, isDouble: Bool,
    askedBy asker: UnsafePointer<Request>?
  ) {
    // A strong reference made from a weak one may turn out to be the last: those to other instances
    // than the caller's leave the lock before they are released.
    let others = state.withLock { state -> [AnyObject] in
      if state.hasRecent(object, request) { return [] }
      let others = state.count == state.limit ? state.sortOut() : []
      state.add(
        Entry(
          object: WeakHold(object), address: object.toOpaque(),
          note: Note(
            key: request.key, isDouble: isDouble, askedBy: asker?.key,
            requestedAt: request.pointee.location)))
      return others
    }
    withExtendedLifetime(others) {}
  }

  /// The notes about instances that are still alive, in order.
  package var alive: [Note] {
    // As in `add`.
    let known = state.withLock { state in
      (0..<state.count).compactMap { place -> (object: AnyObject, id: ID, note: Note)? in
        state.entries[place].object.value.map {
          ($0, state.entries[place].id, state.entries[place].note)
        }
      }
    }
    var seen: Set<ID> = []
    return known.filter { seen.insert($0.id).inserted }.map(\.note)
  }
}

extension InstanceLog.State {
  private static func recentPlace(_ address: UnsafeRawPointer) -> Int {
    Int(UInt(bitPattern: address) / 16 % UInt(InstanceLog.recentCount))
  }

  @inline(__always)
  fileprivate func hasRecent(
    _ object: Unmanaged<AnyObject>, _ request: UnsafePointer<Request>
  ) -> Bool {
    let place = recent[Self.recentPlace(object.toOpaque())]
    return place >= 0 && entries[place].isOf(object, request)
  }

  @inline(__always)
  fileprivate mutating func add(_ entry: consuming InstanceLog.Entry) {
    recent[Self.recentPlace(entry.address)] = count
    (entries + count).initialize(to: entry)
    count += 1
  }

  /// Drops entries of deallocated instances and duplicates; returns the instances that it retained.
  fileprivate mutating func sortOut() -> [AnyObject] {
    var instances: [AnyObject] = []
    filter { entry in
      guard let object = entry.object.value else { return false }
      instances.append(object)
      return true
    }
    // Only instances that are requested in turn with many others occur twice.
    if count > limit / 2 {
      var seen: Set<InstanceLog.ID> = []
      filter { seen.insert($0.id).inserted }
    }
    let newLimit = max(InstanceLog.leastLimit, count * 2)
    if newLimit != limit {
      let new = UnsafeMutablePointer<InstanceLog.Entry>.allocate(capacity: newLimit)
      new.moveInitialize(from: entries, count: count)
      entries.deallocate()
      (entries, limit) = (new, newLimit)
    }
    return instances
  }

  private mutating func filter(_ stays: (borrowing InstanceLog.Entry) -> Bool) {
    let all = count
    count = 0
    recent.update(repeating: -1, count: InstanceLog.recentCount)
    for entry in entries..<entries + all {
      if stays(entry.pointee) {
        add(entry.move())
      } else {
        entry.deinitialize(count: 1)
      }
    }
  }
}

extension InstanceLog.Entry {
  @inline(__always)
  fileprivate func isOf(
    _ object: Unmanaged<AnyObject>, _ request: UnsafePointer<Request>
  ) -> Bool {
    // At an equal address, the instance is the caller's, or deallocated.
    guard address == UnsafeRawPointer(object.toOpaque()),
      note.key.type == request.pointee.type, note.key.property === request.pointee.property,
      note.key.name == request.pointee.name
    else { return false }
    return WeakHold.keepsAddress || self.object.value != nil
  }
}

extension InstanceForm {
  /// Calls a closure with the instance of a type in memory, if it is a class instance.
  @inline(__always)
  fileprivate func withObject(
    in memory: UnsafeMutableRawPointer, of type: Any.Type, _ body: (Unmanaged<AnyObject>) -> Void
  ) {
    if let object = object(in: memory) { return body(object) }
    func load<Service>(_ type: Service.Type) -> Any { memory.load(as: type) }
    if let object = classInstance(load(type)) { body(.passUnretained(object)) }
  }
}

extension ContextFrame {
  /// The instances that were resolved in the scope, to detect doubles that are registered too late.
  var handedOut: InstanceLog? { Self.handedOut(plain)?.takeUnretainedValue() }

  /// Returns the scope's log, which lives as long as the scope.
  @inline(__always)
  private static func handedOut(
    _ scope: UnsafeMutablePointer<di_scope>
  ) -> Unmanaged<InstanceLog>? {
    di_load(di_scope_handed_out(scope)).map { .fromOpaque($0) }
  }

  @inline(never)
  private static func makeHandedOut(
    _ scope: UnsafeMutablePointer<di_scope>
  ) -> Unmanaged<InstanceLog> {
    di_lock_acquire(di_scope_lock(scope))
    defer { di_lock_release(di_scope_lock(scope)) }
    if let log = handedOut(scope) { return log }
    let log = Unmanaged.passRetained(InstanceLog())
    di_store(di_scope_handed_out(scope), log.toOpaque())
    return log
  }

  /// Notes an instance resolved in a recorded scope, to detect a double that is registered too
  /// late.
  @inline(__always)
  static func noteHandedOut(
    _ instance: UnsafeMutableRawPointer, _ form: InstanceForm, isDouble: Bool,
    _ request: UnsafePointer<Request>, _ scope: UnsafeMutablePointer<di_scope>,
    _ thread: UnsafeMutablePointer<di_thread>
  ) {
    let asker = di_frames(thread)?.pointee.asked
    // A test that replaces its own double knows which one it holds.
    guard let scope = scope.pointee.innermost, !isDouble || asker != nil else { return }
    let log = handedOut(scope) ?? makeHandedOut(scope)
    form.withObject(in: instance, of: request.pointee.type) { object in
      log._withUnsafeGuaranteedRef {
        $0.add(object, request, isDouble: isDouble, askedBy: asker)
      }
    }
  }

  /// Notes an instance that is resolved.
  ///
  /// In recorded or strict scopes, to detect a double that is registered too late. In scopes that
  /// detect leaks, if it is a double or kept. Plain sandboxes take a shorter path, and know only
  /// the instances that they keep.
  func note(
    _ instance: UnsafeMutableRawPointer, _ found: Found, _ request: UnsafePointer<Request>
  ) {
    guard hasPolicies || isRecorded else { return }
    let thread = di_thread_get()
    let form = found.registration.form
    Self.noteHandedOut(instance, form, isDouble: found.isDouble, request, plain, thread)
    guard hasPolicies, let watch = chain.lazy.compactMap(\.policy?.leakWatch).first else { return }
    let kind = found.registration.scope.kind
    guard found.isDouble || kind != .unique && kind != .graph else { return }
    form.withObject(in: instance, of: request.pointee.type) { object in
      watch.add(
        object, request, isDouble: found.isDouble,
        askedBy: di_frames(thread)?.pointee.asked)
    }
  }
}
