internal import DIPrimitives

// The instances that the running object graph shares: those of the `.graph` scope. A graph is a
// thread's outermost resolution with all dependencies. The arena belongs to the thread's record,
// which holds it, and is reused by every graph.

/// The shared instances of a thread's object graph.
final class GraphArena {
  /// The identity of a shared instance.
  struct InstanceKey: Hashable {
    let registration: UInt64
    /// The number of the frame whose caches are in force, or 0: a graph may enter a layer of its
    /// own.
    let cacheFrame: UInt64
  }

  private struct Entry {
    let key: InstanceKey
    let content: Content

    @inline(__always)
    func copy(to out: InstanceMemory) -> Bool {
      switch content {
      case .object(let object): out.initialize(as: AnyObject.self, to: object)
      case .box(let box): return box.copy(to: out)
      }
      return true
    }
  }

  enum Content {
    /// An instance that is requested as a class.
    case object(AnyObject)
    case box(AnyBox)
  }

  // Few graphs share more than a handful of instances: up to this many are scanned, more are
  // indexed.
  private static let scanned = 16
  // Only the thread itself reaches its arena, and no user code runs during an access.
  @exclusivity(unchecked) private var entries: [Entry] = []
  @exclusivity(unchecked) private var index: [InstanceKey: Int] = [:]
  /// The setters that run at the end of the graph; see PutOff.swift.
  @exclusivity(unchecked) private var putOff: [PutOff] = []
  /// The keepers that were filled since setters were put off.
  @exclusivity(unchecked) private var filled: [Keeper] = []
  /// The arena of an async graph that the thread works for, which does not change any more.
  @exclusivity(unchecked) private var inherited: GraphArena?

  init(over inherited: GraphArena? = nil) { self.inherited = inherited }

  /// Creates the arena of an async graph, to which a thread adds the instances of its own.
  ///
  /// Where both have one, that of the graph remains.
  convenience init(_ shared: GraphArena, adding own: GraphArena) {
    self.init()
    (entries, index) = (shared.entries, shared.index)
    for entry in own.entries where position(of: entry.key) == nil { add(entry) }
  }

  @inline(__always)
  private static func of(_ thread: ThreadRecord) -> Unmanaged<GraphArena>? {
    thread.pointee.graph.map { .fromOpaque($0) }
  }

  /// Copies the instance that the graph shares for a registration to uninitialised memory, if any.
  @inline(__always)
  static func copy(
    _ registration: UInt64, in cacheFrame: UInt64 = 0, to out: InstanceMemory,
    _ thread: ThreadRecord
  ) -> Bool {
    of(thread)?._withUnsafeGuaranteedRef {
      $0.copy(InstanceKey(registration: registration, cacheFrame: cacheFrame), to: out)
    } ?? false
  }

  private func copy(_ key: InstanceKey, to out: InstanceMemory) -> Bool {
    if let position = position(of: key) { return entries[position].copy(to: out) }
    return inherited?.copy(key, to: out) ?? false
  }

  @inline(__always)
  private func position(of key: InstanceKey) -> Int? {
    entries.count > Self.scanned ? index[key] : entries.firstIndex { $0.key == key }
  }

  /// Shares an instance.
  static func add(
    _ content: Content, _ registration: UInt64, in cacheFrame: UInt64, _ thread: ThreadRecord
  ) {
    ready(thread)._withUnsafeGuaranteedRef {
      $0.add(
        Entry(
          key: InstanceKey(registration: registration, cacheFrame: cacheFrame), content: content))
    }
  }

  private func add(_ entry: Entry) {
    entries.append(entry)
    if entries.count <= Self.scanned { return }
    for position in (index.isEmpty ? 0 : entries.count - 1)..<entries.count {
      index[entries[position].key] = position
    }
  }

  /// Returns the keeper whose keepers by parameter tell a graph the instances of a registration
  /// apart; nil outside of a graph.
  static func keeper(of registration: Registration, _ thread: ThreadRecord) -> Keeper? {
    if di_steps(thread) == nil { return nil }
    return withUnsafeTemporaryAllocation(of: Keeper.self, capacity: 1) { memory in
      let keeper = InstanceMemory(memory)
      if copy(registration.id, in: ofParameters, to: keeper, thread) {
        return keeper.move(as: Keeper.self)
      }
      let made = Keeper(.graph, registration.key.type)
      add(.object(made), registration.id, in: ofParameters, thread)
      return made
    }
  }

  /// The number, in place of a frame's, by which a graph shares these keepers.
  private static let ofParameters = UInt64.max

