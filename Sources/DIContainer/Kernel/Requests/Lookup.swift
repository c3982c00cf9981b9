internal import DIPrimitives

// The search for the registration that serves a request. The candidates are those of the requested
// container, seen through the sandboxes from the innermost outwards, then those of its nested
// containers in the order added, depth first. When this search reaches a container that the root
// reaches, the layers come first, from the innermost outwards, each with its own registrations,
// then those of its nested containers that the root does not reach. But a candidate that a sandbox
// or a scoped root inside a layer holds comes before that layer: the innermost wins.

/// A registration that serves a request, and the container that owns it.
package struct Found {
  package let registration: Registration
  package let owner: ContainerCore
  /// Whether it is supplied by a layer, a scoped root or a sandbox, rather than by production.
  package let isDouble: Bool
  /// The factory of a property's declaration or context, in place of the registration's.
  let ownMaker: Maker?
  /// For a service declared as a property, the part that the registration lacks, if any.
  let property: Property?

  init(
    registration: Registration, owner: ContainerCore, isDouble: Bool, maker: Maker? = nil,
    property: Property? = nil
  ) {
    self.registration = registration
    self.owner = owner
    self.isDouble = isDouble
    ownMaker = maker
    self.property = property
  }
}

/// One search for a key.
package struct Lookup {
  private let key: RawKey
  private let frame: ContextFrame?
  /// The id up to and including which registrations are passed over; nil once it was found.
  private var below: UInt64?
  /// The ids passed over so far; they may occur again in another place.
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
      var candidates = Candidates(key, in: core, nil)
      let found = lookup.first(of: &candidates)
      // An instance per requested container is not kept in the registration's keeper.
      if let found, below == nil, found.owner !== core,
        found.registration.scope.kind != .containerAsked
      {
        core.remember(found.registration, key, changes)
      }
      return found
    }
    // A layer that is itself the requested container searches like the root: what it lacks falls
    // through.
    var candidates = Candidates(key, in: frame.isLayer(core) ? frame.rootCore : core, frame)
    return frame.hasLayers
      ? lookup.first(of: &candidates, throughLayersOf: frame) : lookup.first(of: &candidates)
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

  // With a sandbox S1, a layer L in it and a sandbox S2 in that, all of them with a double: S2's is
  // returned, because a frame inside the layer holds the container's candidate. Without it, L's is;
  // without both, S1's, and then what the container itself has.
  private mutating func first(
    of candidates: inout Candidates, throughLayersOf frame: ContextFrame
  ) -> Found? {
    // If the root reaches none of the containers, layers play no part.
    candidates.extent = .beforeRoot(frame.rootCore)
    if let found = first(of: &candidates) { return found }
    if candidates.isAtEnd { return nil }
    candidates.extent = .all
    var inside: [ContextFrame] = []
    for next in frame.chain {
      guard next.kind == .layer, let layer = next.installed?.core else {
        inside.append(next)
        continue
      }
      if let found = first(of: &candidates, while: { $0.isHeld(by: inside) }) { return found }
      var own = Candidates(key, in: layer, frame, .besideRoot)
      if let found = first(of: &own) { return found }
      // A service that a layer removes is hidden everywhere below the layer.
      if let removal = own.removal, !removal.options.isReset { return nil }
    }
    return first(of: &candidates)
  }

  /// Returns the first candidate that serves the key; nil if that does not satisfy a condition.
  private mutating func first(
    of candidates: inout Candidates, while counts: (Candidates.Element) -> Bool = { _ in true }
  ) -> Found? {
    while let next = candidates.peek() {
      let registration = next.registration
      if registration.isRemoval || passed.contains(registration.id) {
        candidates.drop()
        continue
      }
      guard counts(next) else { return nil }
      guard let id = below else { return frame.found(registration, next.owner) }
      // Registrations that it wraps at its place may have another form further out.
      passed += registration.withDisplaced.map(\.id)
      if registration.isOrDecorates(id) { below = nil }
      candidates.drop()
    }
    return nil
  }
}

/// The registrations for a key, and removal markers, that a container and those nested in it hold,
/// seen through the sandboxes, in the order in which they serve requests.
private struct Candidates {
  struct Element {
    let registration: Registration
    let owner: ContainerCore
    /// The sandbox whose view holds it, if any.
    let sandbox: ContextFrame?

    /// Whether one of the frames holds it: a sandbox, or a scoped root that installs its owner.
    func isHeld(by frames: [ContextFrame]) -> Bool {
      frames.contains {
        $0 === sandbox || $0.kind == .root && $0.installed?.core === owner
      }
    }
  }

  /// The containers that count.
  enum Extent {
    case all
    /// Those that come before the first one that the root, this container, reaches.
    case beforeRoot(ContainerCore)
    /// Those that the root does not reach, which belong to a layer.
    case besideRoot
  }

  var extent: Extent
  /// The marker that removes the service from the first container, if it was passed.
  private(set) var removal: Registration?
  private let key: RawKey
  private let frame: ContextFrame?
  private var walk: NestWalk
  private var isAtStart = true
  private var current: Element?
  /// The container whose registrations come next, and the sandboxes that may have views of it.
  private var owner: ContainerCore?
  private var sandboxes: ContextFrame.Sandboxes?
  /// The container whose nested ones come next.
  private var entered: ContainerCore?

  init(
    _ key: RawKey, in start: ContainerCore, _ frame: ContextFrame?, _ extent: Extent = .all
  ) {
    (self.key, self.frame, self.extent) = (key, frame, extent)
    walk = NestWalk(from: start, uncounted: 32)
  }

  /// Whether no container is left.
  var isAtEnd: Bool { mutating get { walk.peek() == nil } }

  /// Returns the current candidate; nil at the end.
  mutating func peek() -> Element? {
    if current == nil { current = next() }
    return current
  }

  /// Drops the current candidate and, if it is a removal marker or took the place of one, all below
  /// it in its container.
  mutating func drop() {
    guard let own = current?.registration else { return }
    current = nil
    guard let marker = own.isRemoval ? own : own.displacedRemoval else { return }
    if isAtStart { removal = marker }
    owner = nil
  }

  private mutating func next() -> Element? {
    while true {
      while let core = owner {
        guard let sandbox = sandboxes?.next() else {
          owner = nil
          guard let own = core.registry.find(key) else { break }
          return Element(registration: own, owner: core, sandbox: nil)
        }
        guard let view = sandbox.view(of: core) else { continue }
        if view.isMasked { owner = nil }
        if let own = view.registry.find(key) {
          return Element(registration: own, owner: core, sandbox: sandbox)
        }
      }
      guard enterNext() else { return nil }
    }
  }

  /// Goes on to the next container; returns false at the end.
  private mutating func enterNext() -> Bool {
    if let entered {
      isAtStart = false
      let children = frame?.children(of: entered) ?? entered.baseChildren
      if case .besideRoot = extent, let frame {
        walk.goOn(to: children) { !frame.rootReaches($0) }
      } else {
        walk.goOn(to: children)
      }
    }
    entered = nil
    if case .beforeRoot(let root) = extent, let frame, let next = walk.peek(),
      frame.nests(next, in: root)
    {
      return false
    }
    guard let next = walk.next() else { return false }
    (owner, entered, sandboxes) = (next, next, frame?.sandboxes)
    return true
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
