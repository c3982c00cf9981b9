// The search for the registration that serves a request. The candidates are those of the requested
// container, seen through the sandboxes from the innermost outwards, then those of its nested
// containers in the order added, depth first. When this search reaches a container that the root
// reaches, the layers come first, from the innermost outwards, each with its own registrations,
// then those of its nested containers that the root does not reach. But a candidate that a sandbox
// or a scoped root inside a layer holds comes before that layer: the innermost wins.

/// A registration that serves a request, and the container that owns it.
package final class Found {
  package let registration: Registration
  package let owner: ContainerCore
  /// Whether it is supplied by a layer, a scoped root or a sandbox, rather than by production.
  package let isDouble: Bool
  /// The property whose declared factory makes the instance, in place of the registration's.
  let declared: DeclaredProperty?
  /// For a service declared as a property, the modifiers that the registration lacks, if any.
  let modifiers: Modifiers?

  init(
    registration: Registration, owner: ContainerCore, isDouble: Bool,
    declared: DeclaredProperty? = nil, modifiers: Modifiers? = nil
  ) {
    self.registration = registration
    self.owner = owner
    self.isDouble = isDouble
    self.declared = declared
    self.modifiers = modifiers
  }
}

package struct Lookup {
  private let key: ServiceKey
  private let part: Registration.Part
  private let frame: ContextFrame?
  /// The id up to and including which registrations are passed over; nil once it was found.
  private var below: UInt64?
  /// The ids passed over so far; they may occur again in another place.
  private var passed: [UInt64] = []
  /// The innermost of the layers that are still to be searched; nil before the root is reached.
  private var layer: ContextFrame?
  private var found: Found?
  private var isOver = false

  /// Returns the registration that serves a key in a container, in a context.
  ///
  /// With `below`, the id of a registration, the search returns what it would find without that
  /// registration and those that hide it: the one that a decoration wraps. The other parts of a
  /// property are searched for in the same way.
  package static func find(
    _ key: ServiceKey, in core: ContainerCore, _ frame: ContextFrame?, below: UInt64? = nil
  ) -> Found? {
    find(key, .registered, in: core, frame, below: below)
  }

  static func find(
    _ key: ServiceKey, _ part: Registration.Part, in core: ContainerCore, _ frame: ContextFrame?,
    below: UInt64? = nil
  ) -> Found? {
    // Without layers, the search would begin with what the container itself has.
    if below == nil, frame?.layer == nil {
      if let own = core.own(key, frame, part) {
        if !own.isRemoval, !frame.leavesOut(own) { return frame.found(own, core) }
      } else if core.isSearchedAlone(frame) {
        return nil
      }
    }
    var lookup = Lookup(key: key, part: part, frame: frame, below: below)
    // A layer that is itself the requested container searches like the root: what it lacks falls
    // through.
    lookup.search(frame.map { $0.isLayer(core) ? $0.rootCore : core } ?? core)
    return lookup.found
  }

  /// Returns what serves a request; of a property, at last the declaration.
  static func find(
    _ request: borrowing Request, container: Resolver, _ frame: ContextFrame?, below: UInt64? = nil
  ) -> Found? {
    if let declared = request.declared { return declared.found(frame, below: below) }
    return find(request.key, in: container.core, frame, below: below)
  }
}

// MARK: - The search

extension Lookup {
  /// Searches a container and those nested in it.
  ///
  /// The layers join in where the search arrives at a container that the root reaches; if it never
  /// does, layers play no part.
  private mutating func search(_ start: ContainerCore) {
    var layers = frame?.layer
    var walk = NestWalk(from: start)
    while let core = walk.next() {
      if let frame, layers != nil, frame.rootNests(core) {
        (layer, layers) = (layers, nil)
      }
      searchOwn(core)
      if isOver { return }
      walk.goOn(to: frame?.children(of: core) ?? core.baseChildren)
    }
    searchLayers(inside: 0)
  }

  /// Searches the registrations of one container, seen through the sandboxes; returns the marker
  /// that removes the service from it, if there is one.
  @discardableResult
  private mutating func searchOwn(_ core: ContainerCore) -> Registration? {
    var marker: Registration?
    core.forEachRegistry(frame) { registry, sandbox in
      guard let own = registry.find(key, part) else { return true }
      pass(own, core, in: sandbox)
      if isOver { return false }
      marker = own.isRemoval ? own : own.displacedRemoval
      return marker == nil
    }
    return marker
  }

  /// Ends the search with a registration that serves the key, or passes it over.
  ///
  /// Layers come first, unless a sandbox or a scoped root inside them holds the registration. With
  /// a sandbox S1, a layer L in it and a sandbox S2 in that, all of them with a double, S2's is
  /// found; without it, L's; without both, S1's, and then what the container itself has. Frames are
  /// numbered as they are made: of two on one chain, the one further in has the larger number.
  private mutating func pass(
    _ registration: Registration, _ owner: ContainerCore, in sandbox: ContextFrame?
  ) {
    if registration.isRemoval || passed.contains(registration.id)
      || frame.leavesOut(registration)
    {
      return
    }
    if let frame, layer != nil {
      let root = frame.chain.first { $0.kind == .root && $0.installed?.core === owner }
      searchLayers(inside: max(sandbox?.number ?? 0, root?.number ?? 0), before: registration.id)
      if isOver || passed.contains(registration.id) { return }
    }
    guard let id = below else {
      found = frame.found(registration, owner)
      isOver = true
      return
    }
    // Registrations that it wraps at its place may have another form further out.
    passed += registration.withDisplaced.map(\.id)
    if registration.isOrDecorates(id) { below = nil }
  }

  /// Searches the layers that are inside a frame, by its number, from the innermost outwards.
  ///
  /// `before`: the registration that they come before. If one of them passes it over, what follows
  /// may come before the layers that are left.
  private mutating func searchLayers(inside number: UInt64, before id: UInt64 = 0) {
    while !isOver, !passed.contains(id), let next = layer, next.number > number {
      // What one layer holds comes before what the others do.
      layer = nil
      searchLayer(next)
      layer = next.outerLayer
    }
  }

  /// Searches a layer and the containers nested in it that the root does not reach.
  private mutating func searchLayer(_ layer: ContextFrame) {
    guard let frame, let start = layer.installed?.core else { return }
    var removal: Registration?
    var walk = NestWalk(from: start)
    while let core = walk.next() {
      let marker = searchOwn(core)
      if isOver { return }
      if core === start { removal = marker }
      walk.goOn(to: frame.children(of: core)) { !frame.rootReaches($0) }
    }
    // A service that a layer removes is hidden everywhere below the layer.
    if part == .registered, let removal, !removal.options.isReset { isOver = true }
  }
}

extension ContextFrame? {
  /// Returns the result of a search, as a context sees it.
  func found(_ registration: Registration, _ owner: ContainerCore) -> Found {
    Found(
      registration: registration, owner: owner,
      isDouble: self?.isDouble(registration, in: owner) ?? registration.options.isDouble)
  }
}

extension Lookup {
  /// Returns the registration that serves a key, unless it decorates something that is not there.
  package static func findComplete(
    _ key: ServiceKey, in core: ContainerCore, _ frame: ContextFrame?
  ) -> Found? {
    guard let found = find(key, in: core, frame) else { return nil }
    // Below the decoration of a property is its declaration.
    if found.registration.key.property == nil, let id = found.registration.searchesBelow,
      find(key, in: core, frame, below: id) == nil
    {
      return nil
    }
    return found
  }
}
