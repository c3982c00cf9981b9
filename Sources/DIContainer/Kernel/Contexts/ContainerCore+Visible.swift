// The registrations of a container as a context sees them: those of its sandboxes, from the
// innermost outwards and down to a mask, then those of the container itself. `Lookup` finds one
// registration; diagnoses, lists, the graph and resets read them all.

/// The registries that hold a container's own registrations in a context, in order of precedence.
struct Registries: Sequence, IteratorProtocol {
  private let core: ContainerCore
  private var sandbox: ContextFrame?
  private var isOver = false

  fileprivate init(of core: ContainerCore, _ frame: ContextFrame?) {
    (self.core, sandbox) = (core, frame?.sandbox)
  }

  /// `sandbox`: the one whose view holds the registry; nil for the container's own.
  mutating func next() -> (registry: Registry, sandbox: ContextFrame?)? {
    if isOver { return nil }
    while let sandbox {
      self.sandbox = sandbox.outerSandbox
      guard let (registry, isMasked) = sandbox.registry(over: core) else { continue }
      isOver = isMasked
      return (registry, sandbox)
    }
    isOver = true
    return (core.registry, nil)
  }
}

extension ContainerCore {
  func registries(_ frame: ContextFrame?) -> Registries { Registries(of: self, frame) }

  /// Whether a sandbox hides all that the container itself has.
  func isMasked(_ frame: ContextFrame?) -> Bool {
    frame?.sandboxes.contains { $0.registry(over: self)?.isMasked ?? false } ?? false
  }

  /// Returns what the container itself has under a key, or a marker for that, as a context sees it.
  func own(
    _ key: ServiceKey, _ frame: ContextFrame?, _ part: Registration.Part = .registered
  ) -> Registration? {
    for (registry, _) in registries(frame) {
      if let own = registry.find(key, part) { return own }
    }
    return nil
  }

  /// The container's own registrations for a key, as a context sees them: one, after those of its
  /// decorations that belong to sandboxes further in.
  func present(_ key: ServiceKey, _ frame: ContextFrame?) -> [Registration] {
    var present: [Registration] = []
    for (registry, _) in registries(frame) {
      guard let own = registry.find(key) else { continue }
      present.append(own)
      if !own.isTransparent { break }
    }
    return present
  }

  /// The container's own registrations, as a context sees them.
  func visible(_ frame: ContextFrame?) -> [Registration] {
    var seen: Set<ServiceKey> = []
    return registries(frame).flatMap { $0.registry.foremost() }.filter {
      seen.insert($0.key).inserted && !$0.isRemoval
    }
  }

  /// Returns the container's own registrations, those that stand beside them or that aliases tell
  /// apart from them, and those among what their decorations wrap that belong to the container too.
  func owned(_ frame: ContextFrame?) -> [Registration] {
    var seen: Set<ServiceKey> = []
    var owned: [Registration] = []
    for (registry, _) in registries(frame) {
      let present = registry.everything {
        !$0.isRemoval
          && ($0.options.part == .declaration || $0.registersService && !seen.contains($0.key))
      }
      owned += present.flatMap { ([$0] + $0.earlier).flatMap(\.withWrapped) }
      seen.formUnion(registry.foremost().lazy.filter { !$0.isTransparent }.map(\.key))
    }
    return owned
  }

