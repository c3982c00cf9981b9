internal import DIPrimitives

// One container's registrations, or what one sandbox put over them: a table under a lock for
// writers, and a reader that needs none.

/// Registrations by key.
package final class Registry: Sendable {
  private let table: Lock<TableBox>
  private let readerBox: Unchecked<RegistrationTable.Reader>

  // A lock's value cannot be noncopyable on all platform floors.
  private final class TableBox {
    var table = RegistrationTable()
  }

  package init() {
    let box = TableBox()
    // The reader is an address that lives as long as the table, hence as this object.
    readerBox = Unchecked(box.table.reader)
    table = Lock(box)
  }

  /// The lock-free view; use it between `di_pin` and `di_unpin` only.
  var reader: RegistrationTable.Reader { readerBox.value }

  /// The registration for `key`, or a marker that one was taken away.
  func find(_ key: RawKey) -> AnyRegistration? {
    let thread = di_thread_get()
    di_pin(thread)
    let found = reader.find(key)?.takeUnretainedValue()
    di_unpin(thread)
    return found
  }

  /// Stores a registration in the place of whatever has its key.
  func set(_ registration: AnyRegistration) {
    let displaced = table.withLock { $0.table.set(registration) }
    didChange(dropping: displaced)
  }

  /// Stores a registration unless `keep` says that the one with its key stays.
  @discardableResult
  func set(_ registration: AnyRegistration, unless keep: (AnyRegistration) -> Bool) -> Bool {
    let key = registration.key.typeAndName
    let (isSet, displaced): (Bool, AnyRegistration?) = table.withLock { box in
      // Writers are alone here, so what `find` sees cannot be displaced meanwhile.
      if let present = find(key), keep(present) { return (false, nil) }
      return (true, box.table.set(registration))
    }
    didChange(dropping: displaced)
    return isSet
  }

  /// Every registration, in the order made; `Removed` markers stand among them.
  func all() -> [AnyRegistration] {
    var all: [AnyRegistration] = []
    table.withLock { $0.table.forEach { all.append($0) } }
    return all.sorted { $0.id < $1.id }
  }

  func removeAll() {
    let (free, all) = table.withLock { box -> (() -> Void, [AnyRegistration]) in
      var all: [AnyRegistration] = []
      box.table.forEach { all.append($0) }
      return (box.table.removeAll(), all)
    }
    di_note_change()
    di_quiesce()
    free()
    for registration in all { registration.slot?.retire() }
  }

  private func didChange(dropping displaced: AnyRegistration?) {
    di_note_change()
    guard let displaced else { return }
    di_quiesce()
    // Dropping it, and what was kept for it, may run user code: here no lock is held.
    displaced.slot?.retire()
    withExtendedLifetime(displaced) {}
  }
}
