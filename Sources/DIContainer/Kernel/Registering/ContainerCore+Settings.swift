// A container's settings for services declared as properties, as a context sees them.

extension ContainerCore {
  /// Returns a setting of the innermost sandbox that has one of its own, or of the container.
  func setting<Value>(
    _ setting: (ContainerSettings.Values) -> Value?, _ frame: ContextFrame?
  ) -> Value? {
    if let frame {
      for sandbox in frame.sandboxes {
        if let own = sandbox.view(of: self)?.settings?.withLock({ setting($0.values) }) {
          return own
        }
      }
    }
    return settings.state.withLock { setting($0.view.values) }
  }

  /// Changes settings of the current sandbox, or of the container outside of all.
  func set(_ change: (inout ContainerSettings.Values) -> Void) {
    changeSettings { change(&$0.values) }
  }

  // What is replaced is released with no lock held: that may run user code.
  @discardableResult
  func changeSettings<Result>(
    _ change: (inout ContainerSettings.Overridable) -> Result
  ) -> Result {
    let old: ContainerSettings.Overridable
    let result: Result
    if let sandbox = ContextFrame.writableSandbox {
      (old, result) = sandbox.makeSettings(of: self).withLock { ($0, change(&$0)) }
    } else {
      (old, result) = settings.update { ($0.view, change(&$0.view)) }
    }
    return withExtendedLifetime(old) { result }
  }

  /// Saves the settings, and what the closures return.
  func push(_ registrations: () -> [Registration], _ instances: () -> SavedInstances) {
    // First: another thread may run `autoRegister` meanwhile.
    let isUnprepared =
      ContextFrame.writableSandbox == nil
      ? !settings.state.withLock { $0.isPrepared }
      : ContainerSettings.sandboxPreparation(self)?.runs.isPending ?? false
    let (registrations, instances) = (registrations(), instances())
    changeSettings { view in
      view.pushed.append(
        ContainerSettings.Pushed(
          registrations: registrations, instances: instances, values: view.values,
          isUnprepared: isUnprepared))
    }
  }

  /// Restores the settings that were pushed last, and returns the pushed state, if there is one.
  func pop() -> ContainerSettings.Pushed? {
    changeSettings { view in
      let pushed = view.pushed.popLast()
      if let pushed { view.values = pushed.values }
      return pushed
    }
  }
}
