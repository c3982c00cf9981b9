internal import DIPrimitives

// What all public containers are made of: a registry, the containers below, and the instances
// kept for a container that was asked but does not own the registration.

/// The kernel's side of one container.
package final class ContainerCore: Sendable {
  /// What only containers with services declared as properties need.
  let factories: FactoryState
  /// Not zero while a request by key path needs more than a look at this container's registrations.
  private let factoryAttention: Unchecked<UnsafeMutablePointer<UInt>>
  package let registry: Registry
  private let readers: Unchecked<(own: RegistrationTable.Reader, below: InheritedReader)>
  /// Where the container was made, for diagnostics.
  let location: CodeLocation
  /// Whether what is registered here is a double: the container of a layer.
  let holdsDoubles: Bool
  /// Whether a sandbox was current when the container was made.
  let wasMadeInSandbox: Bool
  /// The same, for a layer's container too: what scopes have for it goes when it goes.
  let wasMadeInScope: Bool
  /// The test that made the container, where that is known.
  let maker: RunningTest?
  private let state: Lock<State>
  /// The scope of typed registrations that name none; nil where the process's default counts.
  let defaultScope: Scope?

  private struct State {
    var label: String?
    /// What stands for the label where there is none.
    var placeText: String?
    /// The containers below; most have none.
    var nest: Nest?
    /// The once-states of this container, when asked, by those of the registrations.
    var askedSlots = WeakTable<Slot, Slot>()
    let inherited = InheritedBox()
    /// What sandboxes registered that are gone; see SandboxLoss.swift.
    var losses: [SandboxLoss] = []
    // Not `weak`: counting references of an object that has weak ones is several times slower, and
    // every static request counts them. The container takes this back when it goes.
    var resolver: UnsafeRawPointer?
    /// How many there are by whom it can be asked: the public container, and the manager of a
    /// container of the user's own, which may have no public one, or one that comes later.
    var faces = 0
    /// The parts that were appended to the container; see DIPart.swift.
    var loaded: Set<ObjectIdentifier> = []
    /// The sandboxes that put something over the container; they take themselves out.
    var scopes: Set<UnsafeRawPointer> = []
  }

  // A lock's value cannot be noncopyable on all platform floors.
  private final class InheritedBox {
    var inheritance = Inheritance()
  }

  package init(
    label: String? = nil, location: CodeLocation, holdsDoubles: Bool = false,
    defaultScope: Scope? = nil
  ) {
    self.location = location
    self.defaultScope = defaultScope
    if defaultScope != nil { di_note_default_scope() }
    self.holdsDoubles = holdsDoubles
    wasMadeInScope = di_attention_needed() != 0 && ContextFrame.isInSandbox
    wasMadeInSandbox = wasMadeInScope && !holdsDoubles
    maker = di_tests_are_known() ? ProcessHooks.current?.runningTest : nil
    factories = FactoryState()
    // It lives as long as the settings, hence as this object.
    factoryAttention = Unchecked(factories.attentionWord)
    let state = State(label: label)
    registry = Registry()
    // Readers are addresses that live as long as this object, and are all that a request needs:
    // going through the registry would cost two more loads that wait for one another.
    readers = Unchecked((registry.reader, state.inherited.inheritance.reader))
    self.state = Lock(state)
  }

  /// The registration that answers where no context is in force, if known without a search.
  ///
  /// Use it between `di_pin` and `di_unpin` only.
  @inline(__always)
  func find(_ request: UnsafePointer<Request>) -> Unmanaged<Registration>? {
    // Apart, so that the usual request copies no name.
    if request.pointee.name != nil { return findNamed(request) }
    let property = request.pointee.propertyReference
    let first =
      property.map { UInt(bitPattern: $0.toOpaque()) }
      ?? UInt(bitPattern: unsafeBitCast(request.pointee.type, to: Int.self))
    let second: UInt = property == nil ? 0 : 1
    return readers.value.own.find(first: first, second: second)
      ?? readers.value.below.find(first: first, second: second)
  }

  @inline(never)
  private func findNamed(_ request: UnsafePointer<Request>) -> Unmanaged<Registration>? {
    let key = RawKey(request)
    return readers.value.own.find(key) ?? readers.value.below.find(key)
  }

  /// The container's own registration for a key; as `find`.
  @inline(__always)
  func findOwn(_ key: RawKey) -> Unmanaged<Registration>? { readers.value.own.find(key) }

  /// Whether the container has, or once had, containers below it.
  var isNest: Bool { readers.value.own.has(RegistrationTable.Mark.hasChildren) }

  /// The same for a key, which may have a name.
  @inline(never)
  func find(_ key: RawKey) -> Unmanaged<Registration>? {
    readers.value.own.find(key) ?? readers.value.below.find(key)
  }

  /// Whether nothing but this container's registrations counts for a request by key path.
  @inline(__always)
  var isCalm: Bool { di_load_word(factoryAttention.value) == 0 }

  /// Remembers a registration that was found below while the change count was `changes`.
  func remember(_ registration: Registration, _ key: RawKey, _ changes: UInt) {
    state.withLock { $0.inherited.inheritance.remember(registration, key, changes) }
  }

  /// The name that diagnostics use.
  package var label: String {
    // Put together once: a recorder asks with every event, and it took 2,600 instructions.
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

  /// The public container, while somebody holds it.
  var resolver: Resolver? {
    state.withLock { state in
      // A container that is going waits in `detach` for the lock, so its memory is there.
      guard let resolver = state.resolver, di_try_retain(resolver) else { return nil }
      return Unmanaged<Resolver>.fromOpaque(resolver).takeRetainedValue()
    }
  }

  func attach(_ resolver: Resolver) {
    let resolver = UnsafeRawPointer(Unmanaged.passUnretained(resolver).toOpaque())
    state.withLock { state in
      state.resolver = resolver
      state.faces += 1
    }
  }

  /// Called by the manager of a container of the user's own.
  func attachManager() { state.withLock { $0.faces += 1 } }

  /// Called by the container, or the manager of one of the user's own, when it goes.
  func detach(_ face: UnsafeRawPointer) {
    let scopes = state.withLock { state -> [ContextFrame] in
      if state.resolver == face { state.resolver = nil }
      state.faces -= 1
      guard state.faces == 0 else { return [] }
      defer { state.scopes = [] }
      // A scope that is going waits in `remove` for the lock, so its memory is there.
      return state.scopes.compactMap { scope in
        di_try_retain(scope) ? Unmanaged.fromOpaque(scope).takeRetainedValue() : nil
      }
    }
    for scope in scopes { scope.letGo(of: self) }
  }

  /// Notes that a sandbox has something for the container, to be let go of with it.
  func add(scope: ContextFrame) {
    let scope = UnsafeRawPointer(Unmanaged.passUnretained(scope).toOpaque())
    state.withLock { state in
      if state.faces > 0 { state.scopes.insert(scope) }
    }
  }

  /// Called by a sandbox that goes.
  func remove(scope: UnsafeRawPointer) {
    state.withLock { _ = $0.scopes.remove(scope) }
  }

  /// What sandboxes that are gone registered in the container.
  var losses: [SandboxLoss] { state.withLock { $0.losses } }

  func note(_ losses: [SandboxLoss]) {
    state.withLock { state in
      for loss in losses where state.losses.count < SandboxLoss.limit {
        if !state.losses.contains(where: { $0.key == loss.key }) { state.losses.append(loss) }
      }
    }
  }

  /// Notes that a part is loaded; false if it was already.
  func noteLoaded(_ part: ObjectIdentifier) -> Bool {
    state.withLock { $0.loaded.insert(part).inserted }
  }

  /// Has parts load again that are appended again.
  func forgetLoaded() {
    state.withLock { $0.loaded = [] }
  }

  var baseChildren: [Resolver] { state.withLock { $0.nest?.containers ?? [] } }

  func append(_ child: Resolver) {
    state.withLock { state in
      let nest = state.nest ?? Nest()
      nest.containers.append(child)
      state.nest = nest
    }
    registry.noteChildren()
    factories.hasChildren = true
  }

  func removeChildren() {
    let old = state.withLock { state in
      defer { state.nest = nil }
      return state.nest
    }
    // What was found in them may be under a reader's eyes; see Inheritance.swift.
    di_note_change()
    di_quiesce()
    withExtendedLifetime(old) {}
  }

  /// The once-state of this container, when asked, for a registration that keeps one for each.
  func askedSlot(for base: Slot) -> Slot {
    if let present = state.withLock({ $0.askedSlots[base] }) { return present }
    // Made with no lock held, for it lets go of others on the way.
    let made = base.makeDerived()
    let (own, left) = state.withLock { state -> (Slot, WeakTable<Slot, Slot>.Leftovers?) in
      if let own = state.askedSlots[base] { return (own, nil) }
      return (made, state.askedSlots.set(made, for: base))
    }
    // What they keep goes here, with no lock held.
    withExtendedLifetime(left) {}
    return own
  }

  /// Forgets what is kept in this container for other containers' registrations.
  ///
  /// The once-states stay: whoever waits for an instance shares the next one with all who come
  /// later. Where a scope keeps instances in the place of these, it forgets those instead.
  func forgetAskedSlots(in caches: ContextFrame? = nil) {
    for slot in state.withLock({ $0.askedSlots.values }) {
      if let caches { caches.reset(slot) } else { slot.forget() }
    }
  }
}
