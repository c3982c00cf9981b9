// What all public containers are made of: a registry, the containers below, and the instances
// kept for a container that was asked but does not own the registration.

/// The kernel's side of one container.
package final class ContainerCore: Sendable {
  package let registry = Registry()
  /// Where the container was made, for diagnostics.
  package let location: CodeLocation
  /// Whether what is registered here is a double: the container of a layer.
  package let holdsDoubles: Bool
  private let state: Lock<State>

  private struct State {
    var label: String?
    var children: [Resolver] = []
    var askedSlots: [ObjectIdentifier: AskedSlot] = [:]
    /// How many of them there may be before those of gone registrations are sorted out.
    var askedSlotLimit = 32
    weak var resolver: Resolver?
  }

  private struct AskedSlot {
    weak var base: AnySlot?
    let own: AnySlot
  }

  package init(label: String? = nil, location: CodeLocation, holdsDoubles: Bool = false) {
    self.location = location
    self.holdsDoubles = holdsDoubles
    state = Lock(State(label: label))
  }

  /// The name that diagnostics use.
  package var label: String {
    state.withLock { $0.label } ?? "container made at \(location)"
  }

  package func rename(_ label: String) {
    state.withLock { if $0.label == nil { $0.label = label } }
  }

  /// The public container, while somebody holds it.
  package var resolver: Resolver? { state.withLock { $0.resolver } }

  func attach(_ resolver: Resolver) {
    state.withLock { $0.resolver = resolver }
  }

  package var baseChildren: [Resolver] { state.withLock { $0.children } }

  func append(_ child: Resolver) {
    state.withLock { $0.children.append(child) }
  }

  func removeChildren() {
    let old = state.withLock { state in
      defer { state.children = [] }
      return state.children
    }
    withExtendedLifetime(old) {}
  }

  /// The once-state of this container, when asked, for a registration that keeps one for each.
  func askedSlot(for base: AnySlot) -> AnySlot {
    let (own, old) = state.withLock { state -> (AnySlot, [AnySlot]) in
      let id = ObjectIdentifier(base)
      var old: [AnySlot] = []
      if let entry = state.askedSlots[id] {
        if entry.base === base { return (entry.own, []) }
        old.append(entry.own)
      }
      if state.askedSlots.count >= state.askedSlotLimit {
        old += state.askedSlots.values.filter { $0.base == nil }.map(\.own)
        state.askedSlots = state.askedSlots.filter { $0.value.base != nil }
        state.askedSlotLimit = max(32, state.askedSlots.count * 2)
      }
      let own = base.makeDerived()
      state.askedSlots[id] = AskedSlot(base: base, own: own)
      return (own, old)
    }
    // What they keep goes here, with no lock held.
    withExtendedLifetime(old) {}
    return own
  }

  /// Forgets what is kept in this container for other containers' registrations.
  func forgetAskedSlots() {
    let slots = state.withLock { state in
      defer { state.askedSlots = [:] }
      return state.askedSlots.values.map(\.own)
    }
    for slot in slots { slot.forget() }
  }
}
