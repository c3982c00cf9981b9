internal import DIPrimitives

// A request looks for the instance under the keeper's own lock. Everything else happens under the
// process-wide build lock (Lock.swift): requests that find no instance, and all those that are
// decorated or have a parameter or a time to live. Neither is held while user code runs.

/// A holder of one instance that is built once.
///
/// See also Keepers.swift, for the keepers that replace it elsewhere or depend on it, and
/// Keeper+Modifiers.swift, for those of each parameter, and for a time to live.
@usableFromInline
package final class Keeper {
  /// The instance, if there is one; who changes it holds the build lock, too.
  private let kept = Lock<KeptInstance?>(nil)
  /// A serial number, by which frames and containers find theirs in place of this one.
  let id = SerialNumber.next()
  package let scope: Scope
  let type: Any.Type
  /// Whether resets of the scope do not list it: a frame or a lazy wrapper owns it, or it is one of
  /// those by parameter, which go with the keeper for all.
  let isUnlisted: Bool
  // Guarded by the build lock:
  /// The latest build, until it has ended: a thread's (`Build`) or a task's (`AsyncBuild`).
  var build: AnyObject?
  /// The number of times that the instance was forgotten.
  private(set) var generation = 0
  /// The number of these that were resets of the scope.
  private var timesReset = 0
  /// Whether a reset of the scope reaches this keeper; true from the first turn on.
  private var isKnownToScope = false

  // Also guarded by the build lock, and only used in the other files:
  /// The keepers that containers and frames have in its place, which it does not retain.
  @exclusivity(unchecked) var replacements = PruningTable<UInt64, Weak<Keeper>>()
  /// The keepers of what decorations make of the instance, by the decoration's number.
  @exclusivity(unchecked) var decorated: [UInt64: Keeper] = [:]
  /// Whether the keeper that it depends on is deallocated, so that it can no longer be requested.
  var isOrphaned = false
  /// The time of the last request, if the instance has a time to live.
  var lastRequest: ContinuousClock.Instant?

  package init(_ scope: Scope, _ type: Any.Type, isUnlisted: Bool = false) {
    self.scope = scope
    self.type = type
    self.isUnlisted = isUnlisted
  }

  deinit {
    if isKnownToScope { scope.remove(self) }
    orphanReplacements()
  }

  typealias OnRelease = KeptInstance.OnRelease

  /// The kept instance, if there is one.
  @inline(__always)
  var instance: Instance? {
    // What is kept weakly is read under no lock: that may yield the last reference to the object.
    let (strong, weak) = kept.withLock { kept in
      let strong = kept?.strong
      return (strong, strong == nil ? kept : nil)
    }
    return strong ?? weak?.instance(of: type)
  }

  /// Returns what is kept by parameter, in place of an instance for all, which is released later.
  ///
  /// The caller holds the build lock.
  func keepParameters() -> (ParameterKeepers, displaced: KeptInstance?) {
    if let present = kept.withLock({ $0?.byParameter }) { return (present, nil) }
    let new = ParameterKeepers()
    return (new, exchange(KeptInstance(new)))
  }

  /// Keeps an instance, or none; returns the former one.
  ///
  /// The caller holds the build lock, and releases the former one after it.
  func exchange(_ instance: KeptInstance?) -> KeptInstance? {
    kept.withLock { DIContainer.exchange(&$0, with: instance) }
  }

  /// Returns the kept instance, or the one that `make` returns while other threads wait.
  func value<Service>(
    cycle: ([Turn]) -> any Error, make: (Build) throws -> Service?
  ) throws -> Service? {
    switch begin(di_thread_get()) {
    case .kept(let instance):
      return instance.value(as: Service.self)
    case .other(.cycle(let turns)):
      throw cycle(turns)
    case .other(.build(let build)):
      do {
        let service = try make(build)
        end(build, keeping: service.map { Instance($0) })
        return service
      } catch {
        end(build)
        throw error
      }
    }
  }

  /// The answer to a request for the instance.
  enum Beginning<Other> {
    case kept(Instance)
    case other(Other)
  }

  /// Returns the kept instance, or makes the calling thread its builder.
  ///
  /// Waits while another thread builds. The builder has to call `end`; if it keeps nothing, one of
  /// the threads that waited builds again.
  func begin(_ thread: ThreadRecord) -> Beginning<ThreadBeginning> {
    let beginning = search { tryToBegin(thread) }
    if case .other(.build) = beginning { joinScope() }
    return beginning
  }

  /// The outcome of one look.
  enum Look<Other> {
    case found(Beginning<Other>)
    /// Nothing yet; the object is released once no lock is held.
    case again(AnyObject)
  }

  /// Looks until there is something: the kept instance or, where none is kept, what `look` finds,
  /// which is called under the build lock.
  func search<Other>(_ look: () -> Look<Other>) -> Beginning<Other> {
    // What the last look left: an instance that the caller cannot use, because it is of the type on
    // its actor only; or a build that has ended.
    var left: AnyObject?
    while true {
      if let instance = withExtendedLifetime(left, { instance }) { return .kept(instance) }
      let result = BuildLock.withLock { () -> Look<Other> in
        if let evidence = evidence(), evidence !== left { return .again(evidence) }
        return look()
      }
      switch result {
      case .found(let found): return found
      case .again(let reason): left = reason
      }
    }
  }

  /// Makes resets of the scope reach this keeper, including an instance that is being built.
  ///
  /// Instances kept by a sandbox or a layer are out of the process's reach.
  func joinScope() {
    if isUnlisted { return }
    BuildLock.withLock { isKnownToScope = true }
    scope.add(self)
  }

  enum ThreadBeginning {
    /// The calling thread builds.
    case build(Build)
    /// The thread would wait for itself, through these turns.
    case cycle([Turn])
  }

  /// Makes the calling thread the builder, or waits for the build of another.
  private func tryToBegin(_ thread: ThreadRecord) -> Look<ThreadBeginning> {
    guard let present = underWay else {
      let new = Build(of: thread, generation: generation)
      build = new
      return .found(.other(.build(new)))
    }
    let generation = generation
    switch present.wait(thread) {
    case .open: return .found(.kept(present.early!))
    case .cycle(let turns): return .found(.other(.cycle(turns)))
    case .over:
      guard present.generation == generation, let instance = present.handedOver
      else { return .again(present) }
      return .found(.kept(instance))
    }
  }

  /// The build by a thread that is under way, if any; the caller holds the build lock.
  ///
  /// A thread does not wait for a task, but builds beside it: what ends first is kept.
  private var underWay: Build? { (build as? Build).flatMap { $0.isOver ? nil : $0 } }

  /// Returns an object to hold if an instance is kept (and, if weakly, still alive), else nil.
  ///
  /// The caller releases it once it holds no lock: it may be the last reference to a weakly kept
  /// one.
  func evidence() -> AnyObject? {
    // Called with the build lock held, so what is kept is not displaced meanwhile.
    kept.withLock { $0 }?.evidence
  }

  /// The number of threads that wait for an instance.
  var waiterCount: Int { BuildLock.withLock { underWay?.waiting.count ?? 0 } }

  /// Drops the kept instance, or those of all parameters, and what decorations made of them.
  ///
  /// An instance that is being built at the time will not be kept.
  ///
  /// `isDue`: whether to drop them, decided under the build lock.
  package func forget(if isDue: () -> Bool = { true }) {
    releaseUnlocked(empty(isOfScopeReset: false, if: isDue))
  }

  /// Drops the kept instances as `forget` does; the caller releases them, under no lock.
  ///
  /// `isOfScopeReset`: whether the scope itself is reset, and not a container.
  func empty(isOfScopeReset: Bool, if isDue: () -> Bool = { true }) -> [KeptInstance?] {
    var wasDue = false
    let dropped = replace(with: nil, isOfScopeReset: isOfScopeReset) {
      wasDue = isDue()
      return wasDue
    }
    return wasDue
      ? [dropped] + allDecorated.flatMap { $0.empty(isOfScopeReset: isOfScopeReset) } : []
  }

  /// An instance that was kept, to be kept again.
  struct Saved {
    fileprivate let instance: KeptInstance
    fileprivate let timesReset: Int
  }

  /// The kept instance, by which `restore` keeps it again.
  var saved: Saved? {
    BuildLock.withLock {
      kept.withLock { $0 }.map { Saved(instance: $0.saved, timesReset: timesReset) }
    }
  }

  /// Keeps an instance again that it kept before, or none if it kept none or the scope was reset.
  func restore(_ saved: Saved?) {
    if saved != nil { joinScope() }
    releaseUnlocked(
      replace(with: saved.flatMap { $0.timesReset == timesReset ? $0.instance : nil }))
  }

  /// Keeps an instance that was made elsewhere, or none; a build under way at the time keeps none.
  func keep(_ instance: Instance?, if isDue: () -> Bool = { true }) {
    let kept = instance.map { KeptInstance($0) }
    releaseUnlocked(replace(with: kept, if: isDue))
  }

  /// Exchanges what is kept, if that is due; returns what was, for the caller to release.
  private func replace(
    with new: @autoclosure () -> KeptInstance?, isOfScopeReset: Bool = false,
    if isDue: () -> Bool = { true }
  ) -> KeptInstance? {
    BuildLock.withLock {
      if !isDue() { return nil }
      generation += 1
      if isOfScopeReset { timesReset += 1 }
      return exchange(new())
    }
  }

  /// Ends the calling thread's build, and keeps the instance if there is one.
  ///
  /// Waiting threads get it, too, even if it is not kept.
  func end(_ build: Build, keeping instance: Instance? = nil, onRelease: OnRelease? = nil) {
    let early = end(build, build.generation, keeping: instance, onRelease: onRelease) { isShared in
      if isShared, !build.waiting.isEmpty { build.handedOver = instance }
      build.endUnderLock()
      return DIContainer.exchange(&build.early, with: nil)
    }
    releaseUnlocked(early)
  }

  /// Ends a build, and keeps the instance if there is one, unless the keeper was reset meanwhile or
  /// has one of another build, of a task or a thread, that ended first.
  ///
  /// `atEnd` is called under the build lock, with whether the requests that wait may share the
  /// instance: weak keepers share class instances only.
  func end<Rest>(
    _ build: AnyObject, _ generation: Int, keeping instance: Instance?, onRelease: OnRelease?,
    atEnd: (_ isShared: Bool) -> Rest
  ) -> Rest {
    // None for a value that is to be kept weakly.
    let kept = instance.flatMap {
      scope.isWeak ? KeptInstance(weakly: $0) : KeptInstance($0, onRelease)
    }
    let keepingTime = keepingTime
    let (isKept, former, rest) = BuildLock.withLock {
      let present = evidence()
      let isKept = kept != nil && present == nil && self.generation == generation
      // What was kept weakly and is gone.
      var displaced: KeptInstance?
      if isKept {
        displaced = exchange(kept)
        if let keepingTime { lastRequest = keepingTime }
      }
      if self.build === build { self.build = nil }
      return (isKept, (present, displaced), atEnd(kept != nil))
    }
    if !isKept { kept?.dropOnRelease() }
    releaseUnlocked(former)
    return rest
  }
}
