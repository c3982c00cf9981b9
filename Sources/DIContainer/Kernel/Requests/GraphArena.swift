internal import DIPrimitives

// The instances that the running resolution cycle shares: those of the `.graph` scope. A cycle is a
// thread's outermost resolution with all dependencies. The arena belongs to the thread's record and
// is reused by every cycle, so that sharing an object allocates nothing: its service's words are
// kept beside a reference. Reached by address: a class's fields would be checked for overlapping
// access at each use.

/// The shared instances of a thread's resolution cycle.
struct GraphArena {
  private struct Entry {
    var registration: UInt64
    /// The scope whose caches are in force; for a list of parameters, the list that it replaces.
    ///
    /// A cycle may enter a layer of its own. Retained, so that the address is not reused while the
    /// cycle lasts.
    var scope: UnsafeMutableRawPointer?
    /// The object itself, or a box around a value.
    var object: Unmanaged<AnyObject>
    /// The size of the service; zero if it is a box.
    var size: Int
    /// The words of a service that consists of more than the reference.
    var words: ServiceWords

    func release() {
      object.release()
      if let scope { Unmanaged<AnyObject>.fromOpaque(scope).release() }
    }
  }

  private struct Key: Hashable {
    let registration: UInt64
    let scope: UnsafeMutableRawPointer?
  }

  // Few cycles share more than a handful of instances: up to this many are scanned, more are
  // indexed.
  private static let scanned = 16
  private var entries: UnsafeMutablePointer<Entry> = .allocate(capacity: scanned)
  private var capacity = scanned
  private var count = 0
  private var index: [Key: Int] = [:]
  /// Properties that are set at the end of the cycle; see PutOff.swift.
  private var putOff: [PutOff] = []

