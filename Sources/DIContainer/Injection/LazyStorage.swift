// A lazy wrapper keeps its resolved service for its owner. An owner that is older than a sandbox, a
// layer or a scoped root, such as a global object, would keep the double of the first test that
// uses it, and one that was made there would keep it beyond the end. So what is resolved in such a
// scope is kept by the scope, in a storage of its own, and released with it. The owner's storage
// holds what was resolved outside every scope or assigned.

/// The instance of a lazy wrapper, which a weak one only refers to.
@frozen @usableFromInline
enum LazyInstance<Service> {
  case strong(Service)
  /// A weak reference; nil for a value, which cannot be held weakly.
  case weak(KeptInstance?)

  @usableFromInline
  static func weakly(_ service: Service?) -> LazyInstance {
    .weak(service.flatMap { KeptInstance(weakly: Instance($0)) })
  }

  /// The service; nil if it no longer exists.
  @inlinable
  var service: Service? {
    switch self {
    case .strong(let service): service
    case .weak(let kept): kept?.value(as: Service.self)
    }
  }
}

/// The state that copies of a lazy wrapper share: the source of the service and the kept instance.
///
/// Nothing is resolved or released while the lock is held.
// Inlinable, because users' code knows the service's type: where it is not known, the metadata of
// every type that contains it is looked up, and a first use takes 1,180 ns. So the object is one of
// the standard library's, and has no lock of its own.
@frozen @usableFromInline
struct LazyStorage<Service>: Sendable {
  @frozen @usableFromInline
  struct LazyContent {
    @usableFromInline var source: LazySource
    /// The factory, for wrappers that refer to a property.
    @usableFromInline var factory: (() -> Factory<Service>)?
    @usableFromInline var kept: LazyInstance<Service>?
    /// The number of times that an instance was assigned or released, or the request changed.
    @usableFromInline var timesChanged = 0
    @usableFromInline var runner = Runner()
    /// The keeper in whose place scopes keep their storages; nil until one does.
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
  var kept: LazyInstance<Service>? {
    guard let scope = source.source.scope else { return ownKept }
    return found(in: scope)?.ownKept
  }

  private var ownKept: LazyInstance<Service>? { withLock { $0.kept } }

  /// Keeps an instance that was just resolved.
  func keepResolved(_ kept: LazyInstance<Service>) {
    (source.source.scope.map(own(of:)) ?? self).keepOwn(kept)
  }

  /// Keeps an assigned instance, or none, which applies to the scopes inside too.
  func keep(_ kept: LazyInstance<Service>?) {
    if let scope = source.source.scope {
      guard applies(in: scope) else { return own(of: scope).keepOwn(kept) }
      let place = place
      for frame in scope.chain { frame.replacement(for: place)?.forget() }
    }
    keepOwn(kept)
  }

  private func keepOwn(_ kept: LazyInstance<Service>?) {
    releaseUnlocked(
      withLock { state in
        state.timesChanged += 1
        return exchange(&state.kept, with: kept)
      })
  }
}

// MARK: - The source of the service

extension LazyStorage {
  @usableFromInline
  typealias Source = (source: LazySource, factory: (() -> Factory<Service>)?)

  @inlinable
  var source: Source { withLock { ($0.source, $0.factory) } }

  /// The dependency that it resolves later.
  var laterNeed: LaterNeed {
    factory?.laterNeed ?? LaterNeed(key: ServiceKey(Service.self, name: source.source.name))
  }

  func change(_ change: (inout LazySource) -> Void) {
    releaseUnlocked(
      withLock { state in
        let old = state.source
        change(&state.source)
        // Arguments cannot be compared.
        if old.args != nil || state.source.args != nil || !state.source.requestsSame(as: old) {
          state.timesChanged += 1
        }
        return old
      })
  }

  /// Replaces the source of the service by that of another wrapper.
  func replaceSource(by new: Source) { adopt(new, isAnother: true) }

