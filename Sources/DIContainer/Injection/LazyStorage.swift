internal import DIPrimitives

/// The state that copies of a lazy wrapper share: the source of the service and the kept instance.
///
/// Nothing is resolved or released while the lock is held.
// Inlinable, because users' code knows the service's type: where it is not known, the metadata of
// every type that contains it is looked up, and a first use took 1,180 ns. So the object is one of
// the standard library's, and has no lock of its own.
@frozen @usableFromInline
struct LazyStorage<Service, Kept>: Sendable {
  @frozen @usableFromInline
  struct LazyContent {
    @usableFromInline var source: LazySource
    /// The factory, for wrappers that refer to a property.
    @usableFromInline var factory: (() -> Factory<Service>)?
    @usableFromInline var kept: Kept?
    @usableFromInline var turn = LazyTurn()
    /// The keeper in whose place scopes keep replacements; nil until one does.
    @usableFromInline var place: Keeper?

    @inlinable
    init(_ source: LazySource, _ factory: (() -> Factory<Service>)?) {
      self.source = source
      self.factory = factory
    }
  }

  // Unchecked: the state is accessed under the lock that its address selects.
  @usableFromInline let object: Unchecked<ManagedBuffer<LazyContent, Void>>

  @inlinable
  init(_ source: LazySource, _ factory: (() -> Factory<Service>)? = nil) {
    object = Unchecked(.create(minimumCapacity: 0) { _ in LazyContent(source, factory) })
  }

  @inlinable
  init(object: ManagedBuffer<LazyContent, Void>) { self.object = Unchecked(object) }

  @inlinable
  func withLock<Result>(_ body: (inout LazyContent) -> Result) -> Result {
    object.value.withUnsafeMutablePointerToHeader { state in
      SharedLock.acquire(state)
      defer { SharedLock.release(state) }
      return body(&state.pointee)
    }
  }

  /// The kept instance; nil until the service is resolved or assigned.
  var kept: Kept? { here().ownKept }

  private var ownKept: Kept? { withLock { $0.kept } }

  /// Keeps an instance that was just resolved.
  func keepResolved(_ kept: Kept) { here(mayBeKept: false).keepOwn(kept) }

  /// Keeps an assigned instance, or none, which applies to the scopes inside too.
  func keep(_ kept: Kept?) {
    guard LazyFrame.mayExist, let scope = source.source.scopeElsewhere,
      !scope.removeReplacements(at: place)
    else { return keepOwn(kept) }
    here(mayBeKept: false).keepOwn(kept)
  }

  private func keepOwn(_ kept: Kept?) {
    var old: Kept? = kept
    // Released under no lock.
    withLock { swap(&$0.kept, &old) }
  }
}

// MARK: - The source of the service

extension LazyStorage {
  @usableFromInline
  typealias Source = (source: LazySource, factory: (() -> Factory<Service>)?)

  @inlinable
  var source: Source { withLock { ($0.source, $0.factory) } }

