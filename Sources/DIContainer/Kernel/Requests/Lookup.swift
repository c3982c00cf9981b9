internal import DIPrimitives

// Which registration answers a request: that of the container that is asked, seen through the
// sandboxes from the inside out, then those of its children in the order added, depth first. Where
// this search arrives at a container that the root reaches, the frames come first, from the inside
// out:
//
// - a layer answers with its own registrations, then with those of the containers below it that
//   the root does not reach;
// - what the rest of the search finds without the layers comes before those outside the sandbox or
//   the scoped root that holds it: the innermost wins.

/// A registration that answers a request, and where it was found.
package struct Found {
  package let registration: Registration
  package let owner: ContainerCore
  /// Whether a layer, a scoped root or a sandbox stands behind it: not what production set up.
  package let isDouble: Bool
}

/// One search for a key.
package struct Lookup {
  /// What a search is for.
  package enum Wanted {
    /// What was registered; that a property declares a service is passed over.
    case registered
    /// What was said about a property's service from outside, registered or not.
    case settings
    /// What stands for a property, asked for so far, whether anything was registered or not.
    case declared
  }

  private let key: RawKey
  private let frame: ContextFrame?
  private let wanted: Wanted
  /// Set while the search still passes over registrations, up to and with the one of this id.
  private var below: UInt64?
  /// What was passed over: it may be met again, where a sandbox lies inside a layer.
  private var passed: [UInt64] = []

  /// The registration that answers for a key in a container, in a context.
  ///
  /// With `below`, the id of a registration, only what would answer without it, and without what
  /// hides it, is found: the one that a decoration wraps.
  package static func find(
    _ key: RawKey, in core: ContainerCore, _ frame: ContextFrame?, below: UInt64? = nil,
    wanted: Wanted = .registered
  ) -> Found? {
    var lookup = Lookup(key: key, frame: frame, wanted: wanted, below: below)
    guard let frame else {
      let changes = di_change_count()
      let found = lookup.search(NestWalk(from: core, uncounted: 32))
      // An instance per container asked is not where the registration says.
      if let found, below == nil, wanted == .registered, found.owner !== core,
        found.registration.scope.kind != .containerAsked
      {
        core.remember(found.registration, key, changes)
      }
      return found
    }
    // A layer that is asked itself answers as the root does: what it lacks falls through.
    var walk = NestWalk(from: frame.isLayer(core) ? frame.rootCore : core, uncounted: 32)
    guard frame.hasLayers else { return lookup.search(walk) }
    while let next = walk.peek(), !frame.rootNests(next) {
      if let own = lookup.own(next), !own.isRemoval { return lookup.found(own, next) }
      _ = walk.next()
      walk.goOn(to: frame.children(of: next))
    }
    // The root reaches none of them.
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
        // What a layer takes away is gone for all that it covers.
        if lookup.own(layer)?.isRemoval == true { return nil }
      case .sandbox, .root:
        inside.append(next)
      case .base, .caches, .recorder, .policy:
        break
      }
    }
    return lookup.search(walk)
  }

  // A second visit finds what the first has found: nothing, or what was passed over.
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

  /// What answers without the layers, if a frame inside them holds it.
  ///
  /// It is over where something else answers: a layer that lacks the key changes nothing.
  private mutating func search(_ walk: NestWalk, inside frames: [ContextFrame]) -> Found? {
    if frames.isEmpty { return nil }
    var walk = walk
    while let core = walk.next() {
      var isHidden = false
      for frame in frames where !isHidden {
        let (own, isMasked) = seen(core, in: frame)
        if let own, isWanted(own), !own.isRemoval { return found(own, core) }
        // What was taken away, or set back to what its property declares.
        isHidden = isMasked || own.map { !$0.showsWhatLiesBelow } ?? false
      }
      if !isHidden, holdsUnpassed(core) { return nil }
      walk.goOn(to: children(of: core))
    }
    return nil
  }

  /// Whether the container itself answers, seen through the sandboxes: only looked at, for layers
  /// may stand before it.
  private func holdsUnpassed(_ core: ContainerCore) -> Bool {
    func answers(_ registration: Registration) -> Bool {
      !registration.isRemoval && isWanted(registration) && !passed.contains(registration.id)
    }
    if let frame {
      for sandbox in frame.sandboxes {
        guard let overlay = sandbox.overlay(for: core) else { continue }
        let own = overlay.registry.find(key)
        if let own, !passed.contains(own.id), hides(own) { return answers(own) }
        // What was taken away stays hidden, passed over or not.
        if own?.isRemoval == true || own?.displacedRemoval != nil || overlay.masksAll {
          return false
        }
      }
    }
    return core.registry.find(key).map(answers) ?? false
  }

  /// What a sandbox or a scoped root holds itself for a container, and whether it hides the rest.
  private mutating func seen(
    _ core: ContainerCore, in frame: ContextFrame
  ) -> (own: Registration?, isMasked: Bool) {
    if frame.kind == .sandbox {
      guard let overlay = frame.overlay(for: core) else { return (nil, false) }
      return (accepted(overlay.registry.find(key)), overlay.masksAll)
    }
    guard frame.installed?.core === core else { return (nil, false) }
    // What was registered in a sandbox around it is in that sandbox's view.
    for sandbox in frame.sandboxes {
      guard let overlay = sandbox.overlay(for: core) else { continue }
      if let own = accepted(overlay.registry.find(key)), hides(own) { return (own, false) }
      if overlay.masksAll { return (nil, true) }
    }
    return (accepted(core.registry.find(key)), false)
  }

  private mutating func own(_ core: ContainerCore) -> Registration? {
    if let frame {
      for sandbox in frame.sandboxes {
        guard let overlay = sandbox.overlay(for: core) else { continue }
        if let own = accepted(overlay.registry.find(key)) {
          if isWanted(own) { return own }
          if !own.showsWhatLiesBelow { return nil }
        }
        if overlay.masksAll { return nil }
      }
    }
    return accepted(core.registry.find(key)).flatMap { isWanted($0) ? $0 : nil }
  }

  /// Whether it answers in a sandbox, or hides what lies below it there.
  private func hides(_ registration: Registration) -> Bool {
    isWanted(registration) || !registration.showsWhatLiesBelow
  }

  private func isWanted(_ registration: Registration) -> Bool {
    switch wanted {
    case .registered: !registration.options.isDeclaration
    case .settings: registration.options.factory?.hasSettings == true
    case .declared: true
    }
  }

  private mutating func accepted(_ registration: Registration?) -> Registration? {
    guard let registration, below != nil || !passed.isEmpty else { return registration }
    // Where the service was taken away in its place, it goes on hiding what lies below it.
    let removal = registration.isRemoval ? registration : registration.displacedRemoval
    if below == nil { return passed.contains(registration.id) ? removal : registration }
    // What it wraps in its place may have another form further out.
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
  /// An answer, as a context sees it.
  func found(_ registration: Registration, _ owner: ContainerCore) -> Found {
    Found(
      registration: registration, owner: owner,
      isDouble: self?.isDouble(registration, in: owner) ?? registration.options.isDouble)
  }
}

extension ContextFrame {
  /// Whether a container's registration is a double here: it is one everywhere, or the container
  /// is installed as a root or a layer.
  func isDouble(_ registration: Registration, in owner: ContainerCore) -> Bool {
    registration.options.isDouble || plain.installs(Unmanaged.passUnretained(owner).toOpaque())
  }

  /// The container that static requests start at, in this context.
  package var rootCore: ContainerCore { (root ?? Resolver.processRoot).core }

  /// The containers below one, as this context sees them.
  package func children(of core: ContainerCore) -> [Resolver] {
    for sandbox in sandboxes {
      if let children = sandbox.overlay(for: core)?.children { return children }
    }
    return core.baseChildren
  }

  /// Whether a container is the root, below it, or a layer on top of it.
  package func rootReaches(_ core: ContainerCore) -> Bool { isLayer(core) || rootNests(core) }

  /// Whether a container is the root or below it.
  func rootNests(_ core: ContainerCore) -> Bool {
    nests(core, in: rootCore)
  }

  /// Whether a container is another one or below it.
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
    let address = Unmanaged.passUnretained(core).toOpaque()
    return hasLayers && isAnyScope { $0.pointee.is_layer && $0.pointee.installed == address }
  }
}
