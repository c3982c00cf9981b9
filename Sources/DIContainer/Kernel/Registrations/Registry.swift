internal import DIPrimitives

// One container's registrations, or what one sandbox put over them: a table under a lock for
// writers, and a reader that needs none. Beside the table stand the registrations that it has no
// room for (Registry+Contents.swift): it has one a key, and several services may implement one
// protocol. Only `many` looks at them.

/// Registrations by key.
///
/// Copies share the registrations.
package struct Registry: @unchecked Sendable {
  // Sendable: readers use atomics inside read sections, and writers hold the table's lock.

  /// What the table is part of, and stays as long as: a storage, or a sandbox.
  private let owner: AnyObject
  /// What readers and writers share, good for as long as somebody holds this.
  let table: UnsafeMutablePointer<di_table>

  /// A table of its own.
  private final class Storage: Sendable {
    // Read and written by its address only; it has to stay the first property.
    private let shared = Unchecked(di_table())

    var table: UnsafeMutablePointer<di_table> {
      firstProperty(of: self).assumingMemoryBound(to: di_table.self)
    }

    deinit { Registry.clear(table) }
  }

  private final class Children {
    let all: [Resolver]
    init(_ all: [Resolver]) { self.all = all }
  }

  package init() {
    let storage = Storage()
    di_lock_init(di_table_lock(storage.table))
    owner = storage
    table = storage.table
  }

  /// What a sandbox puts over a container, which is held.
  ///
  /// `next`: what it put over another one before.
  init(over core: ContainerCore, next: UnsafeMutableRawPointer?) {
    self.init()
    Self.put(table, over: core, next: next, owner: owner)
  }

  /// What a sandbox put over a container, from the table that its scope has.
  init(_ table: UnsafeMutablePointer<di_table>) {
    owner = Unmanaged.fromOpaque(table.pointee.owner.unsafelyUnwrapped).takeUnretainedValue()
    self.table = table
  }

  private init(_ table: UnsafeMutablePointer<di_table>, owner: AnyObject) {
    self.owner = owner
    self.table = table
  }

  /// Runs with what a sandbox put over a container, without counting a reference to it.
  @inline(__always)
  static func with<Result>(
    _ table: UnsafeMutablePointer<di_table>, _ body: (Registry) -> Result
  ) -> Result {
    Unmanaged<AnyObject>.fromOpaque(table.pointee.owner.unsafelyUnwrapped)
      ._withUnsafeGuaranteedRef { body(Registry(table, owner: $0)) }
  }

  /// Makes a table, which is part of a sandbox, what that puts over a container, which is held.
  static func put(
    _ table: UnsafeMutablePointer<di_table>, over core: ContainerCore,
    next: UnsafeMutableRawPointer?, owner: AnyObject
  ) {
    di_lock_init(di_table_lock(table))
    table.pointee.over = Unmanaged.passRetained(core).toOpaque()
    table.pointee.next = next
    table.pointee.owner = Unmanaged.passUnretained(owner).toOpaque()
  }

  /// Lets go of all that a table holds; nobody reads or writes it any more.
  ///
  /// Nobody needs to be waited for: who runs one of the factories holds the container or the scope,
  /// or was waited for when its container was taken from another.
  static func clear(_ table: UnsafeMutablePointer<di_table>) {
    if di_is_any_factory_running() { Contents(table: RegistrationTable(table)).leaveToRunners() }
    RegistrationTable(table).free()
    di_lock_destroy(di_table_lock(table))
    letGo(of: di_load(di_table_children(table)))
    letGo(of: di_load(di_table_beside(table)))
    letGo(of: table.pointee.over)
  }

  private static func letGo(of held: UnsafeMutableRawPointer?) {
    if let held { Unmanaged<AnyObject>.fromOpaque(held).release() }
  }

  /// The table, which the scope of a sandbox is to hold from now on.
  var held: UnsafeMutablePointer<di_table> {
    _ = Unmanaged.passRetained(owner)
    return table
  }

  /// Lets go of what the scope of a sandbox held.
  static func release(_ table: UnsafeMutablePointer<di_table>) { letGo(of: table.pointee.owner) }

  /// The container that it is put over; for what a sandbox puts over one only.
  var container: ContainerCore {
    withTable { Unmanaged.fromOpaque($0.pointee.over.unsafelyUnwrapped).takeUnretainedValue() }
  }

  @inline(__always)
  private func withTable<Result>(
    _ body: (UnsafeMutablePointer<di_table>) -> Result
  ) -> Result {
    defer { withExtendedLifetime(owner) {} }
    return body(table)
  }

  @inline(__always)
  private func withContents<Result>(_ body: (inout Contents) -> Result) -> Result {
    withTable { table in
      di_lock_acquire(di_table_lock(table))
      defer { di_lock_release(di_table_lock(table)) }
      var contents = Contents(table: RegistrationTable(table))
      return body(&contents)
    }
  }

  /// The lock-free view; use it between `di_pin` and `di_unpin` only, while the registry lives.
  var reader: RegistrationTable.Reader { RegistrationTable.Reader(table) }

  /// The registration for `key`, or a marker that one was taken away.
  func find(_ key: RawKey) -> Registration? {
    withTable { table in
      let thread = di_thread_get()
      di_pin(thread)
      let found = RegistrationTable.Reader(table).find(key)?.takeUnretainedValue()
      di_unpin(thread)
      return found
    }
  }

  /// Stores a registration in the place of whatever has its key.
  func set(_ registration: Registration) {
    let dropped = withContents { $0.set(registration) }
    didChange(dropping: dropped, for: registration)
  }

  /// Stores a registration unless `keep` says that the one with its key stays.
  @discardableResult
  func set(
    _ registration: Registration, mayBeNew: Bool = true, unless keep: (Registration) -> Bool
  ) -> Bool {
    var displaced: Registration?
    return set(registration, mayBeNew: mayBeNew, unless: keep, displacing: &displaced)
  }

  /// The same; hands back the registration that had the key.
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

  /// Stores a registration if nothing has its key, which is usual and then all there is to do.
  func add(_ registration: Registration) -> Bool {
    let isAdded = withContents { contents in
      if contents.hasBeside { return false }
      return contents.table.add(registration)
    }
    if isAdded { di_note_change() }
    return isAdded
  }

  /// Every registration, in the order made, removal markers among them.
  func all() -> [Registration] {
    var all: [Registration] = []
    withContents { $0.table.forEach { all.append($0) } }
    return all.sorted { $0.id < $1.id }
  }

  /// Every registration with those that share a key, in the order made: enough to begin anew.
  func everything() -> [Registration] {
    withContents { contents in
      var all = contents.beside
      contents.table.forEach { all.append($0) }
      return all
    }.sorted { $0.id < $1.id }
  }

  /// Every registration for a type, under whatever name, in the order made.
  ///
  /// Those that share a key are all there, and so are markers for what was taken away.
  func all(of type: Any.Type) -> [Registration] {
    var all: [Registration] = []
    withContents { contents in
      contents.table.forEach { if $0.key.type == type, $0.key.property == nil { all.append($0) } }
      all += contents.beside.filter { $0.key.type == type }
    }
    return all.sorted { $0.id < $1.id }
  }

  /// Puts registrations in the place of all there are.
  func replaceAll(with registrations: [Registration]) {
    let (free, dropped) = withContents { contents -> (() -> Void, [Registration]) in
      var dropped = contents.beside
      contents.beside = []
      contents.table.forEach { dropped.append($0) }
      let free = contents.table.removeAll()
      for registration in registrations { contents.set(registration) }
      return (free, dropped)
    }
    di_note_change()
    di_quiesce()
    free()
    let kept = Set(registrations.compactMap { $0.slot.map { ObjectIdentifier($0) } })
    for old in dropped {
      old.leaveToRunners()
      guard let slot = old.slot, !kept.contains(ObjectIdentifier(slot)) else { continue }
      old.retire(unlessKeptBy: nil)
    }
  }

  /// Stores a changed form of a registration, unless something else has its key than was seen
  /// before the look at the registration.
  @discardableResult
  func replace(_ present: Registration?, with changed: Registration) -> Bool {
    set(changed, unless: { $0 !== present })
  }

  /// The same for several, while those that they displace are remembered: nothing is forgotten.
  func put(_ changes: [(present: Registration?, changed: Registration)]) {
    let dropped = withContents { contents in
      changes.compactMap { present, changed in
        contents.set(changed, unless: { $0 !== present })
      }
    }
    di_note_change()
    di_quiesce()
    for dropped in dropped { dropped.leaveToRunners() }
  }

  /// What has each key now.
  func byKey() -> [ServiceKey: Registration] {
    Dictionary(all().map { ($0.key, $0) }, uniquingKeysWith: { $1 })
  }

  /// Takes away all there are.
  func removeAll() { replaceAll(with: []) }

  // MARK: Over another container

  /// Whether nothing shows of the container that a sandbox's registrations stand over.
  var hidesBelow: Bool {
    withTable { RegistrationTable.Reader($0).has(RegistrationTable.Mark.hidesBelow) }
  }

  func hideBelow() { withContents { $0.table.mark(RegistrationTable.Mark.hidesBelow) } }

  /// Notes that there are containers below.
  func noteChildren() { withContents { $0.table.mark(RegistrationTable.Mark.hasChildren) } }

  /// The children that a sandbox gave to the container it stands over.
  var children: [Resolver]? {
    withTable { table in
      if di_load(di_table_children(table)) == nil { return nil }
      let thread = di_thread_get()
      di_pin(thread)
      let children = di_load(di_table_children(table)).map {
        Unmanaged<Children>.fromOpaque($0).takeUnretainedValue()
      }
      di_unpin(thread)
      return children?.all
    }
  }

  func setChildren(_ children: [Resolver]) {
    noteChildren()
    let new = Unmanaged.passRetained(Children(children)).toOpaque()
    guard let old = withTable({ di_exchange(di_table_children($0), new) }) else { return }
    di_quiesce()
    Unmanaged<Children>.fromOpaque(old).release()
  }

  private func didChange(dropping dropped: Dropped, for new: Registration) {
    di_note_change()
    if dropped.displaced == nil, dropped.beside.isEmpty { return }
    di_quiesce()
    dropped.leaveToRunners()
    // Dropping it, and what was kept for it, may run user code: here no lock is held.
    for registration in dropped.beside { registration.retire(unlessKeptBy: new) }
    dropped.displaced?.retire(unlessKeptBy: new)
    withExtendedLifetime(dropped) {}
  }
}

extension Registration {
  /// Leaves references to it to whoever runs its factory; readers have left.
  func leaveToRunners() {
    di_leave_to_runners(id, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Drops what is kept for the registration, which was displaced.
  ///
  /// Not what its changed form goes on keeping, nor a singleton by key path, which is the
  /// process's.
  fileprivate func retire(unlessKeptBy new: Registration?) {
    guard let slot, slot !== new?.slot else { return }
    // What is wrapped is what was there.
    if new?.isOrDecorates(id) == true { return }
    if options.factory != nil, scope === Scope.singleton { return }
    slot.retire()
  }
}