  func change(_ change: (inout LazySource) -> Void) {
    let old = withLock { state in
      let old = state.source
      change(&state.source)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Replaces the source of the service by that of another wrapper.
  func adopt(_ new: Source) {
    let old = withLock { state in
      defer { (state.source, state.factory) = new }
      return (state.source, state.factory)
    }
    withExtendedLifetime(old) {}
  }

  /// The factory, for wrappers that refer to a property.
  var factory: Factory<Service>? {
    let (source, factory) = source
    return source.inContext { factory?() }
  }

  /// Resolves the service, whether or not an instance is kept.
  func resolve(reset options: FactoryResetOptions) -> Service {
    let (source, factory) = source
    if options != .none { source.inContext { _ = factory?().reset(options) } }
    return source.resolve(factory)
  }
}

// MARK: - Scopes

extension LazyStorage {
  @inlinable
  var place: Keeper {
    withLock { state in
      let place = state.place ?? LazyFrame.makePlace()
      state.place = place
      return place
    }
  }

  /// Returns this storage, or its replacement in a scope that is in force here (LazyFrame.swift).
  ///
  /// `mayBeKept`: whether an instance that this storage keeps may be used as well.
  @inlinable
  func here(mayBeKept: Bool = true) -> LazyStorage {
    guard LazyFrame.mayExist else { return self }
    let (source, factory) = source
    guard let scope = source.scopeElsewhere else { return self }
    let replacement = scope.replacement(
      at: place, isKept: mayBeKept && withLock { $0.kept != nil }
    ) {
      ManagedBuffer<LazyContent, Void>.create(minimumCapacity: 0) { _ in
        LazyContent(source, factory)
      }
    }
    guard let replacement else { return self }
    return LazyStorage(
      object: unsafeDowncast(replacement, to: ManagedBuffer<LazyContent, Void>.self))
  }
}

// MARK: - First use

extension LazyStorage {
  /// The result of a use: a kept instance, or a service that was just resolved.
  @frozen @usableFromInline
  enum UsedService {
    case kept(Kept)
    case made(Service)
  }

  /// Returns the kept instance; otherwise the first user resolves the service while others wait.
  ///
  /// A thread does not wait where that would never end: requests on the first user's thread, or
  /// that it waits for through other threads, resolve for themselves. The instance that is kept
  /// first, or assigned meanwhile, remains.
  @inlinable
  func use(_ keep: (Service) -> Kept) -> UsedService {
    LazyFrame.mayExist ? here().useOwn(keep) : useOwn(keep)
  }

  @inlinable
  func useOwn(_ keep: (Service) -> Kept) -> UsedService {
    while true {
      let (kept, move) = withLock { state -> (Kept?, LazyTurn.Move?) in
        if let kept = state.kept { return (kept, nil) }
        return (nil, state.turn.move())
      }
      switch move {
      case .none:
        return .kept(kept.unsafelyUnwrapped)
      case .resolve:
        return LazyTurn.mayBeAbandoned
          ? resolveGuarded(keep) : resolve(keep, endsTurn: true)
      case .resolveAlone:
        return resolve(keep, endsTurn: false)
      case .wait(let keeper):
        if !LazyTurn.wait(for: keeper) { return resolve(keep, endsTurn: false) }
      }
    }
  }

  @inlinable
  func resolve(_ keep: (Service) -> Kept, endsTurn: Bool) -> UsedService {
    let (source, factory) = source
    let service = source.resolve(factory)
    let new = keep(service)
    let (before, keeper) = withLock { state in
      let before = state.kept
      if before == nil { state.kept = new }
      return (before, endsTurn ? state.turn.end() : nil)
    }
    keeper?.abandon()
    return before.map { .kept($0) } ?? .made(service)
  }

  @usableFromInline @inline(never)
  func resolveGuarded(_ keep: (Service) -> Kept) -> UsedService {
    TrapGuard.protect(
      { resolve(keep, endsTurn: true) }, cleanUp: { withLock { $0.turn.end() }?.abandon() })
  }
}

/// The turn of one thread to resolve the service of a lazy wrapper while other threads wait.
///
/// It is guarded by the lock of the state that contains it.
@usableFromInline
struct LazyTurn {
  /// The thread that resolves.
  private var owner: UnsafeMutableRawPointer?
  /// The keeper that the other threads wait for; nil until there is one.
  private var waiting: Keeper?

  @usableFromInline init() {}

  /// The next step of a thread that finds no kept instance.
  @frozen @usableFromInline
  enum Move {
    /// Resolve for all threads.
    case resolve
    /// Resolve for itself, because its own turn is under way.
    case resolveAlone
    /// Wait for another thread's turn to end.
    case wait(Keeper)
  }

  @usableFromInline
  mutating func move() -> Move {
    let thread = di_thread_get()
    guard let owner = owner?.assumingMemoryBound(to: di_thread.self) else {
      owner = UnsafeMutableRawPointer(thread)
      return .resolve
    }
    if owner == thread { return .resolveAlone }
    let keeper = waiting ?? Keeper(openTurnOf: owner)
    waiting = keeper
    return .wait(keeper)
  }

  /// Ends the turn, and returns the keeper that other threads wait for, to be abandoned.
  @usableFromInline
  mutating func end() -> Keeper? {
    defer { waiting = nil }
    owner = nil
    return waiting
  }

  /// Waits for the end of a turn, or returns false if that would never come.
  @usableFromInline
  static func wait(for keeper: Keeper) -> Bool { keeper.wait(di_thread_get()) }

  /// Whether the calling thread may be abandoned in the middle of a turn, which has to end then.
  @usableFromInline
  static var mayBeAbandoned: Bool { TrapGuard.isActive }
}
