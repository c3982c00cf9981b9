// The state of a frame that changes while it is open: the frames pushed on it, the settings made in
// it, the first requests for live services, and the instances that it keeps, with what resets them.

extension ContextFrame {
  /// The innermost layer or sandbox that was pushed on this frame.
  package var pushedTop: ContextFrame? {
    has(.pushedTop) ? withState { $0.pushedTop } : nil
  }

  package func setPushedTop(_ frame: ContextFrame?) {
    if frame == nil, !has(.pushedTop) { return }
    releaseUnlocked(change { exchange(&$0.pushedTop, with: frame) })
  }
}

// MARK: - Settings and values

extension ContextFrame {
  /// Settings of the process that a frame has in place of those outside, as far as they are set.
  struct Settings {
    /// The container that static requests start at.
    var root: Resolver?
    /// The scope of registrations by type that specify none.
    var defaultScope: Scope?
    /// The decorator of all services; an inner nil is none.
    var decorate: ((Any) -> Void)??
    /// The conditions that decide which contexts of a property apply.
    var conditions: FactoryContext?

    var isEmpty: Bool {
      root == nil && defaultScope == nil && decorate == nil && conditions == nil
    }
  }

  /// Returns a setting of the innermost frame, this or an enclosing one, that has it.
  func setting<Value>(_ setting: (Settings) -> Value?) -> Value? {
    let own = has(.settings) ? withState { setting($0.settings) } : nil
    return own ?? parent?.setting(setting)
  }

  func set(_ change: (inout Settings) -> Void) {
    // What is replaced is released under no lock.
    let old = self.change { state in
      defer { change(&state.settings) }
      return state.settings
    }
    releaseUnlocked(old)
  }

  /// The container that the frames set as the root, if any.
  package var root: Resolver? { setting(\.root) }

  package func setRoot(_ root: Resolver) { set { $0.root = root } }

  /// Returns the value of a type that other modules and dialects keep with the frame, made on first
  /// use.
  package func extra<Value: Sendable>(_ type: Value.Type, orMake make: () -> Value) -> Value {
    change { state in
      // Casting an object to its class is cheap, unlike casting `any Sendable`.
      if let present = state.values[ObjectIdentifier(type)] as? Reference<Value> {
        return present.value
      }
      let made = Reference(make())
      state.values[ObjectIdentifier(type)] = made
      return made.value
    }
  }

  package func extra<Value: Sendable>(_ type: Value.Type) -> Value? {
    if !has(.values) { return nil }
    return (withState { $0.values[ObjectIdentifier(type)] } as? Reference<Value>)?.value
  }
}

// MARK: - Live services

extension ContextFrame {
  /// The first request that a live service was found for.
  package struct LiveRequest: Sendable {
    package let key: ServiceKey
    package let location: CodeLocation
    /// The request that led to it, with which the resolution began; nil if it is that itself.
    package let origin: ChainLink?
    /// The number of the container that holds the service.
    package let owner: UInt64
    /// Whether it was made in a scope inside that has ended.
    package fileprivate(set) var isOfScopeInside = false
    /// Its place in the order of requests and registrations.
    package fileprivate(set) var number = SerialNumber.next()
  }

  /// A service as a container holds it.
  struct LiveKey: Hashable {
    let key: ServiceKey
    let owner: UInt64
  }

  /// Notes a request that a live service is found for.
  ///
  /// A double that is registered later is too late for it; advice about unused doubles names it.
  func noteFirstLive(
    _ request: Request, of owner: ContainerCore, origin: @autoclosure () -> ChainLink?
  ) {
    let live = LiveKey(key: request.key, owner: owner.number)
    guard let frame = containerFrame,
      frame.withState({ $0.live[live]?.isOfScopeInside ?? true })
    else { return }
    frame.note(
      LiveRequest(
        key: request.key, location: request.location, origin: origin(), owner: owner.number))
  }

  private func note(_ request: LiveRequest) {
    let live = LiveKey(key: request.key, owner: request.owner)
    change { state in
      let known = state.live[live]
      if let known, !known.isOfScopeInside || request.isOfScopeInside { return }
      var request = request
      if let known { request.number = known.number }
      state.live[live] = request
    }
  }

  /// Notes what was noted in the scope for the one around it, too.
  func passOnLiveRequests() {
    guard hasLiveRequests, dryRun === parent?.dryRun, let outer = parent?.containerFrame
    else { return }
    for var live in liveRequests {
      live.isOfScopeInside = true
      outer.note(live)
    }
  }