  /// Returns the containers that can serve a request to this one in a context, in search order: the
  /// container and its nested ones, depth first.
  ///
  /// The layers, and the containers nested in them, come before the first container that the root
  /// reaches. `Lookup` decides which of them serves a key: a sandbox inside a layer comes before
  /// it.
  package func searched(_ frame: ContextFrame?) -> [ContainerCore] {
    var cores: [ContainerCore] = []
    func add(_ start: ContainerCore, where counts: (ContainerCore) -> Bool = { _ in true }) {
      var walk = NestWalk(from: start)
      while let core = walk.next() {
        cores.append(core)
        walk.goOn(to: frame?.children(of: core) ?? core.baseChildren, where: counts)
      }
    }
    // A layer that is itself the container of the request searches like the root.
    add(frame.map { $0.isLayer(self) ? $0.rootCore : self } ?? self)
    guard let frame, frame.layer != nil, let first = cores.firstIndex(where: frame.rootNests) else {
      return cores
    }
    let below = cores[first...]
    cores.removeSubrange(first...)
    for layer in frame.chain where layer.kind == .layer {
      add(layer.installed!.core) { !frame.rootReaches($0) }
    }
    var seen: Set<ObjectIdentifier> = []
    return (cores + below).filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// Whether set-up code of the process has registered the same service at the same place.
  fileprivate func setsUp(_ registration: Registration) -> Bool {
    if holdsDoubles { return false }
    guard let own = registry.find(registration.key) else { return false }
    guard own.options.repeatedSetUp != nil, own.location == registration.location else {
      return false
    }
    // What registers several services is a helper, which a test may call for its doubles.
    return !registry.contains { $0.key != own.key && $0.location == own.location }
  }

  /// Whether no other container can serve a request to this one.
  func isSearchedAlone(_ frame: ContextFrame?) -> Bool {
    if hasChildren { return false }
    guard let frame else { return true }
    return frame.layer == nil && frame.children(of: self).isEmpty
  }

  /// Returns what is registered in the containers that can serve a request; a key may occur several
  /// times.
  package func reachable(_ frame: ContextFrame?) -> [Registration] {
    searched(frame).flatMap { $0.visible(frame) }
  }
}

// MARK: - What is nested, and what the root reaches

extension ContextFrame {
  /// Whether a container's registration is a double here.
  ///
  /// It is if it is one everywhere, unless a test ran set-up code that the process had run itself;
  /// or if the container is installed as a root or a layer.
  package func isDouble(_ registration: Registration, in owner: ContainerCore) -> Bool {
    registration.options.isDouble && !owner.setsUp(registration) || installs(owner)
  }

  /// The container at which static requests start in this context.
  package var rootCore: ContainerCore { (root ?? Resolver.processRoot).core }

  /// Returns the containers nested in one, as this context sees them.
  package func children(of core: ContainerCore) -> [Resolver] {
    for sandbox in sandboxes where sandbox.has(.nested) {
      if let children = sandbox.view(of: core)?.children { return children }
    }
    return core.baseChildren
  }

  /// Whether a container is the root, nested in it, or a layer on top of it.
  package func rootReaches(_ core: ContainerCore) -> Bool { isLayer(core) || rootNests(core) }

  func rootNests(_ core: ContainerCore) -> Bool {
    nests(core, in: rootCore)
  }

  func nests(_ core: ContainerCore, in start: ContainerCore) -> Bool {
    if core === start { return true }
    var walk = NestWalk(from: start)
    while let next = walk.next() {
      if next === core { return true }
      walk.goOn(to: children(of: next))
    }
    return false
  }
}

// MARK: - Settings for services declared as properties

extension ContainerCore {
  /// Returns a setting of the innermost sandbox that has one of its own, or of the container.
  func setting<Value>(
    _ setting: (ContainerSettings) -> Value?, _ frame: ContextFrame?
  ) -> Value? {
    if let frame {
      for sandbox in frame.sandboxes {
        if let own = sandbox.setting(of: self, setting) { return own }
      }
    }
    return withState { setting($0.settings) }
  }

  /// Changes settings of the current sandbox, or of the container outside of all.
  @discardableResult
  func set<Result>(_ change: (inout ContainerSettings) -> Result) -> Result {
    // What is replaced is released with no lock held: that may run user code.
    func changed(_ settings: inout ContainerSettings) -> (old: ContainerSettings, Result) {
      (settings, change(&settings))
    }
    let (old, result) =
      ContextFrame.writableSandbox?.changeSettings(of: self, changed)
      ?? update { changed(&$0.settings) }
    return withExtendedLifetime(old) { result }
  }
}
