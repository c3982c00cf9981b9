internal import DIPrimitives

// The instances that the running resolution cycle shares: those of the `.graph` scope. A cycle is
// a thread's outermost resolution with all that it asks for. The arena belongs to the thread's
// record and is reused by every cycle, so that sharing a class instance allocates nothing.

/// The shared instances of a thread's resolution cycle.
final class GraphArena {
  private struct Entry {
    let registration: UInt64
    /// The scope whose caches are in force: a cycle may cross into a layer of its own.
    let scope: UnsafeMutableRawPointer?
    let object: AnyObject
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
  static func of(_ thread: UnsafeMutablePointer<di_thread>) -> GraphArena? {
    thread.pointee.graph.map { Unmanaged<GraphArena>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The thread's arena, made on first use and handed on with the thread's record.
  static func make(_ thread: UnsafeMutablePointer<di_thread>) -> GraphArena {
    if let arena = of(thread) { return arena }
    let arena = GraphArena()
    thread.pointee.graph = Unmanaged.passRetained(arena).toOpaque()
    return arena
  }

  /// What the cycle shares for a registration: the instance of a class, or a box around it.
  func find(_ registration: UInt64, _ scope: UnsafeMutableRawPointer?) -> AnyObject? {
    if count > Self.scanned {
      return index[Key(registration: registration, scope: scope)].map { entries[$0].object }
    }
    for entry in UnsafeBufferPointer(start: entries, count: count)
    where entry.registration == registration && entry.scope == scope {
      return entry.object
    }
    return nil
  }

  func add(_ object: AnyObject, _ registration: UInt64, _ scope: UnsafeMutableRawPointer?) {
    if count == capacity { grow() }
    (entries + count).initialize(
      to: Entry(registration: registration, scope: scope, object: object))
    count += 1
    if count == Self.scanned + 1 {
      for position in 0..<count { addToIndex(position) }
    } else if count > Self.scanned {
      addToIndex(count - 1)
    }
  }

  @inline(__always)
  var isEmpty: Bool { count == 0 }

  /// Lets go of everything.
  ///
  /// A deinit that runs here may resolve: meanwhile the thread is without this arena, and what is
  /// shared then goes to another, which takes its place.
  func clear(on thread: UnsafeMutablePointer<di_thread>) {
    let own = thread.pointee.graph
    thread.pointee.graph = nil
    if !index.isEmpty { index = [:] }
    while count > 0 {
      count -= 1
      _ = (entries + count).move()
    }
    if thread.pointee.graph == nil {
      thread.pointee.graph = own
    } else if let own {
      Unmanaged<GraphArena>.fromOpaque(own).release()
    }
  }

  deinit {
    for position in 0..<count { (entries + position).deinitialize(count: 1) }
    entries.deallocate()
  }

  /// Lets go of an arena that was taken from a thread.
  static func discard(_ arena: UnsafeMutableRawPointer) {
    Unmanaged<GraphArena>.fromOpaque(arena).release()
  }

  private func addToIndex(_ position: Int) {
    let entry = entries[position]
    index[Key(registration: entry.registration, scope: entry.scope)] = position
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: entries, count: count)
    entries.deallocate()
    entries = larger
    capacity *= 2
  }
}
