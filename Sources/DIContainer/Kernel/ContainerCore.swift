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
    var askedSlots: [ObjectIdentifier: (base: AnySlot, own: AnySlot)] = [:]
    weak var resolver: Resolver?
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
    state.withLock { state in
      if let entry = state.askedSlots[ObjectIdentifier(base)] { return entry.own }
      let own = base.makeEmpty()
      state.askedSlots[ObjectIdentifier(base)] = (base, own)
      return own
    }
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
