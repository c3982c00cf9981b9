internal import DIPrimitives

// The common state of all public containers: a registry, the nested containers, and the instances
// kept for a container that received a request without owning the registration.

/// The kernel's part of one container.
package final class ContainerCore: Sendable {
  /// A serial number: unlike the address, no other container gets it later.
  package let number = SerialNumber.next()
  /// State that only containers with services declared as properties need.
  package let settings: ContainerSettings
  /// Not zero while a request by key path needs more than this container's registrations.
  private let factoryAttention: Unchecked<Atomic.Address>
  package let registry = Registry()
  /// The place that made the container, for diagnostics.
  let location: CodeLocation
  /// Whether registrations made here are doubles: true for the container of a layer.
  package let holdsDoubles: Bool
  /// Whether a sandbox was current when the container was made, also for a layer's container.
  ///
  /// What scopes keep for such a container is released together with it.
  package let wasMadeInSandbox: Bool
  private let state: Lock<State>
  /// The scope of typed registrations that name none; nil if the process's default applies.
  let defaultScope: Scope?
  /// The boundary that all services registered here are behind, if any.
  let boundary: String?

  private struct State {
    var label: String?
    /// A text with the container's location, used if there is no label.
    var placeText: String?
    /// The nested containers, in the order added.
    var children: [Resolver] = []
    /// The keepers of this container as the requested one, in place of those of registrations.
    var keepers = Keepers()
    // Not `weak`: counting references of an object that has weak ones is several times slower, and
    // every request by key path counts them. The container clears this in its `deinit`.
    var resolver: Unmanaged<Resolver>?
    /// The number of objects through which the container can be reached: the public container, and
    /// the manager of a user-defined container, which may have no public one, or get one later.
    var handles = 0
    /// Closures that release what others keep for the container, by the number of each.
    var whenGone: [UInt64: @Sendable (ContainerCore) -> Void] = [:]
    /// The values that other layers keep with the container.
    var values: [ObjectIdentifier: any Sendable] = [:]
  }

  init(
    label: String?, location: CodeLocation, holdsDoubles: Bool, defaultScope: Scope?,
    boundary: String?, isInSandbox: Bool
  ) {
    self.location = location
    self.boundary = boundary
    self.defaultScope = defaultScope
    self.holdsDoubles = holdsDoubles
    wasMadeInSandbox = isInSandbox
    settings = ContainerSettings()
    // The settings hold the value, and live as long as this object.
    factoryAttention = Unchecked(settings.attention.address)
    state = Lock(State(label: label))
  }

  /// Returns the registration that serves a request outside every context; nil if that takes the
  /// general path to find.
  @inline(__always)
  func find(_ key: ServiceKey) -> Registration? {
    if let own = registry.find(key) { return own }
    return settings.hasChildren ? findBelow(key) : nil
  }

  private func findBelow(_ key: ServiceKey) -> Registration? {
    var walk = NestWalk(from: self)
    while let core = walk.next() {
      if core !== self, let found = core.registry.find(key), !found.isRemoval {
        // An instance per requested container is not kept in the registration's keeper.
        return found.scope.keptBy == .requestedContainer ? nil : found
      }
      walk.goOn(to: core.baseChildren)
    }
    return nil
  }

  /// Whether only this container's registrations matter for a request by key path.
  @inline(__always)
  var allowsShortPath: Bool { !factoryAttention.value.isSet }

  /// The name that diagnostics use.
  package var label: String {
    // Composed once: a recorder reads it with every event, and composing takes 2,600 instructions.
    state.withLock { state in
      if let label = state.label ?? state.placeText { return label }
      let text = "\(holdsDoubles ? "layer" : "container") made at \(location)"
      state.placeText = text
      return text
    }
  }

  func rename(_ label: String) {
    state.withLock { if $0.label == nil { $0.label = label } }
  }

  /// The public container, as long as it is alive.
  package var resolver: Resolver? {
    state.withLock { state in
      // A container that is being deallocated waits in `detach` for the lock, so its memory is
      // valid.
      guard let resolver = state.resolver, di_try_retain(resolver.toOpaque()) else { return nil }
      return resolver.takeRetainedValue()
    }
  }

  func attach(_ resolver: Resolver) {
    state.withLock { state in
      state.resolver = .passUnretained(resolver)
      state.handles += 1
    }
  }

  /// Registers the manager of a user-defined container, which calls this.
  func attachManager() { state.withLock { $0.handles += 1 } }

  /// Unregisters the container, or the manager of a user-defined one; called when it is
  /// deallocated.
  func detach(_ handle: ObjectIdentifier) {
    let releases = state.withLock { state -> [UInt64: @Sendable (ContainerCore) -> Void] in
      // By its address: a reference to an object that is being deallocated must not be counted.
      if state.resolver.map({ UInt(bitPattern: $0.toOpaque()) }) == UInt(bitPattern: handle) {
        state.resolver = nil
      }
      state.handles -= 1
      guard state.handles == 0 else { return [:] }
      defer { state.whenGone = [:] }
      return state.whenGone
    }
    for release in releases.values { release(self) }
  }

  /// Calls a closure once no request can reach the container any more; one for each number.
  func whenGone(_ number: UInt64, _ release: @escaping @Sendable (ContainerCore) -> Void) {
    state.withLock { if $0.handles > 0 { $0.whenGone[number] = release } }
  }

  /// Removes a closure that `whenGone` added.
  func dropWhenGone(_ number: UInt64) {
    state.withLock { _ = $0.whenGone.removeValue(forKey: number) }
  }

  /// The value of a type that another layer keeps with the container.
  package subscript<Value: Sendable>(_ type: Value.Type) -> Value? {
    state.withLock { $0.values[ObjectIdentifier(type)] as? Value }
  }

  /// Sets or changes such a value.
  package func change<Value: Sendable>(_ type: Value.Type, _ change: (inout Value?) -> Void) {
    state.withLock { state in
      var value = state.values[ObjectIdentifier(type)] as? Value
      change(&value)
      state.values[ObjectIdentifier(type)] = value
    }
  }

  package var baseChildren: [Resolver] { state.withLock { $0.children } }

  func append(_ child: Resolver) {
    state.withLock { state in
      state.children.append(child)
      di_begin_generation()
    }
    settings.hasChildren = true
  }

  func removeChildren() {
    let old = state.withLock { state in
      defer { di_begin_generation() }
      return exchange(&state.children, with: [])
    }
    releaseUnlocked(old)
  }

  /// Returns the keeper of this container, as the requested one, in place of that of a registration
  /// that keeps one instance per requested container.
  func keeper(for base: Keeper) -> Keeper {
    if let present = state.withLock({ $0.keepers[base] }) { return present }
    // Made under no lock, because it releases other objects on the way.
    let made = base.makeReplacement(isOfFrame: false)
    let (own, dropped) = state.withLock { state -> (Keeper, [Keeper]) in
      if let own = state.keepers[base] { return (own, []) }
      return (made, state.keepers.add(made, for: base))
    }
    // Kept instances are released here, under no lock.
    withExtendedLifetime(dropped) {}
    return own
  }

  /// The keepers of the instances kept in this container for other containers' registrations.
  var keepersForOthers: [Keeper] { state.withLock { $0.keepers.all } }
}
