internal import DIPrimitives

// The keeper: where a kept instance is stored, and how it is built exactly once.
//
// A reader inside a read section loads `word` and copies the value from what it points to.
// Everything else happens under one process-wide build lock, which is never held while user code
// runs: which thread builds an instance, which ones wait for it, and which one is woken. One lock
// for all keepers makes a cycle between threads visible: before a thread sleeps it follows "waits
// for … is built by" from the keeper that it needs. If that leads back to itself, no thread would
// ever wake it. Only first requests come here.

/// A holder of one instance that is built once.
///
/// See also AsyncBuild.swift, for builds by tasks, Keeper+Dependents.swift, for the keepers that
/// replace it elsewhere, and Keeper+Parameters.swift, for those of each parameter.
@usableFromInline
package final class Keeper {
  /// The address at which readers find the box of the kept instance, or null.
  let word: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// A serial number, by which scopes find their own keeper in place of this one.
  let id = Registration.nextID()
  package let scope: Scope
  /// The type of the instance.
  let type: Any.Type
  // Guarded by the build lock, so that overlapping accesses need no check:
  private var builder: UnsafeMutablePointer<di_thread>?
  @exclusivity(unchecked) private var waiting: [Waiter] = []
  /// Instances built for waiting threads that may not find them here afterwards.
  private var handedOver: [UnsafeMutablePointer<di_thread>: AnyBox] = [:]
  private(set) var timesForgotten = 0
  /// The number of these that were resets of the scope.
  private var timesReset = 0
  /// Whether a reset of the scope reaches this keeper; true from the first turn on.
  private var isKnownToScope = false
  /// The instance that is being built, available while its properties are set.
  private var early: AnyBox?

  /// Whether a scope of the context keeps it, out of reach of the process's resets.
  let isOfContext: Bool

  private struct Waiter {
    let thread: UnsafeMutablePointer<di_thread>
    /// The value of `timesForgotten` when the thread began to wait, as the builder got it.
    let turn: Int
  }

  // Also guarded by the build lock, and only used in the other files:
  /// The keepers that containers and frames have in its place.
  @exclusivity(unchecked) var substitutes = Dependents()
  /// The keepers of the instance's decorations, which are forgotten with it.
  @exclusivity(unchecked) var decorated = Dependents()
  /// Whether the keeper that it depends on is deallocated, so that it can no longer be requested.
  var isOrphaned = false
  /// The build by a task that further tasks wait for, if one is under way.
  var asyncBuild: AsyncBuild?
  /// The keepers by parameter, if requests have any.
  @exclusivity(unchecked) var parameters: ParameterKeepers?
  /// The time of the last request, if the instance has a time to live.
  var lastRequest: ContinuousClock.Instant?

  package init(_ scope: Scope, _ type: Any.Type, isOfContext: Bool = false) {
    self.scope = scope
    self.type = type
    self.isOfContext = isOfContext
    word = .allocate(capacity: 1)
    word.initialize(to: nil)
  }

  /// Creates a keeper whose turn `thread` has taken, for an instance that is kept elsewhere.
  ///
  /// Its circle of waiting threads is always open: the thread that would close it does not wait.
  convenience init(openTurnOf thread: UnsafeMutablePointer<di_thread>) {
    self.init(.unique, Bool.self, isOfContext: true)
    builder = thread
    early = StrongBox(true)
  }

  deinit {
    if isKnownToScope { scope.remove(self) }
    leaveDependents()
    if let raw = di_load(word) { Self.box(raw).release() }
    word.deallocate()
  }

  var isEmpty: Bool { di_load(word) == nil }

  typealias OnRelease = AnyBox.OnRelease

  var isWeak: Bool {
    switch scope.kind {
    case .weak, .ownerWeak, .siteWeak: true
    default: false
    }
  }

  /// Copies the kept instance to uninitialised memory; returns false if there is none.
  ///
  /// The caller is in a read section.
  @inline(__always)
  static func copyPinned(
    _ word: UnsafeMutablePointer<UnsafeMutableRawPointer?>, to out: UnsafeMutableRawPointer
  ) -> Bool {
    guard let raw = di_load(word) else { return false }
    return box(raw)._withUnsafeGuaranteedRef { $0.copy(to: out) }
  }

  /// Copies the kept instance to uninitialised memory; returns false if there is none.
  @inline(__always)
  func copy(
    _ thread: UnsafeMutablePointer<di_thread>, to out: UnsafeMutableRawPointer
  ) -> Bool {
    di_pin(thread)
    defer { di_unpin(thread) }
    return Self.copyPinned(word, to: out)
  }

  /// A strong box with the kept instance, if there is one.
  var strongBox: AnyBox? { AnyBox.strong(of: type) { copy(di_thread_get(), to: $0) } }

  /// Returns the kept instance, or the one that `build` makes while other threads wait.
  func value<Service>(
    cycle: ([ChainLink]) -> any Error, build: () throws -> Service?
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = memory.baseAddress!
      let raw = UnsafeMutableRawPointer(out)
      guard let turn = try begin(raw, di_thread_get(), cycle: cycle) else { return out.move() }
      do {
        guard let service = try build() else {
          end(turn)
          return nil
        }
        out.initialize(to: service)
      } catch {
        end(turn)
        throw error
      }
      end(turn, keeping: raw, onRelease: nil)
      return out.move()
    }
  }

  /// Copies the kept instance to uninitialised memory, or makes the calling thread its builder.
  ///
  /// Waits while another thread builds. The builder has to call `end` with the number it gets; if
  /// it keeps nothing, the next thread in line builds again.
  ///
  /// - Returns: The number of the turn; nil if there is an instance.
  /// - Throws: The error that `cycle` makes, if the thread would wait for itself.
  func begin(
    _ out: UnsafeMutableRawPointer, _ thread: UnsafeMutablePointer<di_thread>,
    cycle: ([ChainLink]) -> any Error
  ) throws -> Int? {
    var unfit: AnyObject?
    while true {
      if copy(thread, to: out) { return nil }
      switch takeTurn(thread, replacing: unfit) {
      case .filled(let evidence):
        if withExtendedLifetime(evidence, { copy(thread, to: out) }) { return nil }
        // It exists, but is of the type on its actor only, or was forgotten meanwhile.
        unfit = evidence
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

  /// Makes resets of the scope reach this keeper, including an instance that is being built.
  ///
  /// Instances kept by a sandbox or a layer are out of the process's reach.
  func joinScope() {
    if isOfContext { return }
    BuildLock.withLock { isKnownToScope = true }
    scope.add(self)
  }

  /// Ends the calling thread's turn and keeps the instance in memory.
  ///
  /// If the keeper was reset meanwhile, waiting threads get the instance, and it is not kept. Weak
  /// keepers keep class instances only.
  func end(_ turn: Int, keeping memory: UnsafeMutableRawPointer, onRelease: OnRelease?) {
    end(turn, keeping: makeBox(memory, onRelease), in: memory)
  }

  private func makeBox(_ memory: UnsafeMutableRawPointer, _ onRelease: OnRelease?) -> AnyBox? {
    isWeak ? AnyBox.weak(memory, of: type) : AnyBox.strong(memory, of: type, onRelease: onRelease)
  }

  /// Keeps an instance that a task has made, unless there is one, or the build was abandoned, or
  /// the keeper was reset meanwhile.
  ///
  /// - Returns: False if the build was abandoned.
  func keep(_ instance: AnyBox, by build: AsyncBuild, onRelease: OnRelease?) -> Bool {
    InstanceMemory.with(type) { memory in
      guard instance.copy(to: memory) else { return false }
      defer { InstanceMemory.destroy(memory, type) }
      let box = makeBox(memory, onRelease)
      var displaced: UnsafeMutableRawPointer?
      let (isKept, isAbandoned, present) = BuildLock.withLock {
        let present = evidence()
        let isKept =
          (present == nil || present === build.unfit) && asyncBuild === build
          && build.turn == timesForgotten
        if isKept, let box { displaced = di_exchange(word, Unmanaged.passRetained(box).toOpaque()) }
        return (isKept, build.wasCancelled, present)
      }
      if !isKept { box?.dropOnRelease() }
      drop(displaced)
      withExtendedLifetime((present, box)) {}
      return !isAbandoned
    }
  }

  /// Returns an object to hold if an instance is kept (and, if weakly, still alive), else nil.
  ///
  /// The caller releases it once it holds no lock: it may be the last reference to a weakly kept
  /// one.
  func evidence() -> AnyObject? {
    // Called with the build lock held, so the box is not displaced meanwhile.
    di_load(word).flatMap { Self.box($0)._withUnsafeGuaranteedRef { $0.evidence } }
  }

  @inline(__always)
  private static func box(_ raw: UnsafeMutableRawPointer) -> Unmanaged<AnyBox> {
    .fromOpaque(raw)
  }

  /// The number of threads that wait for an instance.
  package var waiterCount: Int { BuildLock.withLock { waiting.count } }

  /// Whether an instance is being built.
  var isBuilding: Bool { BuildLock.withLock { builder != nil } }

  /// Returns whether an instance is kept (and, if weakly, still alive) or being built.
  ///
  /// The caller releases the evidence once it holds no lock.
  func isOccupied(_ held: inout [AnyObject]) -> Bool {
    let (present, isBuilding) = BuildLock.withLock { (evidence(), builder != nil) }
    if let present { held.append(present) }
    return present != nil || isBuilding
  }

  /// Drops the kept instance, and those of all parameters.
  ///
  /// An instance that is being built at the time will not be kept.
  ///
  /// - Parameter isReset: Whether the scope is reset.
  package func forget(isReset: Bool = false) {
    replace(with: nil, isReset: isReset)
    forgetParameters(isReset: isReset)
  }

  /// An instance that was kept, to be kept again.
  struct Saved {
    fileprivate let box: AnyBox
    fileprivate let timesReset: Int
  }

  /// The kept instance, by which `restore` keeps it again.
  var saved: Saved? {
    BuildLock.withLock {
      di_load(word).map { Saved(box: Self.box($0).takeUnretainedValue(), timesReset: timesReset) }
    }
  }

  /// Keeps an instance again that it kept before, or none if it kept none or the scope was reset.
  func restore(_ saved: Saved?) {
    if saved != nil { joinScope() }
    replace(with: saved)
  }

  private func replace(with saved: Saved?, isReset: Bool = false) {
    var unkept = saved.map { Unmanaged.passRetained($0.box).toOpaque() }
    let old = BuildLock.withLock {
      timesForgotten += 1
      if isReset { timesReset += 1 }
      if saved?.timesReset != timesReset { return di_exchange(word, nil) }
      defer { unkept = nil }
      return di_exchange(word, unkept)
    }
    drop(old)
    drop(unkept)
  }

  private func drop(_ raw: UnsafeMutableRawPointer?) {
    guard let raw else { return }
    di_quiesce()
    Self.box(raw).release()
  }

  fileprivate enum Turn {
    /// The calling thread builds, and passes the number to `end`.
    case build(Int)
    /// There is an instance, which stays alive as long as the evidence is held.
    case filled(AnyObject)
    /// The thread would wait for itself, but there is an instance whose properties are being set.
    case early(AnyBox)
    /// The thread would wait for itself: the chain leads from this keeper back to it.
    case cycle([ChainLink])
  }

  /// Makes the calling thread the builder, or waits until there is an instance.
  ///
  /// `unfit`: the evidence of an instance that the caller cannot use.
  fileprivate func takeTurn(
    _ thread: UnsafeMutablePointer<di_thread>, replacing unfit: AnyObject? = nil
  ) -> Turn {
    // Used directly, because it is not held throughout: `di_wait` releases it while the thread
    // sleeps.
    di_build_lock_acquire()
    defer { di_build_lock_release() }
    while true {
      if let evidence = evidence(), evidence !== unfit { return .filled(evidence) }
      if builder == nil {
        builder = thread
        return .build(timesForgotten)
      }
      if let chain = cycle(closedBy: thread) {
        // An instance whose properties request it again.
        if let early { return .early(early) }
        // Otherwise another thread in the circle may be able to continue that way.
        guard opensCircle(closedBy: thread) else { return .cycle(chain) }
      }
      waiting.append(Waiter(thread: thread, turn: timesForgotten))
      di_set_waiting_for(thread, Unmanaged.passUnretained(self).toOpaque())
      // `end` clears it. If there is no instance (the build failed, or was older than a reset that
      // preceded this thread's request), the loop gives this thread a turn of its own.
      while di_waiting_for(thread) != nil { di_wait(thread) }
      if let box = handedOver.removeValue(forKey: thread) { return .early(box) }
    }
  }

  /// Waits until an open turn is over; returns false if that would never happen.
  func wait(_ thread: UnsafeMutablePointer<di_thread>) -> Bool {
    guard case .build(let turn) = takeTurn(thread) else { return false }
    end(turn)
    return true
  }

  /// Ends the calling thread's turn.
  ///
  /// `memory`: the memory of the instance, if there is one to keep.
  func end(
    _ turn: Int, keeping instance: AnyBox? = nil, in memory: UnsafeMutableRawPointer? = nil
  ) {
    var displaced: UnsafeMutableRawPointer?
    var box: AnyBox?
    var isKept = false
    let early = BuildLock.withLock {
      isKept = turn == timesForgotten
      if let instance, isKept {
        displaced = di_exchange(word, Unmanaged.passRetained(instance).toOpaque())
      }
      if instance != nil, let memory, !isKept || isWeak,
        waiting.contains(where: { $0.turn == turn })
      {
        box = AnyBox.strong(memory, of: type)
      }
      return endTurn { if $0.turn == turn { handedOver[$0.thread] = box } }
    }
    if !isKept { instance?.dropOnRelease() }
    drop(displaced)
    withExtendedLifetime((early, box)) {}
  }

  /// Ends the turn of a thread that will never return, as if it had failed.
  @usableFromInline
  func abandon() {
    let early = BuildLock.withLock { endTurn() }
    withExtendedLifetime(early) {}
  }

  // The caller holds the build lock, and drops the result after releasing the lock.
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

  /// Makes the new instance in `memory` available to its properties' resolutions, and to those that
  /// would wait for it in a circle.
  ///
  /// Services that refer to each other through properties resolve on one thread, because the
  /// instance counts as made while its properties are set. The same has to hold for two threads
  /// that start at different ends.
  func show(early memory: UnsafeMutableRawPointer) {
    let box = AnyBox.strong(memory, of: type)
    let old = BuildLock.withLock {
      defer { early = box }
      return early
    }
    // The last reference to an earlier instance may be released here, under no lock.
    withExtendedLifetime(old) {}
  }

  /// Wakes a thread of the circle that waits for an instance whose properties are being set.
  private func opensCircle(closedBy thread: UnsafeMutablePointer<di_thread>) -> Bool {
    var keeper = self
    while let builder = keeper.builder, builder != thread, let next = di_waiting_for(builder) {
      keeper = Unmanaged<Keeper>.fromOpaque(next).takeUnretainedValue()
      if keeper.early != nil {
        keeper.waiting.removeAll { $0.thread == builder }
        di_set_waiting_for(builder, nil)
        di_wake(builder)
        return true
      }
    }
    return false
  }

  /// Returns the circle of resolutions that would close if `thread` waited for this keeper.
  private func cycle(closedBy thread: UnsafeMutablePointer<di_thread>) -> [ChainLink]? {
    var builders: [(thread: UnsafeMutablePointer<di_thread>, keeper: Keeper)] = []
    var keeper = self
    while let builder = keeper.builder {
      builders.append((builder, keeper))
      if builder == thread { break }
      guard let next = di_waiting_for(builder) else { return nil }
      keeper = Unmanaged<Keeper>.fromOpaque(next).takeUnretainedValue()
    }
    guard builders.last?.thread == thread else { return nil }
    // It is a circle: every other thread in it sleeps under the build lock, so its frames, which
    // must not be read before, do not change.
    let parts = builders.map { thread, keeper in
      ResolutionStack.chain(of: thread, from: Unmanaged.passUnretained(keeper).toOpaque())
    }
    return parts.last! + parts.dropLast().flatMap { $0 }
  }
}