  package var hasLiveRequests: Bool { has(.live) }

  /// The first requests for live services in this scope or in one inside that has ended, in order.
  package var liveRequests: [LiveRequest] {
    withState { $0.live }.values.sorted { $0.number < $1.number }
  }
}

// MARK: - Kept instances

// A frame with caches has a keeper of its own for each keeper outside that is used inside the
// frame, and keeps the instance there.

extension ContextFrame {
  /// Whether the frame and the enclosing ones keep no instance.
  package var keepsNothing: Bool {
    !has(.keepers) && parent?.keepsNothing ?? true
  }

  /// Returns the frame's own keeper that replaces `base`.
  ///
  /// A scope that has ended keeps nothing, except for late work with `afterEnd`.
  func makeReplacement(for base: Keeper, afterEnd: Bool = false) -> Keeper {
    if let own = replacement(for: base) { return own }
    let made = base.newReplacement(isUnlisted: true)
    let (own, dropped) = change { state -> (Keeper, [Keeper]) in
      if let own = state.keepers[base] { return (own, []) }
      if state.hasEnded, !afterEnd { return (made, []) }
      return (made, state.keepers.add(made, for: base))
    }
    releaseUnlocked(dropped)
    return own
  }

  /// Returns the frame's own keeper that replaces `base`, if there is one yet.
  func replacement(for base: Keeper) -> Keeper? {
    has(.keepers) ? withState { $0.keepers[base] } : nil
  }

  /// Resets the scopes for which a predicate is true, for the instances that this frame keeps.
  package func reset(_ fits: (Scope) -> Bool) {
    let kept = withState { $0.keepers.all }.filter { fits($0.scope) }
    // All are emptied before an instance is released, as by `Scope.forgetKept`.
    releaseUnlocked(kept.map { $0.empty(isOfScopeReset: true) })
  }

  /// Releases all instances that the frame keeps; returns false if there were none.
  ///
  /// Instances are torn down inside the scope, on whatever thread it ends: what their deinits
  /// resolve and change belongs to the scope.
  func dropKeepers() -> Bool {
    if !has(.keepers) { return false }
    change { $0.releasing += $0.keepers.removeAll() }
    ContextFrame.$bound.withValue(self) {
      while let keeper = change({ $0.releasing.popLast() }) { keeper.forget() }
    }
    return true
  }
}

extension Keeper {
  /// Returns the keeper that a frame has in its place, if there is one yet; itself without a frame.
  func own(in cacheFrame: ContextFrame?) -> Keeper? {
    guard let cacheFrame else { return self }
    return cacheFrame.replacement(for: self)
  }

  /// Forgets the instance, in a frame with its own caches or outside of all.
  ///
  /// The keepers stay: callers that wait for the next instance share it with all later callers.
  func forget(in cacheFrame: ContextFrame?) { own(in: cacheFrame)?.forget() }
}

extension ContainerCore {
  /// Forgets the instances kept in this container for other containers' registrations, in a frame
  /// with its own caches or outside of all.
  func forgetKeptForOthers(in cacheFrame: ContextFrame? = nil) {
    for keeper in keepersForOthers { keeper.forget(in: cacheFrame) }
  }
}

extension Scope {
  /// Forgets every instance that is kept for this scope, in all containers.
  ///
  /// The `cache` of a container resets that container only.
  ///
  /// Inside a sandbox, a layer or a scoped root, only instances that it keeps are forgotten. An
  /// instance that is being built at the time is returned to all requests that wait for it, but not
  /// kept. Requests made after the reset get new instances, including those of a factory that was
  /// already running.
  public func reset() {
    if let resetContainer = (self as? Cached)?.resetContainer {
      resetContainer()
    } else if let frame = ContextFrame.current?.cacheFrame(for: self) {
      frame.reset { $0 === self }
    } else {
      forgetKept()
    }
  }
}

extension Registration {
  /// Returns the closure that tears down a kept instance, in the context that keeps it.
  func onRelease(in frame: ContextFrame?) -> Keeper.OnRelease? {
    guard let tearDown = maker.details.onRelease else { return nil }
    guard let frame else {
      return { instance in ContextFrame.$bound.withValue(nil) { tearDown(instance) } }
    }
    return { [weak frame] instance in
      ContextFrame.$bound.withValue(frame) { tearDown(instance) }
    }
  }
}
