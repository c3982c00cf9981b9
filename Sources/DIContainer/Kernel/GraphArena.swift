internal import DIPrimitives

// The instances that the running resolution cycle shares: those of the `.graph` scope. A cycle is
// a thread's outermost resolution with all that it asks for. The arena belongs to the thread's
// record and is reused by every cycle, so that sharing an object allocates nothing: its service's
// words are kept beside a reference. Reached by address: a class's fields would be checked for
// overlapping access at each use.

/// The shared instances of a thread's resolution cycle.
struct GraphArena {
  private struct Entry {
    let registration: UInt64
    /// The scope whose caches are in force; for a list of parameters, the one it stands in for.
    ///
    /// A cycle may cross into a layer of its own. Held, since nothing else may come to have its
    /// address while the cycle lasts.
    let scope: UnsafeMutableRawPointer?
    /// The object itself, or a box around a value.
    let object: Unmanaged<AnyObject>
    /// The size of the service, whose words stand beside it; zero if it is a box.
    let size: Int
    let words: ServiceWords

    func release() {
      object.release()
      if let scope { Unmanaged<AnyObject>.fromOpaque(scope).release() }
    }
  }

  private struct Key: Hashable {
    let registration: UInt64
    let scope: UnsafeMutableRawPointer?
  }

  // Few cycles share more than a handful of instances: these are scanned, larger ones indexed.
  private static let scanned = 16
  private var entries: UnsafeMutablePointer<Entry> = .allocate(capacity: scanned)
  private var capacity = scanned
  private var count = 0
  private var index: [Key: Int] = [:]

  @inline(__always)
  private static func of(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<GraphArena>? {
    thread.pointee.graph?.assumingMemoryBound(to: GraphArena.self)
  }

  /// Copies what the cycle shares for a registration to uninitialised memory, if it does.
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
    _ = entry.pointee.object.retain()
    entry.pointee.words.copy(to: out, size: entry.pointee.size)
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
    ready(thread).pointee.add(
      Entry(
        registration: registration, scope: scope, object: object.retain(), size: size,
        words: ServiceWords(copying: memory, size: size)))
  }

  /// Shares what a box holds.
  static func add(
    _ box: AnyBox, _ registration: UInt64, _ scope: UnsafeMutableRawPointer?,
    _ thread: UnsafeMutablePointer<di_thread>
  ) {
    ready(thread).pointee.add(
      Entry(
        registration: registration, scope: scope,
        object: Unmanaged<AnyObject>.passRetained(box), size: 0, words: ServiceWords()))
  }

  /// Lets go of everything once the thread's outermost resolution has ended.
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

  /// Lets go of an arena that was taken from a thread.
  static func discard(_ raw: UnsafeMutableRawPointer) {
    let arena = raw.assumingMemoryBound(to: GraphArena.self)
    for position in 0..<arena.pointee.count { arena.pointee.entries[position].release() }
    arena.pointee.entries.deallocate()
    arena.deinitialize(count: 1).deallocate()
  }

  /// The thread's arena, made on first use and handed on with the thread's record.
  @inline(__always)
  private static func ready(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<GraphArena> {
    of(thread) ?? make(thread)
  }

  // Not inlined: it would take registers from whatever shares an instance.
  @inline(never)
  private static func make(
    _ thread: UnsafeMutablePointer<di_thread>
  ) -> UnsafeMutablePointer<GraphArena> {
    let arena = UnsafeMutablePointer<GraphArena>.allocate(capacity: 1)
    arena.initialize(to: GraphArena())
    thread.pointee.graph = UnsafeMutableRawPointer(arena)
    return arena
  }

  private mutating func add(_ entry: Entry) {
    if count == capacity { grow() }
    if let scope = entry.scope { _ = Unmanaged<AnyObject>.fromOpaque(scope).retain() }
    (entries + count).initialize(to: entry)
    count += 1
    if count == Self.scanned + 1 {
      for position in 0..<count { addToIndex(position) }
    } else if count > Self.scanned {
      addToIndex(count - 1)
    }
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
