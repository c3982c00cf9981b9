// What a context sees of a container: what its sandboxes put over it, from the inside out and down
// to a mask, then what the container has itself. `Lookup` finds one registration in it; diagnoses,
// lists, the graph and resets look at all.

extension ContainerCore {
  /// Where a context finds the container's own registrations, what counts first first.
  func registries(_ frame: ContextFrame?) -> [Registry] {
    var registries: [Registry] = []
    if let frame {
      for sandbox in frame.sandboxes {
        guard let overlay = sandbox.overlay(for: self) else { continue }
        registries.append(overlay.registry)
        if overlay.masksAll { return registries }
      }
    }
    registries.append(registry)
    return registries
  }

  /// The container's own registration for a key, or a marker for one, as a context sees it.
  func own(_ key: RawKey, _ frame: ContextFrame?) -> Registration? {
    for registry in registries(frame) {
      if let own = registry.find(key) { return own }
    }
    return nil
  }

  /// The container's own registrations, as a context sees them.
  func visible(_ frame: ContextFrame?) -> [Registration] {
    var seen: Set<ServiceKey> = []
    var visible: [Registration] = []
    for registry in registries(frame) {
      for registration in registry.all() where seen.insert(registration.key).inserted {
        if !registration.isRemoval { visible.append(registration) }
      }
    }
    return visible
  }

  /// What a request to the container may be answered with in a context, in the order of the search:
  /// of those with one key the first is.
  func reachable(_ frame: ContextFrame?) -> [Registration] {
    var reachable: [Registration] = []
    var visits = Visits()
    guard let frame, frame.hasLayers, frame.rootReaches(self) else {
      addReachable(frame, to: &reachable, &visits)
      return reachable
    }
    for layer in frame.chain where layer.kind == .layer {
      layer.installed!.core.addReachable(frame, notReachedByRoot: true, to: &reachable, &visits)
    }
    // A layer that is asked itself answers as the root does.
    let core = frame.isLayer(self) ? frame.rootCore : self
    core.addReachable(frame, to: &reachable, &visits)
    return reachable
  }

  private func addReachable(
    _ frame: ContextFrame?, notReachedByRoot: Bool = false, to reachable: inout [Registration],
    _ visits: inout Visits
  ) {
    guard visits.isFirst(self) else { return }
    reachable += visible(frame)
    for child in frame?.children(of: self) ?? baseChildren {
      if notReachedByRoot, let frame, frame.rootReaches(child.core) { continue }
      child.core.addReachable(
        frame, notReachedByRoot: notReachedByRoot, to: &reachable, &visits)
    }
  }
}