  @inline(__always)
  private static func of(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<GraphArena>? {
    thread.pointee.graph?.assumingMemoryBound(to: GraphArena.self)
  }

  /// Copies the instance that the cycle shares for a registration to uninitialised memory, if any.
  @inline(__always)
  static func copy(
    _ registration: UInt64, _ scope: UnsafeMutableRawPointer?, to out: UnsafeMutableRawPointer,
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> Bool {
    guard let arena = of(thread), arena.pointee.count > 0,
      let entry = arena.pointee.find(registration, scope)
    else { return false }
    if entry.pointee.size == 0 {
      let box = unsafeDowncast(
        entry.pointee.object._withUnsafeGuaranteedRef { $0 }, to: AnyBox.self)
      return box.copy(to: out)
    }
    out.storeBytes(of: entry.pointee.object.retain().toOpaque(), as: UnsafeMutableRawPointer.self)
    entry.pointee.words.copyWitnesses(to: out, size: entry.pointee.size)
    return true
  }

  private func find(
    _ registration: UInt64, _ scope: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<Entry>? {
    if count > Self.scanned {
      return index[Key(registration: registration, scope: scope)].map { entries + $0 }
    }
    var entry = entries
    for _ in 0..<count {
      if entry.pointee.registration == registration, entry.pointee.scope == scope { return entry }
      entry += 1
    }
    return nil
  }

  /// Shares the service in `memory`, whose only reference is the one to `object`.
  static func add(
    _ object: Unmanaged<AnyObject>, from memory: UnsafeRawPointer, size: Int,
    _ registration: UInt64, _ scope: UnsafeMutableRawPointer?,
    _ thread: UnsafeMutablePointer<di_thread>
  ) {
    let arena = ready(thread)
    let entry = arena.pointee.append(object.retain(), size: size, registration, scope)
    if size > 8 { entry.pointee.words = ServiceWords(copying: memory, size: size) }
  }

  /// Shares the content of a box.
  static func add(
    _ box: AnyBox, _ registration: UInt64, _ scope: UnsafeMutableRawPointer?,
    _ thread: UnsafeMutablePointer<di_thread>
  ) {
    let arena = ready(thread)
    _ = arena.pointee.append(Unmanaged<AnyObject>.passRetained(box), size: 0, registration, scope)
  }

  /// Releases everything once the thread's outermost resolution has ended.
  @inline(__always)
  static func endCycle(_ thread: UnsafeMutablePointer<di_thread>) {
    if let arena = of(thread), arena.pointee.count > 0 { clear(arena, thread) }
  }

  @inline(never)
  private static func clear(
    _ arena: UnsafeMutablePointer<GraphArena>, _ thread: UnsafeMutablePointer<di_thread>
  ) {
    // A deinit that runs here may resolve, which begins a cycle of its own.
    thread.pointee.graph = nil
    // Any that are left belong to a cycle that failed.
    dropPutOff(of: arena)
    let count = arena.pointee.count
    for position in (0..<count).reversed() { arena.pointee.entries[position].release() }
    arena.pointee.count = 0
    if !arena.pointee.index.isEmpty { arena.pointee.index = [:] }
    if let other = of(thread) {
      other.pointee.entries.deallocate()
      other.deinitialize(count: 1).deallocate()
    }
    thread.pointee.graph = UnsafeMutableRawPointer(arena)
  }

  /// Releases an arena that was removed from a thread.
  static func discard(_ raw: UnsafeMutableRawPointer) {
    let arena = raw.assumingMemoryBound(to: GraphArena.self)
    dropPutOff(of: arena)
    for position in 0..<arena.pointee.count { arena.pointee.entries[position].release() }
    arena.pointee.entries.deallocate()
    arena.deinitialize(count: 1).deallocate()
  }

  /// Whether the cycle shares an instance; properties are only deferred with one.
  @inline(__always)
  static func isInUse(_ thread: UnsafeMutablePointer<di_thread>) -> Bool {
    of(thread).map { $0.pointee.count > 0 } ?? false
  }

  static func hasPutOff(_ thread: UnsafeMutablePointer<di_thread>) -> Bool {
    of(thread).map { !$0.pointee.putOff.isEmpty } ?? false
  }

  /// Defers properties; the cycle shares their instance.
  static func putOff(_ properties: PutOff, _ thread: UnsafeMutablePointer<di_thread>) {
    ready(thread).pointee.putOff.append(properties)
  }

  /// Sets the properties that were put off, and those that are put off meanwhile; then keeps the
  /// instances that waited for them.
  static func setPutOff(_ thread: UnsafeMutablePointer<di_thread>) throws {
    while let arena = of(thread), !arena.pointee.putOff.isEmpty {
      var next = 0
      do {
        while next < arena.pointee.putOff.count {
          try arena.pointee.putOff[next].set(thread)
          next += 1
        }
      } catch {
        dropPutOff(of: arena)
        throw error
      }
      let set = arena.pointee.putOff
      arena.pointee.putOff = []
      // An instance that is released by this may resolve in its `deinit`.
      for properties in set { properties.keep() }
    }
  }

  static func dropPutOff(_ thread: UnsafeMutablePointer<di_thread>) {
    if let arena = of(thread) { dropPutOff(of: arena) }
  }

  private static func dropPutOff(of arena: UnsafeMutablePointer<GraphArena>) {
    if arena.pointee.putOff.isEmpty { return }
    let dropped = arena.pointee.putOff
    arena.pointee.putOff = []
    for properties in dropped { properties.giveUp() }
  }

  /// The thread's arena, made on first use and reused with the thread's record.
  @inline(__always)
  private static func ready(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<GraphArena> {
    of(thread) ?? make(thread)
  }

  // Not inlined: it would take registers from callers that share an instance.
  @inline(never)
  private static func make(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<GraphArena> {
    let arena = UnsafeMutablePointer<GraphArena>.allocate(capacity: 1)
    arena.initialize(to: GraphArena())
    thread.pointee.graph = UnsafeMutableRawPointer(arena)
    return arena
  }

  // Field by field: an entry that is composed first and then copied waits for its own stores.
  @inline(__always)
  private mutating func append(
    _ object: Unmanaged<AnyObject>, size: Int, _ registration: UInt64,
    _ scope: UnsafeMutableRawPointer?
  ) -> UnsafeMutablePointer<Entry> {
    if count == capacity { grow() }
    if let scope { _ = Unmanaged<AnyObject>.fromOpaque(scope).retain() }
    let entry = entries + count
    entry.pointee.registration = registration
    entry.pointee.scope = scope
    entry.pointee.object = object
    entry.pointee.size = size
    count += 1
    if count > Self.scanned { addToIndex(from: count == Self.scanned + 1 ? 0 : count - 1) }
    return entry
  }

  private mutating func addToIndex(from first: Int) {
    for position in first..<count { addToIndex(position) }
  }

  private mutating func addToIndex(_ position: Int) {
    let entry = entries + position
    index[Key(registration: entry.pointee.registration, scope: entry.pointee.scope)] = position
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }
}
