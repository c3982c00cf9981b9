/// What copies of a lazy wrapper share: where the service comes from, and what is kept of it.
///
/// Nothing is resolved with the lock held, and nothing is let go.
// Inlinable, because users' code knows the service's type: where it is not known, every type that
// is made of it is looked up, and a first use took 1,180 ns. So the object is one of the standard
// library's, and has no lock of its own.
@frozen @usableFromInline
struct LazyStorage<Service, Kept>: Sendable {
  @frozen @usableFromInline
  struct State {
    @usableFromInline var source: LazySource
    /// For wrappers that name a property.
    @usableFromInline var factory: (() -> Factory<Service>)?
    @usableFromInline var kept: Kept?
    @usableFromInline var turn = LazyTurn()

    @inlinable
    init(_ source: LazySource, _ factory: (() -> Factory<Service>)?) {
      self.source = source
      self.factory = factory
    }
  }

  // Unchecked: the state is read and written under the lock that its address chooses.
  @usableFromInline let object: Unchecked<ManagedBuffer<State, Void>>

  @inlinable
  init(_ source: LazySource, _ factory: (() -> Factory<Service>)? = nil) {
    object = Unchecked(.create(minimumCapacity: 0) { _ in State(source, factory) })
  }

  @inlinable
  init(object: ManagedBuffer<State, Void>) { self.object = Unchecked(object) }

  @inlinable
  func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    object.value.withUnsafeMutablePointerToHeader { state in
      SharedLock.acquire(state)
      defer { SharedLock.release(state) }
      return body(&state.pointee)
    }
  }

  /// What is kept of the service; nil until it is resolved or assigned.
  var kept: Kept? { here().ownKept }

  private var ownKept: Kept? { withLock { $0.kept } }

  /// Keeps what was resolved just now.
  func keepResolved(_ kept: Kept) { here(mayBeKept: false).keepOwn(kept) }

  /// Keeps what was assigned, or nothing: that goes for the scopes inside, too.
  func keep(_ kept: Kept?) {
    guard LazyScope.mayExist, let scope = source.source.scopeElsewhere,
      !scope.takeBack(object.value)
    else { return keepOwn(kept) }
    here(mayBeKept: false).keepOwn(kept)
  }

  private func keepOwn(_ kept: Kept?) {
    let old = withLock { state in
      defer { state.kept = kept }
      return state.kept
    }
    withExtendedLifetime(old) {}
  }
}

// MARK: - Where the service comes from

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

  /// Has the service come from where another wrapper's comes from.
  func adopt(_ new: Source) {
    let old = withLock { state in
      defer { (state.source, state.factory) = new }
      return (state.source, state.factory)
    }
    withExtendedLifetime(old) {}
  }

  /// The factory, for wrappers that name a property.
  var factory: Factory<Service>? {
    let (source, factory) = source
    return source.inContext { factory?() }
  }

  /// Resolves the service, whether or not something is kept.
  func resolve(reset options: FactoryResetOptions) -> Service {
    let (source, factory) = source
    if options != .none { source.inContext { _ = factory?().reset(options) } }
    return source.resolve(factory)
  }
}

// MARK: - Scopes

extension LazyStorage {
  /// This, or what stands in for it in a scope that is in force here (LazyScope.swift).
  ///
  /// `mayBeKept`: whether what this has already serves as well.
  @inlinable
  func here(mayBeKept: Bool = true) -> LazyStorage {
    guard LazyScope.mayExist else { return self }
    let (source, factory) = source
    guard let scope = source.scopeElsewhere else { return self }
    let standIn = scope.standIn(
      for: object.value, isKept: mayBeKept && withLock { $0.kept != nil }
    ) { ManagedBuffer<State, Void>.create(minimumCapacity: 0) { _ in State(source, factory) } }
    guard let standIn else { return self }
    return LazyStorage(object: unsafeDowncast(standIn, to: ManagedBuffer<State, Void>.self))
  }
}

// MARK: - First use

extension LazyStorage {
  /// What a use gets: something that is kept, or a service that was made for it.
  @frozen @usableFromInline
  enum Use {
    case kept(Kept)
    case made(Service)
  }

  /// What is kept; failing that, the first user resolves the service, and all others wait for it.
  ///
  /// Unless waiting would never end: those who are asked on the first user's behalf, on its thread
  /// or by way of others, resolve for themselves. What is kept first, or assigned meanwhile, stays.
  @inlinable
  func use(_ keep: (Service) -> Kept) -> Use {
    LazyScope.mayExist ? here().useOwn(keep) : useOwn(keep)
  }

  @inlinable
  func useOwn(_ keep: (Service) -> Kept) -> Use {
    while true {
      let (kept, move) = withLock { state -> (Kept?, LazyTurn.Move?) in
        if let kept = state.kept { return (kept, nil) }
        return (nil, state.turn.move())
      }
      switch move {
      case .none:
        return .kept(kept.unsafelyUnwrapped)
      case .resolve:
        return LazyTurn.mayBeGivenUp
          ? resolveOnErrand(keep) : resolve(keep, endsTurn: true)
      case .resolveAlone:
        return resolve(keep, endsTurn: false)
      case .wait(let others):
        if !others.join() { return resolve(keep, endsTurn: false) }
      }
    }
  }

  @inlinable
  func resolve(_ keep: (Service) -> Kept, endsTurn: Bool) -> Use {
    let (source, factory) = source
    let service = source.resolve(factory)
    let new = keep(service)
    let (before, others) = withLock { state in
      let before = state.kept
      if before == nil { state.kept = new }
      return (before, endsTurn ? state.turn.end() : nil)
    }
    others?.go()
    return before.map { .kept($0) } ?? .made(service)
  }

  @usableFromInline @inline(never)
  func resolveOnErrand(_ keep: (Service) -> Kept) -> Use {
    Errand.run({ resolve(keep, endsTurn: true) }, orElse: { withLock { $0.turn.end() }?.go() })
  }
}
