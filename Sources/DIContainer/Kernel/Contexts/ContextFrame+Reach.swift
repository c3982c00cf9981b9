// The nests of containers, as a context sees them: which containers the root reaches.

extension ContextFrame {
  /// Whether a container's registration is a double here.
  ///
  /// It is if it is one everywhere, or if the container is installed as a root or a layer.
  func isDouble(_ registration: Registration, in owner: ContainerCore) -> Bool {
    registration.options.isDouble || installs(owner)
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
  func rootReaches(_ core: ContainerCore) -> Bool { isLayer(core) || rootNests(core) }

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
