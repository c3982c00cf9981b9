internal import DIPrimitives

/// The registrations of one container, or of one sandbox's view of it, by key.
///
/// A table has one registration for each key; it is read without a lock, and written under one.
package final class Registry: @unchecked Sendable {
  // Sendable: readers use atomics inside read sections, and writers hold the table's lock.

  private let table = RegistrationTable.allocate()
  /// Registrations that share a key with one in the table, which only `many` looks for.
  ///
  /// They are those that `implements` displaced from the table, and displaced aliases.
  private var beside: [Registration] = []

  package init() {}

  // There is no need to wait for readers: a thread that runs one of the factories holds the
  // container or the scope, or was waited for when its container was removed from another.
  deinit {
    if di_is_any_factory_running() {
      reader.forEach { $0.releaseAfterRunning() }
      for registration in beside { registration.releaseAfterRunning() }
    }
    table.free()
  }

  /// The lock-free view; use it between `di_pin` and `di_unpin` only, while the registry lives.
  var reader: RegistrationTable.Reader { table.reader }

  /// Returns the registration for `key`, or a removal marker.
  func find(_ key: RawKey) -> Registration? {
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    return reader.find(key)?.retained
  }

  /// Returns the registration of a service; nil if there is none, or it was removed.
  package func registration(of key: ServiceKey) -> Registration? {
    find(key.rawKey).flatMap { $0.registersService ? $0 : nil }
  }

  /// Calls a closure with every registration, in no particular order and in a read section.
  func forEach(_ body: (Registration) -> Void) {
    let thread = di_thread_get()
    di_pin(thread)
    defer { di_unpin(thread) }
    reader.forEach(body)
  }

  /// Returns every registration, including removal markers, in the order made.
  package func all() -> [Registration] {
    var all: [Registration] = []
    table.withLock { reader.forEach { all.append($0) } }
    return all.sorted { $0.id < $1.id }
  }

  /// Returns the registrations that satisfy a predicate, including those that share a key, in the
  /// order made.
  func everything(where counts: (Registration) -> Bool = { _ in true }) -> [Registration] {
    table.withLock { unsorted }.filter(counts).sorted { $0.id < $1.id }
  }

  private var unsorted: [Registration] {
    var all = beside
    reader.forEach { all.append($0) }
    return all
  }

  /// Returns the registrations that `implements` displaced from a key.
  func beside(_ key: ServiceKey) -> [Registration] {
    table.withLock { beside.filter { $0.key == key } }
  }
}

// MARK: - Changes, without what follows from them

extension Registry {
  /// Registrations that are no longer used.
  ///
  /// Whoever receives them counts the change and waits for readers before releasing them.
  struct Dropped {
    /// The registration that had the key.
    var displaced: Registration?
    /// The registrations beside it, which are rare; an array of all would cost 800 instructions.
    var beside: [Registration] = []

    var all: [Registration] { beside + (displaced.map { [$0] } ?? []) }
  }

  /// Stores a registration unless `keep` returns true for the one that has its key: then only an
  /// earlier form of it beside the table is replaced.
  ///
  /// Registering a key again replaces its registration; implementing a protocol adds to the
  /// registrations that already implement it.
  @inline(__always)
  func exchange(
    _ registration: Registration, mayBeNew: Bool, unless keep: (Registration) -> Bool
  ) -> (isStored: Bool, dropped: Dropped) {
    table.withLock { write(registration, mayBeNew: mayBeNew, unless: keep) }
  }

  /// Replaces all registrations at once; returns the former ones, and a closure that frees their
  /// table.
  func exchangeAll(with registrations: [Registration]) -> ([Registration], free: () -> Void) {
    let new = Registry()
    new.table.useOwnMemory()
    for registration in registrations {
      _ = new.write(registration, mayBeNew: true, unless: { _ in false })
    }
    return table.withLock {
      defer { beside = DIContainer.exchange(&new.beside, with: []) }
      return (unsorted, table.takeContents(of: new.table))
    }
  }

  @inline(__always)
  private func write(
    _ registration: Registration, mayBeNew: Bool, unless keep: (Registration) -> Bool
  ) -> (isStored: Bool, dropped: Dropped) {
    guard case .instead(let displaced) = table.set(registration, mayBeNew: mayBeNew, unless: keep)
    else { return (false, Dropped(displaced: change(beside: registration))) }
    var dropped = Dropped(displaced: displaced)
    // A decoration holds what it wraps, and leaves the registrations beside it alone.
    if registration.isDecoration { return (true, dropped) }
    if !beside.isEmpty {
      let key = registration.key
      let isReplaced = { (other: Registration) in
        other.key == key
          && (registration.isRemoval || other.innermost.aliasTarget == registration.aliasTarget)
      }
      dropped.beside = beside.filter(isReplaced)
      beside.removeAll(where: isReplaced)
    }
    if let displaced, !registration.isRemoval, !displaced.isRemoval,
      displaced.innermost.aliasTarget != registration.aliasTarget
    {
      beside.append(displaced)
    }
    return (true, dropped)
  }

  /// Replaces a registration beside the table with a changed form of it; returns the earlier one.
  private func change(beside registration: Registration) -> Registration? {
    guard let index = beside.firstIndex(where: { $0.id == registration.id }) else { return nil }
    defer { beside[index] = registration }
    return beside[index]
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
}
