internal import DIPrimitives

// The registrations of one container, or of one sandbox's view of it: a table under a lock for
// writers, and a reader that needs none. The table has one registration per key. Registrations that
// share a key, as when several services implement one protocol, are kept beside it
// (Registry+Contents.swift); only `many` reads them.

/// Registrations by key.
package final class Registry: @unchecked Sendable {
  // Sendable: readers use atomics inside read sections, and writers hold the table's lock.

  /// The memory that readers and writers share.
  private let table: UnsafeMutablePointer<di_table>

  package init() {
    table = .allocate(capacity: 1)
    table.initialize(to: di_table())
    di_lock_init(di_table_lock(table))
  }

  // There is no need to wait for readers: a thread that runs one of the factories holds the
  // container or the scope, or was waited for when its container was removed from another.
  deinit {
    if di_is_any_factory_running() {
      Contents(table: RegistrationTable(table)).releaseAfterRunning()
    }
    RegistrationTable(table).free()
    di_lock_destroy(di_table_lock(table))
    if let beside = di_load(di_table_beside(table)) {
      Unmanaged<AnyObject>.fromOpaque(beside).release()
    }
    table.deallocate()
  }

  @inline(__always)
  private func withContents<Result>(_ body: (inout Contents) -> Result) -> Result {
    di_lock_acquire(di_table_lock(table))
    defer { di_lock_release(di_table_lock(table)) }
    var contents = Contents(table: RegistrationTable(table))
    return body(&contents)
  }

  /// The lock-free view; use it between `di_pin` and `di_unpin` only, while the registry lives.
  var reader: RegistrationTable.Reader { RegistrationTable.Reader(table) }

  /// Returns the registration for `key`, or a removal marker.
  func find(_ key: RawKey) -> Registration? {
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return reader.find(key)?.takeUnretainedValue()
  }

  /// Whether one of the registrations satisfies a predicate.
  func contains(where fits: (Registration) -> Bool) -> Bool {
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return reader.contains(where: fits)
  }

  /// Stores a registration, replacing the one that has its key.
  func set(_ registration: Registration) {
    let dropped = withContents { $0.set(registration).unsafelyUnwrapped }
    didChange(dropping: dropped, for: registration)
  }

  /// Stores a registration unless `keep` returns true for the one that has its key.
  ///
  /// If it does, only an earlier form of the registration beside the table is replaced.
  ///
  /// - Returns: Whether the registration has its key now.
  @discardableResult
  func set(
    _ registration: Registration, mayBeNew: Bool = true, unless keep: (Registration) -> Bool
  ) -> Bool {
    var displaced: Registration?
    return set(registration, mayBeNew: mayBeNew, unless: keep, displacing: &displaced)
  }

  /// Stores a registration unless `keep` returns true for the one that has its key, and hands back
  /// the one that it replaces.
  @inline(__always)
  func set(
    _ registration: Registration, mayBeNew: Bool = true, unless keep: (Registration) -> Bool,
    displacing displaced: inout Registration?
  ) -> Bool {
    let (isSet, dropped) = withContents { contents in
      if let dropped = contents.set(registration, mayBeNew: mayBeNew, unless: keep) {
        return (true, dropped)
      }
      return (false, contents.change(beside: registration))
    }
    displaced = dropped.displaced
    didChange(dropping: dropped, for: registration)
    return isSet
  }

  /// Returns every registration, including removal markers, in the order made.
  func all() -> [Registration] {
    var all: [Registration] = []
    withContents { $0.table.forEach { all.append($0) } }
    return all.sorted { $0.id < $1.id }
  }

  /// Returns every registration, including those that share a key, in the order made: all that is
  /// needed to restore the registry.
  func everything() -> [Registration] {
    withContents { contents in
      var all = contents.beside
      contents.table.forEach { all.append($0) }
      return all
    }.sorted { $0.id < $1.id }
  }

  /// Returns every registration for a type, under any name, in the order made.
  ///
  /// Registrations that share a key and removal markers are included.
  func all(of type: Any.Type) -> [Registration] {
    var all: [Registration] = []
    withContents { contents in
      contents.table.forEach { if $0.key.type == type, $0.key.property == nil { all.append($0) } }
      all += contents.beside.filter { $0.key.type == type }
    }
    return all.sorted { $0.id < $1.id }
  }

  /// Returns the registrations that `implements` displaced from a key.
  func beside(_ key: ServiceKey) -> [Registration] {
    withContents { $0.beside.filter { $0.key == key } }
  }

  /// Replaces all registrations.
  func replaceAll(with registrations: [Registration]) {
    let (free, dropped) = withContents { contents -> (() -> Void, [Registration]) in
      var dropped = contents.beside
      contents.beside = []
      contents.table.forEach { dropped.append($0) }
      let free = contents.table.removeAll()
      for registration in registrations { _ = contents.set(registration) }
      return (free, dropped)
    }
    di_note_change()
    di_quiesce()
    free()
    let kept = Set(registrations.compactMap { $0.keeper.map { ObjectIdentifier($0) } })
    for old in dropped {
      old.releaseAfterRunning()
      guard let keeper = old.keeper, !kept.contains(ObjectIdentifier(keeper)) else { continue }
      old.retire(unlessKeptBy: nil)
    }
    // What was present before and still is keeps the instance of its site.
    let old = Set(dropped.map(\.id))
    let restored = Set(registrations.map(\.id))
    SharedKeepers.release(
      dropped.filter { !restored.contains($0.id) }, replacedBy: restored.subtracting(old))
  }

  /// Stores a changed form of a registration, unless its key has another registration than
  /// `present`.
  @discardableResult
  func replace(_ present: Registration?, with changed: Registration) -> Bool {
    set(changed, unless: { $0 !== present })
  }

  /// Removes all registrations.
  func removeAll() { replaceAll(with: []) }

  private func didChange(dropping dropped: Dropped, for new: Registration) {
    di_note_change()
    if dropped.displaced == nil, dropped.beside.isEmpty { return }
    di_quiesce()
    dropped.releaseAfterRunning()
    // Releasing them, and what was kept for them, may run user code: no lock is held here.
    for registration in dropped.beside { registration.retire(unlessKeptBy: new) }
    dropped.displaced?.retire(unlessKeptBy: new)
    if SharedKeepers.haveSites.isSet { SharedKeepers.release(dropped.all, replacedBy: [new.id]) }
    withExtendedLifetime(dropped) {}
  }
}

extension Registration {
  /// Leaves references with the threads that run its factory; readers have left.
  func releaseAfterRunning() {
    di_leave_to_runners(
      id, Unmanaged.passUnretained(self).toOpaque(),
      { _ = Unmanaged<Registration>.fromOpaque($0).retain() },
      { Unmanaged<Registration>.fromOpaque($0).release() })
  }

  /// Drops the instance that is kept for the registration, which was displaced.
  ///
  /// Instances that its changed form continues to keep stay, as does a singleton by key path, which
  /// belongs to the process.
  fileprivate func retire(unlessKeptBy new: Registration?) {
    guard let keeper, keeper !== new?.keeper else { return }
    // A wrapped registration is still in use.
    if new?.isOrDecorates(id) == true { return }
    if key.property != nil, scope === Scope.singleton { return }
    keeper.retire()
  }
}
