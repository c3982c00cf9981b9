internal import DIPrimitives

// The once-state: where a kept instance lives, and how it comes to be built exactly once.
//
// A reader inside a read section loads `word` and copies the value out of what it points to.
// Everything else happens under one process-wide build lock, which is never held while user code
// runs: who builds what, who waits for whom, and which thread is woken. One lock for all slots is
// what makes a cycle between threads visible: before a thread goes to sleep it follows "waits for
// … is built by" from the slot it wants, and if that leads back to itself, nobody would ever wake
// it. Only first requests come here.

/// Where an instance is kept.
///
/// Beside it: Slot+Instances.swift, what goes in and out, typed; Slot+Dependents.swift, those that
/// stand for it elsewhere.
package final class Slot {
  // What is kept (see `Kept`), or nil. Read and written by its address only; it has to stay the
  // first property of a class that has no superclass.
  private var kept: UnsafeMutableRawPointer?
  package let scope: Scope
  /// The type of the instance.
  let type: Any.Type
  // Guarded by the build lock, so that nobody needs to check that no two accesses overlap:
  private var builder: UnsafeMutablePointer<di_thread>?
  @exclusivity(unchecked) private var waiting: [Waiter] = []
  /// What was built for threads that waited for it, where it may not be found here afterwards.
  private var handedOver: [UnsafeMutablePointer<di_thread>: AnyBox] = [:]
  private var timesForgotten = 0
  /// Whether a reset of the scope comes here; from the first turn on.
  private var isKnownToScope = false
  /// The instance that is being built, from when its properties are being set.
  private var early: AnyBox?

  /// Whether a scope of the context keeps it, which resets of the process do not reach.
  let isOfContext: Bool

  private struct Waiter {
    let thread: UnsafeMutablePointer<di_thread>
    /// The turn that was under way when it came.
    let turn: Int
  }

  // Guarded by the build lock too, and only used in Slot+Dependents.swift:
  @exclusivity(unchecked) var derived = DerivedSlots()
  /// Those of what decorations make of the instance, which are forgotten with it.
  @exclusivity(unchecked) var decorated = DerivedSlots()
  @exclusivity(unchecked) var contextLinks = ContextLinks()

  package convenience init(_ scope: Scope, _ type: Any.Type) {
    self.init(scope, type, isOfContext: false)
  }

  init(_ scope: Scope, _ type: Any.Type, isOfContext: Bool) {
    self.scope = scope
    self.type = type
    self.isOfContext = isOfContext
  }

  /// Where readers find what is kept.
  var word: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    firstProperty(of: self).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  /// A turn that `thread` has taken, for a thing that is kept elsewhere.
  ///
  /// Its circle of waiting threads is always open: who would close it does not wait.
  convenience init(openTurnOf thread: UnsafeMutablePointer<di_thread>) {
    self.init(.unique, Bool.self, isOfContext: true)
    builder = thread
    early = StrongBox(true, onRelease: nil)
  }

  deinit {
    if isKnownToScope { scope.remove(self) }
    leaveAll()
    if let raw = di_load(word) { Kept(raw: raw).release() }
  }

  /// An empty once-state for the same scope and type.
  func makeEmpty() -> Slot { Slot(scope, type) }

  var isEmpty: Bool { di_load(word) == nil }

  /// Gets the address of the instance that is let go.
  typealias OnRelease = (UnsafeRawPointer) -> Void

  var isWeak: Bool {
    switch scope.kind {
    case .weak, .ownerWeak, .siteWeak: true
    default: false
    }
  }

  /// Copies the kept instance to uninitialised memory; false if there is none.
  ///
  /// The caller is in a read section.
  @inline(__always)
  static func copyPinned(
    _ word: UnsafeMutablePointer<UnsafeMutableRawPointer?>, to out: UnsafeMutableRawPointer
  ) -> Bool {
    guard let raw = di_load(word) else { return false }
    return Kept(raw: raw).copy(to: out)
  }

  /// Copies the kept instance to uninitialised memory; false if there is none.
  @inline(__always)
  func copy(
    _ thread: UnsafeMutablePointer<di_thread>, to out: UnsafeMutableRawPointer
  ) -> Bool {
    di_pin(thread)
    defer { di_unpin(thread) }
    return Self.copyPinned(word, to: out)
  }

  /// Copies the kept instance to uninitialised memory, or makes the calling thread its builder.
  ///
  /// Waits while another thread builds. The builder has to call `end` with the number it gets;
  /// where it keeps nothing, the next in line builds anew.
  ///
  /// - Returns: The number of the turn; nil if there is an instance.
  func begin(
    _ out: UnsafeMutableRawPointer, _ thread: UnsafeMutablePointer<di_thread>,
    cycle: ([ChainLink]) -> ResolutionError
  ) throws -> Int? {
    while true {
      if copy(thread, to: out) { return nil }
      switch takeTurn(thread) {
      case .filled(let evidence):
        if withExtendedLifetime(evidence, { copy(thread, to: out) }) { return nil }
      case .early(let box):
        if box.copy(to: out) { return nil }
      case .cycle(let chain):
        throw cycle(chain)
      case .build(let turn):
        joinScope()
        return turn
      }
    }
  }

  /// From now on a reset of the scope reaches this slot, and what is being built.
  ///
  /// What a sandbox or a layer keeps is out of the process's reach.
  func joinScope() {
    if isOfContext { return }
    BuildLock.withLock { isKnownToScope = true }
    scope.add(self)
  }

  /// Ends the calling thread's turn and keeps the instance in memory.
  ///
  /// Unless it was told to forget meanwhile: those who wait for it get it, and it is not kept.
  /// Nothing is kept weakly that is not an instance of a class.
  func end(_ turn: Int, keeping memory: UnsafeMutableRawPointer, onRelease: OnRelease?) {
    end(turn, keeping: toKeep(memory, onRelease), in: memory)
  }

  /// Something to hold if an instance is kept (for weak ones: and still alive), else nil.
  ///
  /// The caller lets go of it once it holds no lock: it may be the last to hold a weakly kept one.
  private func evidence() -> AnyObject? {
    // Called with the build lock held: nobody displaces the box meanwhile.
    di_load(word).flatMap { Kept(raw: $0).evidence }
  }

  /// How many threads wait for an instance.
  package var waiterCount: Int { BuildLock.withLock { waiting.count } }

  /// How often it was told to forget; changes while an instance is built without it knowing.
  var forgettings: Int { BuildLock.withLock { timesForgotten } }

  /// Drops the kept instance.
  ///
  /// One that is being built right now will not be kept.
  package func forget() {
    let old = BuildLock.withLock {
      timesForgotten += 1
      return di_exchange(word, nil)
    }
    drop(old)
  }

  private func drop(_ raw: UnsafeMutableRawPointer?) {
    guard let raw else { return }
    di_quiesce()
    Kept(raw: raw).release()
  }

  fileprivate enum Turn {
    /// The calling thread builds; the number goes back to `end`.
    case build(Int)
    /// There is an instance to be had, and alive for as long as the evidence is held.
    case filled(AnyObject)
    /// Waiting would never end, but there is an instance whose properties are being set.
    case early(AnyBox)
    /// Waiting would never end: the chain leads from this slot back to it.
    case cycle([ChainLink])
  }

  /// Makes the calling thread the builder, or waits until there is an instance.
  fileprivate func takeTurn(_ thread: UnsafeMutablePointer<di_thread>) -> Turn {
    // Bare, because it does not stay held: `di_wait` lets go of it while the thread sleeps.
    di_build_lock_acquire()
    defer { di_build_lock_release() }
    while true {
      if let evidence = evidence() { return .filled(evidence) }
      if builder == nil {
        builder = thread
        return .build(timesForgotten)
      }
      if let chain = cycle(closedBy: thread) {
        // An instance whose properties ask for it again.
        if let early { return .early(early) }
        // Or somebody else in the circle can go on in that way.
        guard opensCircle(closedBy: thread) else { return .cycle(chain) }
      }
      waiting.append(Waiter(thread: thread, turn: timesForgotten))
      di_set_waiting_for(thread, Unmanaged.passUnretained(self).toOpaque())
      // `end` clears it. Where there is nothing to have (it failed, or came when an older one was
      // being built that was to be forgotten), the loop gives this thread a turn of its own.
      while di_waiting_for(thread) != nil { di_wait(thread) }
      if let box = handedOver.removeValue(forKey: thread) { return .early(box) }
    }
  }

  /// Waits until an open turn is over; false if that would never be.
  func wait(_ thread: UnsafeMutablePointer<di_thread>) -> Bool {
    guard case .build(let turn) = takeTurn(thread) else { return false }
    end(turn)
    return true
  }

  /// Ends the calling thread's turn.
  ///
  /// `memory`: where the instance is, if there is one to keep.
  func end(
    _ turn: Int, keeping instance: Kept.Instance? = nil, in memory: UnsafeMutableRawPointer? = nil
  ) {
    var displaced: UnsafeMutableRawPointer?
    var box: AnyBox?
    let early = BuildLock.withLock {
      if let instance, turn == timesForgotten {
        displaced = di_exchange(word, Kept(holding: instance).raw)
      }
      if instance != nil, let memory, turn != timesForgotten || isWeak,
        waiting.contains(where: { $0.turn == turn })
      {
        box = makeStrongBox(memory)
      }
      return endTurn { if $0.turn == turn { handedOver[$0.thread] = box } }
    }
    drop(displaced)
    withExtendedLifetime((early, box)) {}
  }

  /// Ends the turn of a thread that will never come back, as if it had failed.
  func abandon() {
    let early = BuildLock.withLock { endTurn() }
    withExtendedLifetime(early) {}
  }

  // The caller holds the build lock, and lets go of the answer when it holds it no more.
  private func endTurn(_ each: (Waiter) -> Void = { _ in }) -> AnyBox? {
    defer { early = nil }
    builder = nil
    for waiter in waiting {
      each(waiter)
      di_set_waiting_for(waiter.thread, nil)
      di_wake(waiter.thread)
    }
    waiting = []
    return early
  }

  /// Shows the new instance in `memory` to its properties' resolutions, and to those that would
  /// wait for it in a circle.
  ///
  /// Services that refer to each other by way of properties resolve on one thread, because the
  /// instance counts as made when its properties are set. So they must on two threads that start
  /// at different ends.
  func show(early memory: UnsafeMutableRawPointer) {
    let box = makeStrongBox(memory)
    let old = BuildLock.withLock {
      defer { early = box }
      return early
    }
    // The last reference to what an earlier one held may go here, with no lock held.
    withExtendedLifetime(old) {}
  }

  /// Wakes a thread of the circle that waits for an instance whose properties are being set.
  private func opensCircle(closedBy thread: UnsafeMutablePointer<di_thread>) -> Bool {
    var slot = self
    while let builder = slot.builder, builder != thread, let next = di_waiting_for(builder) {
      slot = Unmanaged<Slot>.fromOpaque(next).takeUnretainedValue()
      if slot.early != nil {
        slot.waiting.removeAll { $0.thread == builder }
        di_set_waiting_for(builder, nil)
        di_wake(builder)
        return true
      }
    }
    return false
  }

  /// The circle of resolutions that would close if `thread` waited for this slot.
  private func cycle(closedBy thread: UnsafeMutablePointer<di_thread>) -> [ChainLink]? {
    var builders: [(thread: UnsafeMutablePointer<di_thread>, slot: Slot)] = []
    var slot = self
    while let builder = slot.builder {
      builders.append((builder, slot))
      if builder == thread { break }
      guard let next = di_waiting_for(builder) else { return nil }
      slot = Unmanaged<Slot>.fromOpaque(next).takeUnretainedValue()
    }
    guard builders.last?.thread == thread else { return nil }
    // It is a circle: every other thread in it sleeps under the build lock, so its frames, which
    // must not be looked at before, hold still.
    let parts = builders.map { thread, slot in
      ResolutionStack.chain(of: thread, from: Unmanaged.passUnretained(slot).toOpaque())
    }
    return parts.last! + parts.dropLast().flatMap { $0 }
  }
}