  /// Takes over the source of the owner's storage, or another one.
  private func adopt(_ new: Source, isAnother: Bool = false) {
    releaseUnlocked(
      withLock { state in
        if isAnother || !new.source.requestsSame(as: state.source) { state.timesChanged += 1 }
        return (
          exchange(&state.source, with: new.source), exchange(&state.factory, with: new.factory)
        )
      })
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
  /// Returns the storage for a use here: this one outside every scope, and where it has an instance
  /// that applies.
  @usableFromInline @inline(never)
  func here() -> LazyStorage {
    guard let scope = source.source.scope else { return self }
    return found(in: scope) ?? own(of: scope)
  }

  /// Whether what the owner has applies in a scope: not in that of another test.
  private func applies(in scope: ContextFrame) -> Bool {
    source.source.origin?.encloses(scope) ?? true
  }

  /// Returns the storage that a scope, or else one around it, has for the wrapper; this one if it
  /// has an instance that applies there.
  private func found(in scope: ContextFrame) -> LazyStorage? {
    if let place = withLock({ $0.place }) {
      for frame in scope.chain {
        let own = frame.replacement(for: place)?.instance?.classInstance
        if let own { return adopting(own) }
      }
    }
    return applies(in: scope) && ownKept != nil ? self : nil
  }

  /// Returns the storage that a scope has for the wrapper, made on first use.
  private func own(of scope: ContextFrame) -> LazyStorage {
    let (source, factory) = source
    // Late work shares one, too. Making it resolves nothing, so nothing waits for itself.
    let keeper = scope.makeReplacement(for: place, afterEnd: true)
    let own = try? keeper.value(cycle: { _ in CancellationError() }) { _ -> AnyObject in
      ManagedBuffer<LazyContent, Void>.create(minimumCapacity: 0) { _ in
        LazyContent(source, factory)
      }
    }
    return own.map(adopting) ?? self
  }

  /// Returns a scope's storage, for the name, container and arguments that are set now.
  private func adopting(_ object: AnyObject) -> LazyStorage {
    let storage = LazyStorage(
      object: unsafeDowncast(object, to: ManagedBuffer<LazyContent, Void>.self))
    storage.adopt(source)
    return storage
  }

  /// The keeper in whose place scopes keep their storages.
  private var place: Keeper {
    withLock { state in
      let place = state.place ?? Keeper(lazyWrappers, AnyObject.self)
      state.place = place
      return place
    }
  }
}

private let lazyWrappers = Scope.cache("lazy wrappers")

// MARK: - First use

extension LazyStorage {
  /// Returns the kept instance; otherwise the first user resolves the service while others wait.
  ///
  /// It is nil if the instance was held weakly, and no longer exists.
  ///
  /// A thread does not wait where that would never end: requests on the first user's thread, or
  /// that it waits for through other threads, resolve for themselves. The instance that is kept
  /// first, or assigned meanwhile, remains. If the property was released meanwhile, or its request
  /// changed, the instance is not kept.
  @inlinable
  func use(_ keep: (Service) -> LazyInstance<Service>) -> Service? {
    LazySource.mayBeInScope ? here().useOwn(keep) : useOwn(keep)
  }

  @inlinable
  func useOwn(_ keep: (Service) -> LazyInstance<Service>) -> Service? {
    while true {
      let (kept, move) = withLock { state -> (LazyInstance<Service>?, Runner.Move?) in
        if let kept = state.kept { return (kept, nil) }
        return (nil, state.runner.move())
      }
      switch move {
      case .none:
        return kept.unsafelyUnwrapped.service
      case .run:
        return Runner.mayBeAbandoned
          ? resolveGuarded(keep) : resolve(keep, endsTurn: true)
      case .goOn:
        return resolve(keep, endsTurn: false)
      case .wait(let turn):
        if !turn.wait() { return resolve(keep, endsTurn: false) }
      }
    }
  }

  @inlinable
  func resolve(_ keep: (Service) -> LazyInstance<Service>, endsTurn: Bool) -> Service? {
    let (source, factory, times) = withLock { ($0.source, $0.factory, $0.timesChanged) }
    let service = source.resolve(factory)
    let new = keep(service)
    let (before, turn) = withLock { state in
      let before = state.kept
      if before == nil, state.timesChanged == times { state.kept = new }
      return (before, endsTurn ? state.runner.end() : nil)
    }
    turn?.end()
    return before.map(\.service) ?? service
  }

  @usableFromInline @inline(never)
  func resolveGuarded(_ keep: (Service) -> LazyInstance<Service>) -> Service? {
    TrapGuard.protect(
      { resolve(keep, endsTurn: true) }, cleanUp: { withLock { $0.runner.end() }?.end() })
  }
}
