internal import DIPrimitives

// The common state of all public containers: a registry, the nested containers, the instances kept
// for a container that received a request without owning the registration, and settings.

/// The kernel's part of one container.
package final class ContainerCore: Sendable {
  /// A serial number: unlike the address, no other container gets it later.
  package let number = SerialNumber.next()
  package let registry = Registry()
  /// The place that made the container, for diagnostics.
  let location: CodeLocation
  /// Whether registrations made here are doubles: true for the container of a layer.
  package let holdsDoubles: Bool
  /// Whether a sandbox was current when the container was made, also for a layer's container.
  ///
  /// What scopes keep for such a container is released together with it.
  package let wasMadeInSandbox: Bool
  /// The state; its word is not zero while a request by key path needs more than this container's
  /// registrations.
  private let state: Lock<ContainerState>
  /// The scope of typed registrations that name none; nil if the process's default applies.
  let defaultScope: Scope?
  /// The boundary that all services registered here are behind, if any.
  let boundary: String?

  /// The reasons for that.
  private enum PropertyNeeds {
    static let unprepared: UInt = 1
    static let decorator: UInt = 2
    static let children: UInt = 4
  }

  struct ContainerState {
    fileprivate var label: String?
    /// A text with the container's location, used if there is no label.
    fileprivate var placeText: String?
    /// The nested containers, in the order added.
    fileprivate var children: [Resolver] = []
    /// The keepers of this container as the requested one, in place of those of registrations.
    fileprivate var keepers = Keepers()
    // Not `weak`: counting references of an object that has weak ones is several times slower, and
    // every request by key path counts them. The container clears this in its `deinit`.
    fileprivate var resolver: Unmanaged<Resolver>?
    /// The number of objects through which the container can be reached: the public container, and
    /// the manager of a user-defined container, which may have no public one, or get one later.
    fileprivate var handles = 0
    /// Closures that release what others keep for the container, by the number of each.
    fileprivate var whenGone: [UInt64: @Sendable (ContainerCore) -> Void] = [:]
    /// The values that code above the kernel keeps with the container.
    fileprivate var values: [ObjectIdentifier: any Sendable] = [:]
    /// Whether `autoRegister` has run.
    var isPrepared = false
    /// The runs of `autoRegister`, made on first use.
    fileprivate var setUp: SetUpRuns?
    /// Whether the container is of a user-defined class.
    var isOfOwnClass = false
    /// Whether the container is known to be the `shared` one of its class.
    var isShared = false
    /// The class of the container, once it has declared something.
    var containerType: Any.Type?
    /// The container if it is user-defined; not held, because its manager holds this.
    weak var container: (any ManagedContainer)?
    var settings = ContainerSettings()
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
    state = Lock(ContainerState(label: label))
    state.word = PropertyNeeds.unprepared
  }

  /// Runs kernel code that reads the state, or changes what no request attends to, under its lock.
  func withState<Result>(_ body: (inout ContainerState) -> Result) -> Result {
    state.withLock(body)
  }

  /// Changes the state.
  func update<Result>(_ body: (inout ContainerState) -> Result) -> Result {
    state.withLock { changed in
      defer {
        state.word =
          (changed.isPrepared ? 0 : PropertyNeeds.unprepared)
          | ((changed.settings.decorator ?? nil) == nil ? 0 : PropertyNeeds.decorator)
          | (changed.children.isEmpty ? 0 : PropertyNeeds.children)
      }
      return body(&changed)
    }
  }

  /// Whether `autoRegister` is yet to run.
  var isUnprepared: Bool { state.word & PropertyNeeds.unprepared != 0 }

  /// Whether other containers are nested in this one.
  var hasChildren: Bool { state.word & PropertyNeeds.children != 0 }

  /// The runs of the container's `autoRegister`, one of which is pending from the start.
  var setUp: SetUpRuns {
    state.withLock { state in
      let setUp = state.setUp ?? SetUpRuns(isPending: true)
      state.setUp = setUp
      return setUp
    }
  }

  package var containerType: Any.Type? { state.withLock { $0.containerType } }
  package var isOfOwnClass: Bool { state.withLock { $0.isOfOwnClass } }
  package var isShared: Bool { state.withLock { $0.isShared } }

  /// Returns the registration that serves a request outside every context; nil if that takes the
  /// general path to find.
  @inline(__always)
  func find(_ key: ServiceKey) -> Registration? {
    if let own = registry.find(key) { return own }
    return hasChildren ? findBelow(key) : nil
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
  var allowsShortPath: Bool { state.word == 0 }

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

  /// The value of a type that code above the kernel keeps with the container.
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

  package var baseChildren: [Resolver] {
    hasChildren ? state.withLock { $0.children } : []
  }

  func append(_ child: Resolver) {
    update { $0.children.append(child) }
    // Last: whoever sees the generation sees that there are children.
    di_begin_generation()
  }

  func removeChildren() {
    let old = update { state in
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
    let made = base.newReplacement(isUnlisted: false)
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

/// A container's settings for services declared as properties; in a sandbox's view, nil for those
/// that are as outside.
struct ContainerSettings {
  var decorator: ((Any) -> Void)??
  var defaultScope: Scope??
  /// What `push` saved, outermost first.
  var pushed: [Pushed] = []

  struct Pushed {
    let registrations: [Registration]
    let instances: SavedInstances
    let decorator: ((Any) -> Void)??
    let defaultScope: Scope??
    /// Whether `autoRegister` had yet to run.
    let isUnprepared: Bool
  }
}

/// A depth-first walk through a container and those nested in it.
///
/// Containers may share nested ones, so that a nest can have many more paths than containers: each
/// container is visited once.
struct NestWalk {
  private var start: ContainerCore?
  private var rest: [ContainerCore] = []
  /// The nested containers that were visited; a container is never nested in itself.
  private var seen: Set<ObjectIdentifier> = []

  init(from start: ContainerCore) { self.start = start }

  /// Returns the next container; nil at the end.
  mutating func next() -> ContainerCore? {
    if let start = exchange(&start, with: nil) { return start }
    while let core = rest.popLast() {
      if seen.insert(ObjectIdentifier(core)).inserted { return core }
    }
    return nil
  }

  /// Continues with the nested containers of the latest one for which `counts` is true.
  mutating func goOn(to children: [Resolver], where counts: (ContainerCore) -> Bool = { _ in true })
  {
    for child in children.reversed() where counts(child.core) { rest.append(child.core) }
  }
}
