// A container's settings for services declared as properties, as a context sees them.

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

  // What is replaced is released with no lock held: that may run user code.
  /// Changes settings of the current sandbox, or of the container outside of all.
  @discardableResult
  func set<Result>(_ change: (inout ContainerSettings) -> Result) -> Result {
    func changed(_ settings: inout ContainerSettings) -> (old: ContainerSettings, Result) {
      (settings, change(&settings))
    }
    let (old, result) =
      ContextFrame.writableSandbox?.changeSettings(of: self, changed)
      ?? update { changed(&$0.settings) }
    return withExtendedLifetime(old) { result }
  }

  /// Saves the settings, and what the closures return.
  func push(_ registrations: () -> [Registration], _ instances: () -> SavedInstances) {
    // First: another thread may run `autoRegister` meanwhile.
    let isUnprepared = isUnpreparedHere
    let (registrations, instances) = (registrations(), instances())
    set {
      $0.pushed.append(
        ContainerSettings.Pushed(
          registrations: registrations, instances: instances, decorator: $0.decorator,
          defaultScope: $0.defaultScope, isUnprepared: isUnprepared))
    }
  }

  /// Restores the settings that were pushed last, and returns the pushed state, if there is one.
  func pop() -> ContainerSettings.Pushed? {
    set { settings in
      guard let pushed = settings.pushed.popLast() else { return nil }
      (settings.decorator, settings.defaultScope) = (pushed.decorator, pushed.defaultScope)
      return pushed
    }
  }
}
