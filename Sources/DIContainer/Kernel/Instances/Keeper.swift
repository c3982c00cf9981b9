internal import DIPrimitives

// A request looks for the instance under the keeper's own lock. Everything else happens under the
// process-wide build lock (Lock.swift): requests that find no instance, and all those with a
// parameter or a time to live. Neither is held while user code runs.

/// A holder of one instance that is built once.
///
/// See also Keeper+Dependents.swift, for the keepers that replace it elsewhere,
/// Keeper+Parameters.swift, for those of each parameter, and Keeper+Expiry.swift.
@usableFromInline
package final class Keeper {
  /// The box of the instance; who changes it holds the build lock, too.
  private let kept = Lock<AnyBox?>(nil)
  /// A serial number, by which scopes find their own keeper in place of this one.
  let id = SerialNumber.next()
  package let scope: Scope
  let type: Any.Type
  /// Whether a frame owns it, out of reach of the process's resets.
  let isOfFrame: Bool
  // Guarded by the build lock:
  /// The latest build by a thread, until it has ended.
  private var build: Build?
  /// The number of times that the instance was forgotten.
  private(set) var generation = 0
  /// The number of these that were resets of the scope.
  private var timesReset = 0
  /// Whether a reset of the scope reaches this keeper; true from the first turn on.
  private var isKnownToScope = false

  // Also guarded by the build lock, and only used in the other files:
  /// The keepers that are forgotten with it.
  @exclusivity(unchecked) var dependents = PruningTable<UInt64, Dependent>()
  /// Whether the keeper that it depends on is deallocated, so that it can no longer be requested.
  var isOrphaned = false
  /// The number of times that a registration was noted, if it is a site's
  /// (SharedKeepers+Links.swift).
  var timesLinked = 0
  /// The keepers by parameter, if requests have any.
  @exclusivity(unchecked) var parameters: ParameterKeepers?
  /// The time of the last request, if the instance has a time to live.
  var lastRequest: ContinuousClock.Instant?

  package init(_ scope: Scope, _ type: Any.Type, isOfFrame: Bool = false) {
    self.scope = scope
    self.type = type
    self.isOfFrame = isOfFrame
  }

  deinit {
    if isKnownToScope { scope.remove(self) }
    orphanDependents()
  }

  /// Whether there is an instance, which a weak keeper may have lost.
  var holdsInstance: Bool {
    // It may be the last reference, which is released under no lock.
    let present = BuildLock.withLock { evidence() }
    return present != nil
  }

  typealias OnRelease = AnyBox.OnRelease

  /// Copies the kept instance to uninitialised memory; returns false if there is none.
  @inline(__always)
  func copy(to out: InstanceMemory) -> Bool { box?.copy(to: out) ?? false }

  /// The box of the instance, if there is one.
  @inline(__always)
  private var box: AnyBox? { kept.withLock { $0 } }

  /// Keeps a box, or none; returns the former one.
  ///
  /// The caller holds the build lock, and releases the former one after it.
  func exchange(_ box: AnyBox?) -> AnyBox? {
    kept.withLock { DIContainer.exchange(&$0, with: box) }
  }

  /// A strong box with the kept instance, if there is one.
  var strongBox: AnyBox? { AnyBox.strong(of: type) { copy(to: $0) } }

  /// Returns the kept instance, or the one that `make` returns while other threads wait.
  func value<Service>(
    cycle: ([Turn]) -> any Error, make: (Build) throws -> Service?
  ) throws -> Service? {
    try withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { memory in
      let out = InstanceMemory(memory)
      guard let build = try begin(out, di_thread_get(), cycle: cycle)
      else { return out.move(as: Service.self) }
      do {
        guard let service = try make(build) else {
          end(build)
          return nil
        }
        out.initialize(as: Service.self, to: service)
      } catch {
        end(build)
        throw error
      }
      end(build, keeping: out)
      return out.move(as: Service.self)
    }
  }

  /// Copies the kept instance to uninitialised memory, or makes the calling thread its builder.
  ///
  /// Waits while another thread builds. The builder has to call `end`; if it keeps nothing, the
  /// next thread in line builds again.
  ///
  /// - Returns: The build; nil if there is an instance.
  /// - Throws: The error that `cycle` makes of the turns, if the thread would wait for itself.
  func begin(
    _ out: InstanceMemory, _ thread: ThreadRecord, cycle: ([Turn]) -> any Error
  ) throws -> Build? {
    if copy(to: out) { return nil }
    var held: AnyObject?
    while true {
      switch tryToBegin(thread, replacing: held) {
      case .again(let reason):
        held = reason
        if withExtendedLifetime(held, { copy(to: out) }) { return nil }
      case .instance(let box):
        if box.copy(to: out) { return nil }
      case .cycle(let turns):
        throw cycle(turns)
      case .build(let build):
        joinScope()
        return build
      }
    }
  }

  /// Makes resets of the scope reach this keeper, including an instance that is being built.
  ///
  /// Instances kept by a sandbox or a layer are out of the process's reach.
  func joinScope() {
    if isOfFrame { return }
    BuildLock.withLock { isKnownToScope = true }
    scope.add(self)
  }

  private enum BeginResult {
    /// The calling thread builds.
    case build(Build)
    /// An instance that is not kept: its properties are being set, or a reset preceded its end.
    case instance(AnyBox)
    /// The evidence of an instance, or another thread's build that has ended; it is released once
    /// no lock is held.
    case again(AnyObject)
    /// The thread would wait for itself, through these turns.
    case cycle([Turn])
  }

  /// Makes the calling thread the builder, or waits for the build of another.
  ///
  /// `unfit`: the evidence of an instance that the caller cannot use, because it is of the type on
  /// its actor only.
  private func tryToBegin(_ thread: ThreadRecord, replacing unfit: AnyObject?) -> BeginResult {
    BuildLock.withLock {
      if let evidence = evidence(), evidence !== unfit { return .again(evidence) }
      guard let present = underWay else {
        let new = Build(of: thread, generation: generation)
        build = new
        return .build(new)
      }
      let generation = generation
      switch present.wait(thread) {
      case .open: return .instance(present.early!)
      case .cycle(let turns): return .cycle(turns)
      case .over:
        guard present.generation == generation, let box = present.handedOver
        else { return .again(present) }
        return .instance(box)
      }
    }
  }

  /// The build by a thread that is under way, if any; the caller holds the build lock.
  private var underWay: Build? { build.flatMap { $0.isOver ? nil : $0 } }

  func makeBox(_ memory: InstanceMemory, _ onRelease: OnRelease?) -> AnyBox? {
    scope.isWeak
      ? AnyBox.weak(memory, of: type) : AnyBox.strong(memory, of: type, onRelease: onRelease)
  }

  /// Returns an object to hold if an instance is kept (and, if weakly, still alive), else nil.
  ///
  /// The caller releases it once it holds no lock: it may be the last reference to a weakly kept
  /// one.
  func evidence() -> AnyObject? {
    // Called with the build lock held, so the box is not displaced meanwhile.
    box?.evidence
  }

  /// The number of threads that wait for an instance.
  var waiterCount: Int { BuildLock.withLock { build?.waiting.count ?? 0 } }

  var isBuilding: Bool { BuildLock.withLock { underWay != nil } }

  /// Returns whether an instance is kept (and, if weakly, still alive) or being built.
  ///
  /// The caller releases the evidence once it holds no lock.
  func isOccupied(_ held: inout [AnyObject]) -> Bool {
    let (present, isBuilding) = BuildLock.withLock { (evidence(), underWay != nil) }
    if let present { held.append(present) }
    return present != nil || isBuilding
  }

  /// Drops the kept instance, and those of all parameters.
  ///
  /// An instance that is being built at the time will not be kept.
  ///
  /// - Parameters:
  ///   - isReset: Whether the scope is reset.
  ///   - isDue: Whether to drop them, decided under the build lock.
  package func forget(isReset: Bool = false, if isDue: () -> Bool = { true }) {
    releaseUnlocked(empty(isReset: isReset, if: isDue))
  }

  /// Drops the kept instances as `forget` does; the caller releases them, under no lock.
  func empty(isReset: Bool, if isDue: () -> Bool = { true }) -> [Any] {
    guard let dropped = replace(with: nil, isReset: isReset, if: isDue) else { return [] }
    return dropped + emptyParameters(isReset: isReset)
  }

  /// An instance that was kept, to be kept again.
  struct Saved {
    fileprivate let box: AnyBox
    fileprivate let timesReset: Int
  }

  /// The kept instance, by which `restore` keeps it again.
  var saved: Saved? {
    BuildLock.withLock {
      box.map { Saved(box: $0, timesReset: timesReset) }
    }
  }

  /// Keeps an instance again that it kept before, or none if it kept none or the scope was reset.
  func restore(_ saved: Saved?) {
    if saved != nil { joinScope() }
    releaseUnlocked(replace(with: saved))
  }

  /// Exchanges what is kept; returns what was, or nil if it is not due.
  private func replace(
    with saved: Saved?, isReset: Bool = false, if isDue: () -> Bool = { true }
  ) -> [AnyBox]? {
    var isReplaced = false
    let old = BuildLock.withLock { () -> AnyBox? in
      isReplaced = isDue()
      if !isReplaced { return nil }
      generation += 1
      if isReset { timesReset += 1 }
      return exchange(saved.flatMap { $0.timesReset == timesReset ? $0.box : nil })
    }
    return isReplaced ? old.map { [$0] } ?? [] : nil
  }

  /// Ends the calling thread's build, and keeps the instance in memory if there is one.
  ///
  /// If the keeper was reset meanwhile, waiting threads get the instance, and it is not kept. Weak
  /// keepers keep class instances only.
  func end(
    _ build: Build, keeping memory: InstanceMemory? = nil, onRelease: OnRelease? = nil
  ) {
    let instance = memory.flatMap { makeBox($0, onRelease) }
    var displaced: AnyBox?
    var isKept = false
    let keepingTime = keepingTime
    let early = BuildLock.withLock {
      isKept = build.generation == generation
      if let instance, isKept {
        displaced = exchange(instance)
        if let keepingTime { lastRequest = keepingTime }
      }
      if instance != nil, let memory, !isKept || scope.isWeak, !build.waiting.isEmpty {
        build.handedOver = AnyBox.strong(memory, of: type)
      }
      build.endUnderLock()
      self.build = nil
      return DIContainer.exchange(&build.early, with: nil)
    }
    if !isKept { instance?.dropOnRelease() }
    releaseUnlocked((displaced, early))
  }

  /// Makes the new instance in `memory` available to its properties' resolutions, and to those that
  /// would wait for it in a cycle.
  ///
  /// Services that refer to each other through properties resolve on one thread, because the
  /// instance counts as made while its properties are set. The same has to hold for two threads
  /// that start at different ends.
  func show(early memory: InstanceMemory) {
    let box = AnyBox.strong(memory, of: type)
    releaseUnlocked(
      BuildLock.withLock { build.flatMap { DIContainer.exchange(&$0.early, with: box) } })
  }
}
