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
  /// For an alias, its target; for a decoration, what it wraps; nil if there is nothing.
  ///
  /// The registration of aliases that form a circle occurs again at its end.
  package let next: Found?

  init(
    registration: Registration, owner: ContainerCore, isDouble: Bool,
    declared: DeclaredProperty? = nil, modifiers: Modifiers? = nil, next: Found? = nil
  ) {
    self.registration = registration
    self.owner = owner
    self.isDouble = isDouble
    self.declared = declared
    self.modifiers = modifiers
    self.next = next
  }
}

package struct Lookup {
  private let key: ServiceKey
  private let part: Registration.Part
  private let frame: ContextFrame?
  /// A registration, and the container that owns it.
  typealias Place = (registration: Registration, owner: ContainerCore)
  /// What was found: decorations, outermost first, and at last what they wrap.
  private var places: [Place] = []
  /// The innermost of the layers that are still to be searched; nil before the root is reached.
  private var layer: ContextFrame?
  private var isOver = false

  /// Returns the registration that serves a key in a container, in a context, with what an alias
  /// stands for and a decoration wraps.
  ///
  /// `aliases`: those that led to the key, by their numbers.
  package static func find(
    _ key: ServiceKey, _ part: Registration.Part = .registered, in core: ContainerCore,
    _ frame: ContextFrame?, through aliases: [UInt64] = []
  ) -> Found? {
    // Without layers, the search would begin with what the container itself has.
    if frame?.layer == nil {
      if let own = core.own(key, frame, part) {
        if !own.isRemoval, !own.searchesOn, !frame.leavesOut(own) {
          return frame.found(own, core, in: core, through: aliases)
        }
      } else if core.isSearchedAlone(frame) {
        return nil
      }
    }
    var found: Found?
    for place in places(key, part, in: core, frame).reversed() {
      found = frame.found(
        place.registration, place.owner, in: core, over: found, through: aliases)
    }
    return found
  }

  /// Returns the decorations of what serves a key, outermost first, and at last that; or all
  /// registrations that hold contexts of a property.
  static func places(
    _ key: ServiceKey, _ part: Registration.Part, in core: ContainerCore, _ frame: ContextFrame?
  ) -> [Place] {
    var lookup = Lookup(key: key, part: part, frame: frame)
    // A layer that is itself the requested container searches like the root: what it lacks falls
    // through.
    lookup.search(frame.map { $0.isLayer(core) ? $0.rootCore : core } ?? core)
    return lookup.places
  }

  /// Returns what serves a request; of a property, at last the declaration.
  static func find(
    _ request: borrowing Request, container: Resolver, _ frame: ContextFrame?
  ) -> Found? {
    if let declared = request.declared { return declared.found(frame) }
    return find(request.key, in: container.core, frame)
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
    for (registry, sandbox) in core.registries(frame) {
      guard let own = registry.find(key, part) else { continue }
      pass(own, core, in: sandbox)
      if isOver { break }
      marker = own.isRemoval ? own : own.wrappedRemoval
      if marker != nil { break }
    }
    return marker
  }

  /// Adds a registration that was met, and ends the search with it unless it wraps what comes next.
  ///
  /// Layers come first, unless a sandbox or a scoped root inside them holds the registration. With
  /// a sandbox S1, a layer L in it and a sandbox S2 in that, all of them with a double, S2's is
  /// found; without it, L's; without both, S1's, and then what the container itself has. Frames are
  /// numbered as they are made: of two on one chain, the one further in has the larger number.
  private mutating func pass(
    _ registration: Registration, _ owner: ContainerCore, in sandbox: ContextFrame?
  ) {
    if registration.isRemoval || has(registration) || frame.leavesOut(registration) { return }
    if let frame, layer != nil {
      let root = frame.chain.first { $0.kind == .root && $0.installed?.core === owner }
      searchLayers(inside: max(sandbox?.number ?? 0, root?.number ?? 0), before: registration)
      if isOver || has(registration) { return }
    }
    places.append((registration, owner))
    isOver = part != .contexts && !registration.searchesOn
  }

  /// Whether a registration was found, perhaps in another form that stands further in.
  private func has(_ registration: Registration) -> Bool {
    places.contains { $0.registration.isOrDecorates(registration.id) }
  }

  /// Searches the layers that are inside a frame, by its number, from the innermost outwards.
  ///
  /// If one of them has the registration that they come before, what follows that may come before
  /// the layers that are left.
  private mutating func searchLayers(inside number: UInt64, before next: Registration? = nil) {
    while !isOver, !(next.map(has) ?? false), let inner = layer, inner.number > number {
      // What one layer holds comes before what the others do.
      layer = nil
      searchLayer(inner)
      layer = inner.outerLayer
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
  /// Returns the result of a search in a container, as a context sees it.
  ///
  /// A decoration wraps what is in its place or, if that is nothing, `below`.
  func found(
    _ registration: Registration, _ owner: ContainerCore, in core: ContainerCore,
    over below: Found? = nil, through aliases: [UInt64] = []
  ) -> Found {
    var next: Found?
    if registration.isDecoration {
      next =
        registration.wrapped.map {
          found($0, owner, in: core, over: below, through: aliases)
        } ?? below
    } else if let alias = registration.alias, !aliases.contains(registration.id) {
      next = target(of: alias, in: core, through: aliases + [registration.id])
    }
    return Found(
      registration: registration, owner: owner,
      isDouble: self?.isDouble(registration, in: owner) ?? registration.options.isDouble,
      next: next)
  }

  /// Returns what an alias stands for: what is registered for its service now.
  ///
  /// But where the service was registered several times in one place (a container, a layer, a
  /// test's view of one), each time with aliases, an alias keeps its own registration, unless
  /// another place hides them. What decorates the service elsewhere decorates that.
  private func target(
    of alias: Alias, in core: ContainerCore, through aliases: [UInt64]
  ) -> Found? {
    /// Returns the alias's own registration in place of a later one, decorated as that is.
    func kept(by alias: Alias, in found: Found) -> Found? {
      if let own = found.registration.earlier.first(where: { $0.innermost.id == alias.owner }) {
        return self.found(own, found.owner, in: core, through: aliases)
      }
      guard found.registration.searchesOn, let next = found.next,
        let own = kept(by: alias, in: next)
      else { return nil }
      return Found(
        registration: found.registration, owner: found.owner, isDouble: found.isDouble, next: own)
    }
    let found = Lookup.find(alias.target, in: core, self, through: aliases)
    return found.flatMap { kept(by: alias, in: $0) } ?? found
  }
}

extension Lookup {
  /// Returns the registration that serves a key, unless it decorates something that is not there.
  package static func findComplete(
    _ key: ServiceKey, in core: ContainerCore, _ frame: ContextFrame?
  ) -> Found? {
    find(key, in: core, frame).flatMap { $0.isOverNothing ? nil : $0 }
  }
}
