internal import DIPrimitives

// The search for the registration that serves a request: that of the requested container, seen
// through the sandboxes from the innermost outwards, then those of its nested containers in the
// order added, depth first. When this search reaches a container that the root reaches, the frames
// come first, from the innermost outwards:
//
// - a layer supplies its own registrations, then those of its nested containers that the root does
//   not reach;
// - registrations that the rest of the search finds without the layers come before those of frames
//   outside the sandbox or the scoped root that holds them: the innermost wins.

/// A registration that serves a request, and the container that owns it.
package struct Found {
  package let registration: Registration
  package let owner: ContainerCore
  /// Whether it is supplied by a layer, a scoped root or a sandbox, rather than by production.
  package let isDouble: Bool
  /// The factory of a property's declaration or context, in place of the registration's.
  let ownRecipe: Recipe?
  /// For a service declared as a property, the part that the registration lacks, if any.
  let property: Property?

  init(
    registration: Registration, owner: ContainerCore, isDouble: Bool, recipe: Recipe? = nil,
    property: Property? = nil
  ) {
    self.registration = registration
    self.owner = owner
    self.isDouble = isDouble
    ownRecipe = recipe
    self.property = property
  }
}

/// One search for a key.
package struct Lookup {
  private let key: RawKey
  private let frame: ContextFrame?
  /// The id up to and including which registrations are skipped; nil once it was found.
  private var below: UInt64?
  /// The ids skipped so far; they may occur again if a sandbox is inside a layer.
  private var passed: [UInt64] = []

  /// Returns the registration that serves a key in a container, in a context.
  ///
  /// With `below`, the id of a registration, the search returns what it would find without that
  /// registration and those that hide it: the one that a decoration wraps.
  package static func find(
    _ key: RawKey, in core: ContainerCore, _ frame: ContextFrame?, below: UInt64? = nil
  ) -> Found? {
    var lookup = Lookup(key: key, frame: frame, below: below)
    guard let frame else {
      let changes = di_change_count()
      let found = lookup.search(NestWalk(from: core, uncounted: 32))
      // An instance per requested container is not kept in the registration's slot.
      if let found, below == nil, found.owner !== core,
        found.registration.scope.kind != .containerAsked
      {
        core.remember(found.registration, key, changes)
      }
      return found
    }
    // A layer that is itself the requested container searches like the root: what it lacks falls
    // through.
    var walk = NestWalk(from: frame.isLayer(core) ? frame.rootCore : core, uncounted: 32)
    guard frame.hasLayers else { return lookup.search(walk) }
    while let next = walk.peek(), !frame.rootNests(next) {
      if let own = lookup.own(next), !own.isRemoval { return lookup.found(own, next) }
      _ = walk.next()
      walk.goOn(to: frame.children(of: next))
    }
    // The root reaches none of the containers.
    if walk.peek() == nil { return nil }
    var inside: [ContextFrame] = []
    for next in frame.chain {
      switch next.kind {
      case .layer:
        let layer = next.installed!.core
        if let found = lookup.search(walk, inside: inside)
          ?? lookup.search(NestWalk(from: layer, uncounted: 32), notReachedBy: frame)
        {
          return found
        }
        // A service that a layer removes is hidden everywhere below the layer.
        if let own = lookup.own(layer), own.isRemoval, !own.options.isReset { return nil }
      case .sandbox, .root:
        inside.append(next)
      case .base, .caches, .recorder, .policy:
        break
      }
    }
    return lookup.search(walk)
  }

  /// Returns what serves a request; of a property, at last the declaration.
  static func find(
    _ request: UnsafePointer<Request>, asked: Resolver, _ frame: ContextFrame?,
    below: UInt64? = nil
  ) -> Found? {
    if let declared = request.pointee.declared { return declared.found(frame, below: below) }
    return find(RawKey(request), in: asked.core, frame, below: below)
  }

  /// Returns what serves a request, for callers that have it as a value.
  static func find(
    _ request: Request, asked: Resolver, _ frame: ContextFrame?, below: UInt64? = nil
  ) -> Found? {
    withUnsafePointer(to: request) { find($0, asked: asked, frame, below: below) }
  }

  // A second visit finds what the first one found: nothing, or a skipped registration.
  private mutating func search(
    _ walk: NestWalk, notReachedBy frame: ContextFrame? = nil
  ) -> Found? {
    var walk = walk
    while let core = walk.next() {
      if let own = own(core), !own.isRemoval { return found(own, core) }
      let children = children(of: core)
      if let frame {
        walk.goOn(to: children) { !frame.rootReaches($0) }
      } else {
        walk.goOn(to: children)
      }
    }
    return nil
  }

  /// Returns what the search finds without the layers, if a frame inside them holds it.
  ///
  /// The search ends at any other registration that serves the key: a layer that lacks the key
  /// changes nothing.
  private mutating func search(_ walk: NestWalk, inside frames: [ContextFrame]) -> Found? {
    if frames.isEmpty { return nil }
    var walk = walk
    while let core = walk.next() {
      var isHidden = false
      for frame in frames where !isHidden {
        let (own, isMasked) = seen(core, in: frame)
        if let own, !own.isRemoval { return found(own, core) }
        // The service was removed, or reset to its property's declaration.
        isHidden = isMasked || own.map { !$0.showsWhatLiesBelow } ?? false
      }
      if !isHidden, holdsUnpassed(core) { return nil }
      walk.goOn(to: children(of: core))
    }
    return nil
  }

  /// Whether the container itself has a registration to accept, seen through the sandboxes.
  ///
  /// Nothing is noted as skipped, because layers may come before the container.
  private func holdsUnpassed(_ core: ContainerCore) -> Bool {
    func answers(_ registration: Registration) -> Bool {
      !registration.isRemoval && !passed.contains(registration.id)
    }
    if let frame {
      for sandbox in frame.sandboxes {
        guard let view = sandbox.view(of: core) else { continue }
        let own = view.registry.find(key)
        if let own, !passed.contains(own.id) { return answers(own) }
        // A removed service stays hidden, skipped or not.
        if own?.isRemoval == true || own?.displacedRemoval != nil || view.isMasked {
          return false
        }
      }
    }
    return core.registry.find(key).map(answers) ?? false
  }

  /// Returns the registration that a sandbox or a scoped root itself holds for a container, and
  /// whether those outside are hidden.
  private mutating func seen(
    _ core: ContainerCore, in frame: ContextFrame
  ) -> (own: Registration?, isMasked: Bool) {
    if frame.kind == .sandbox {
      guard let view = frame.view(of: core) else { return (nil, false) }
      return (accepted(view.registry.find(key)), view.isMasked)
    }
    guard frame.installed?.core === core else { return (nil, false) }
    // Registrations made in a sandbox around it are in that sandbox's view.
    for sandbox in frame.sandboxes {
      guard let view = sandbox.view(of: core) else { continue }
      if let own = accepted(view.registry.find(key)) { return (own, false) }
      if view.isMasked { return (nil, true) }
    }
    return (accepted(core.registry.find(key)), false)
  }

  private mutating func own(_ core: ContainerCore) -> Registration? {
    if let frame {
      for sandbox in frame.sandboxes {
        guard let view = sandbox.view(of: core) else { continue }
        if let own = accepted(view.registry.find(key)) { return own }
        if view.isMasked { return nil }
      }
    }
    return accepted(core.registry.find(key))
  }

  private mutating func accepted(_ registration: Registration?) -> Registration? {
    guard let registration, below != nil || !passed.isEmpty else { return registration }
    // If the service was removed at its place, the removal still hides registrations below it.
    let removal = registration.isRemoval ? registration : registration.displacedRemoval
    if below == nil { return passed.contains(registration.id) ? removal : registration }
    // Registrations that it wraps at its place may have another form further out.
    passed += registration.withDisplaced.map(\.id)
    guard registration.isOrDecorates(below.unsafelyUnwrapped) else { return nil }
    below = nil
    return removal
  }

  private func children(of core: ContainerCore) -> [Resolver] {
    frame?.children(of: core) ?? core.baseChildren
  }

  private func found(_ registration: Registration, _ owner: ContainerCore) -> Found {
    frame.found(registration, owner)
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

extension ContextFrame {
  /// Whether a container's registration is a double here.
  ///
  /// It is if it is one everywhere, or if the container is installed as a root or a layer.
  func isDouble(_ registration: Registration, in owner: ContainerCore) -> Bool {
    registration.options.isDouble || chain.contains { $0.installed?.core === owner }
  }

  /// The container at which static requests start in this context.
  package var rootCore: ContainerCore { (root ?? Resolver.processRoot).core }

  /// Returns the containers nested in one, as this context sees them.
  package func children(of core: ContainerCore) -> [Resolver] {
    for sandbox in sandboxes {
      if let children = sandbox.view(of: core)?.children { return children }
    }
    return core.baseChildren
  }

  /// Whether a container is the root, nested in it, or a layer on top of it.
  package func rootReaches(_ core: ContainerCore) -> Bool { isLayer(core) || rootNests(core) }

  /// Whether a container is the root or nested in it.
  func rootNests(_ core: ContainerCore) -> Bool {
    nests(core, in: rootCore)
  }

  /// Whether a container is another one or nested in it.
  func nests(_ core: ContainerCore, in start: ContainerCore) -> Bool {
    if core === start { return true }
    var walk = NestWalk(from: start, uncounted: 32)
    while let next = walk.next() {
      if next === core { return true }
      walk.goOn(to: children(of: next))
    }
    return false
  }

  func isLayer(_ core: ContainerCore) -> Bool {
    hasLayers && chain.contains { $0.kind == .layer && $0.installed?.core === core }
  }
}
