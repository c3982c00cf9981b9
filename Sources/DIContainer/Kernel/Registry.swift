internal import DIPrimitives

// One container's registrations, or what one sandbox put over them: a table under a lock for
// writers, and a reader that needs none. Beside the table stand the registrations that it has no
// room for: it has one a key, and several services may implement one protocol. Only `many` looks
// at them.

/// Registrations by key.
package final class Registry: Sendable {
  private let table: Lock<TableBox>
  private let readerBox: Unchecked<RegistrationTable.Reader>

  // A lock's value cannot be noncopyable on all platform floors.
  fileprivate final class TableBox {
    var table = RegistrationTable()
    /// What `implements` displaced from the table, and aliases that were displaced themselves.
    var beside: [AnyRegistration] = []
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
    let displaced = table.withLock { $0.set(registration) }
    didChange(dropping: displaced, for: registration)
  }

  /// Stores a registration unless `keep` says that the one with its key stays.
  @discardableResult
  func set(_ registration: AnyRegistration, unless keep: (AnyRegistration) -> Bool) -> Bool {
    let key = registration.key.typeAndName
    let (isSet, displaced): (Bool, [AnyRegistration]) = table.withLock { box in
      // Writers are alone here, so what `find` sees cannot be displaced meanwhile.
      if let present = find(key), keep(present) { return (false, box.change(beside: registration)) }
      return (true, box.set(registration))
    }
    didChange(dropping: displaced, for: registration)
    return isSet
  }

  /// Every registration, in the order made; `Removed` markers stand among them.
  func all() -> [AnyRegistration] {
    var all: [AnyRegistration] = []
    table.withLock { $0.table.forEach { all.append($0) } }
    return all.sorted { $0.id < $1.id }
  }

  /// Every registration for a type, under whatever name, in the order made.
  ///
  /// Those that share a key are all there, and so are markers for what was taken away.
  func all(of type: Any.Type) -> [AnyRegistration] {
    var all: [AnyRegistration] = []
    table.withLock { box in
      box.table.forEach { if $0.key.type == type, $0.key.property == nil { all.append($0) } }
      all += box.beside.filter { $0.key.type == type }
    }
    return all.sorted { $0.id < $1.id }
  }

  /// Puts registrations in the place of all there are.
  func replaceAll(with registrations: [AnyRegistration]) {
    let (free, dropped) = table.withLock { box -> (() -> Void, [AnyRegistration]) in
      var dropped = box.beside
      box.beside = []
      box.table.forEach { dropped.append($0) }
      let free = box.table.removeAll()
      for registration in registrations { _ = box.set(registration) }
      return (free, dropped)
    }
    di_note_change()
    di_quiesce()
    free()
    for old in dropped {
      old.retire(unlessKeptBy: registrations.first { $0.slot != nil && $0.slot === old.slot })
    }
  }

  /// Stores registrations while those that they displace are remembered: nothing is forgotten.
  func put(_ registrations: [AnyRegistration]) {
    let displaced = table.withLock { box in registrations.map { box.set($0) } }
    di_note_change()
    di_quiesce()
    withExtendedLifetime(displaced) {}
  }

  func removeAll() {
    let (free, all) = table.withLock { box -> (() -> Void, [AnyRegistration]) in
      var all = box.beside
      box.beside = []
      box.table.forEach { all.append($0) }
      return (box.table.removeAll(), all)
    }
    di_note_change()
    di_quiesce()
    free()
    for registration in all { registration.retire(unlessKeptBy: nil) }
  }

  private func didChange(dropping displaced: [AnyRegistration], for new: AnyRegistration) {
    di_note_change()
    guard !displaced.isEmpty else { return }
    di_quiesce()
    // Dropping it, and what was kept for it, may run user code: here no lock is held.
    for registration in displaced { registration.retire(unlessKeptBy: new) }
    withExtendedLifetime(displaced) {}
  }
}

extension AnyRegistration {
  /// Drops what is kept for the registration, which was displaced.
  ///
  /// Not what its changed form goes on keeping, nor a singleton by key path, which is the process's.
  fileprivate func retire(unlessKeptBy new: AnyRegistration?) {
    guard let slot, slot !== new?.slot else { return }
    if options.factory != nil, scope === Scope.singleton { return }
    slot.retire()
  }
}

extension Registry.TableBox {
  /// Stores a registration, and hands back what nobody has a use for any more.
  ///
  /// Registering a key again replaces what was registered for it; implementing a protocol adds to
  /// those that implement it already.
  fileprivate func set(_ registration: AnyRegistration) -> [AnyRegistration] {
    let key = registration.key
    var dropped: [AnyRegistration] = []
    if !beside.isEmpty {
      let isReplaced = { (other: AnyRegistration) in
        other.key == key
          && (registration.isRemoval || other.aliasTarget == registration.aliasTarget)
      }
      dropped = beside.filter(isReplaced)
      beside.removeAll(where: isReplaced)
    }
    guard let displaced = table.set(registration) else { return dropped }
    let isAlsoNeeded =
      !registration.isRemoval && !displaced.isRemoval
      && displaced.aliasTarget != registration.aliasTarget
    if isAlsoNeeded { beside.append(displaced) }
    return dropped + [displaced]
  }

  /// Puts a changed form of a registration beside the table in the place of the earlier one.
  fileprivate func change(beside registration: AnyRegistration) -> [AnyRegistration] {
    guard let place = beside.firstIndex(where: { $0.id == registration.id }) else { return [] }
    defer { beside[place] = registration }
    return [beside[place]]
  }
}
