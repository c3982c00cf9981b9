// A sandbox's views of the containers: what is changed inside the sandbox.

extension ContextFrame {
  /// A sandbox's registrations over one container.
  package struct View {
    package let core: ContainerCore
    package let registry = Registry()
    /// The nested containers that the sandbox gave to the container; nil if unchanged.
    var children: [Resolver]?
    /// Whether the container was reset, so that nothing of it is visible.
    var isMasked = false
    /// The sandbox's settings for services declared as properties; nil if unchanged.
    fileprivate(set) var settings: ContainerSettings?
    /// Whether the container knows of the view, which it takes along.
    fileprivate(set) var isNoted = false
  }

  /// The sandbox's views, in no particular order.
  package var views: [View] { has(.views) ? withState { $0.views } : [] }

  /// Returns the sandbox's view of a container, if anything was changed there.
  package func view(of core: ContainerCore) -> View? {
    if !has(.views) { return nil }
    return withState { state in state.index(of: core).map { state.views[$0] } }
  }

  /// Returns the registry of the sandbox's view of a container, if anything was changed there.
  package func registry(over core: ContainerCore) -> (registry: Registry, isMasked: Bool)? {
    if !has(.views) { return nil }
    return withState { state in
      state.index(of: core).map { (state.views[$0].registry, state.views[$0].isMasked) }
    }
  }

  /// Returns the sandbox's registrations over a container, made on first use.
  func makeRegistry(over core: ContainerCore) -> Registry { changeView(of: core) { $0.registry } }

  /// Returns a setting that the sandbox has of a container, if any.
  func setting<Value>(
    of core: ContainerCore, _ setting: (ContainerSettings) -> Value?
  ) -> Value? {
    if !has(.viewSettings) { return nil }
    return withState { state in
      state.index(of: core).flatMap { state.views[$0].settings }.flatMap(setting)
    }
  }

  /// Changes the sandbox's settings of a container.
  func changeSettings<Result>(
    of core: ContainerCore, _ change: (inout ContainerSettings) -> Result
  ) -> Result {
    changeView(of: core) { view in
      var settings = view.settings ?? ContainerSettings()
      defer { view.settings = settings }
      return change(&settings)
    }
  }

  /// Replaces the containers that are nested in one.
  func setChildren(_ children: [Resolver], of core: ContainerCore) {
    releaseUnlocked(changeView(of: core) { exchange(&$0.children, with: children) })
  }

  /// Hides all of a container.
  func mask(_ core: ContainerCore) {
    let (registry, children) = changeView(of: core) { view in
      view.isMasked = true
      return (view.registry, exchange(&view.children, with: []))
    }
    registry.removeAll()
    releaseUnlocked(children)
  }

  /// Changes the sandbox's view of a container, made on first use.
  ///
  /// It stays as long as the frame does. But it goes with a container that was made in a sandbox,
  /// or that the sandbox has settings of: these are no reason to hold what the container keeps.
  private func changeView<Result>(
    of core: ContainerCore, _ change: (inout View) -> Result
  ) -> Result {
    func apply(_ view: inout View) -> (Result, isToBeNoted: Bool) {
      let result = change(&view)
      if view.isNoted || !core.wasMadeInSandbox && view.settings == nil { return (result, false) }
      view.isNoted = true
      return (result, true)
    }
    let (result, isToBeNoted) = self.change { state in
      let index = state.index(of: core) ?? state.views.endIndex
      if index == state.views.endIndex { state.views.append(View(core: core)) }
      return apply(&state.views[index])
    }
    if isToBeNoted { core.whenGone(number) { [weak self] in self?.releaseView(of: $0) } }
    return result
  }

  /// Releases the sandbox's view of a deallocated container, which can no longer be requested.
  private func releaseView(of core: ContainerCore) {
    guard let view = view(of: core) else { return }
    // At the sandbox's end there is nothing left to check.
    if !hasEnded { Tests.delegate?.note(.willRelease(view, of: self)) }
    releaseUnlocked(
      change { state in state.index(of: core).map { state.views.remove(at: $0) } })
  }

  /// Whether the scope holds a registration that satisfies a predicate.
  package func holdsRegistration(where predicate: (Registration) -> Bool) -> Bool {
    kind == .layer && installed?.core.registry.contains(where: predicate) ?? false
      || views.contains { $0.registry.contains(where: predicate) }
  }
}

extension ContextFrame.Contents {
  /// The index of the view of a container, if there is one.
  fileprivate func index(of core: ContainerCore) -> Int? {
    views.firstIndex { $0.core === core }
  }
}