  /// Releases everything once the thread's outermost resolution has ended.
  @inline(__always)
  static func endGraph(_ thread: ThreadRecord) {
    if isInUse(thread) { clear(thread) }
  }

  @inline(never)
  private static func clear(_ thread: ThreadRecord) {
    // A deinit that runs here may resolve, which begins a graph of its own.
    let arena = exchange(nil, thread)
    arena?.empty()
    _ = exchange(arena, thread)
  }

  /// Gives a thread another arena, and returns the one that it had.
  static func exchange(_ arena: GraphArena?, _ thread: ThreadRecord) -> GraphArena? {
    defer { thread.pointee.graph = arena.map { Unmanaged.passRetained($0).toOpaque() } }
    return of(thread)?.takeRetainedValue()
  }

  /// Whether it shares an instance of its own.
  var isEmpty: Bool { entries.isEmpty }

  /// Stops looking up instances in the arena of an async graph.
  func dropInherited() { inherited = nil }

  /// Releases the shared instances, once the arena is no thread's.
  func empty() {
    // Any that are left belong to a graph that failed.
    dropPutOff()
    while entries.popLast() != nil {}
    if !index.isEmpty { index = [:] }
  }

  /// Whether the graph shares an instance; setters are only put off with one.
  @inline(__always)
  static func isInUse(_ thread: ThreadRecord) -> Bool {
    of(thread)?._withUnsafeGuaranteedRef { !$0.entries.isEmpty } ?? false
  }

  static func hasPutOff(_ thread: ThreadRecord) -> Bool {
    of(thread)?._withUnsafeGuaranteedRef { !$0.putOff.isEmpty } ?? false
  }

  /// Puts setters off; the graph shares their instance.
  static func putOff(_ setters: PutOff, _ thread: ThreadRecord) {
    ready(thread)._withUnsafeGuaranteedRef { $0.putOff.append(setters) }
  }

  /// Notes a keeper that is emptied if a setter fails that was put off.
  static func noteFilled(_ keeper: Keeper, _ thread: ThreadRecord) {
    guard hasPutOff(thread) else { return }
    ready(thread)._withUnsafeGuaranteedRef { $0.filled.append(keeper) }
  }

  /// Runs the setters that were put off, and those that are put off meanwhile.
  static func runPutOff(_ thread: ThreadRecord) throws {
    guard let arena = of(thread)?.takeUnretainedValue() else { return }
    var next = 0
    do {
      while next < arena.putOff.count {
        let setters = arena.putOff[next]
        try setters.run(thread)
        next += 1
      }
    } catch {
      arena.dropPutOff()
      throw error
    }
    // An instance that is released by this may resolve in its `deinit`.
    let done = (arena.putOff, arena.filled)
    (arena.putOff, arena.filled) = ([], [])
    releaseUnlocked(done)
  }

  static func dropPutOff(_ thread: ThreadRecord) {
    of(thread)?.takeUnretainedValue().dropPutOff()
  }

  private func dropPutOff() {
    let dropped = (putOff, filled)
    (putOff, filled) = ([], [])
    for keeper in dropped.1 { keeper.forget() }
  }

  /// The thread's arena, made on first use and reused with the thread's record.
  private static func ready(_ thread: ThreadRecord) -> Unmanaged<GraphArena> {
    if let arena = of(thread) { return arena }
    let arena = Unmanaged.passRetained(GraphArena())
    thread.pointee.graph = arena.toOpaque()
    return arena
  }
}

extension Registration {
  /// Whether an object graph shares an instance: a class instance, or any if values are shared.
  func shares(_ instance: AnyBox) -> Bool { sharesValues || isObject(instance) }

  func isObject(_ instance: AnyBox) -> Bool {
    if isClass { return true }
    return instance.withCopy(of: key.type) { $0.object(key.type) != nil } ?? false
  }

  /// Shares a new instance with the rest of the object graph, if it is a class instance or
  /// `values` are shared too, as those of properties are.
  func share(
    _ memory: InstanceMemory, in cacheFrame: UInt64 = 0,
    _ thread: ThreadRecord, values: Bool? = nil, as id: UInt64? = nil
  ) {
    let (id, values) = (id ?? self.id, values ?? sharesValues)
    if isClass {
      GraphArena.add(.object(memory.load(as: AnyObject.self)), id, in: cacheFrame, thread)
    } else if let box = box(memory, values: values) {
      GraphArena.add(.box(box), id, in: cacheFrame, thread)
    }
  }
}
