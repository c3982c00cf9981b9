// A sandbox's view of the containers' settings for services that are declared as properties.

/// How one sandbox sees one container's settings.
struct FactoryView {
  struct Settings {
    var decorator: ((Any) -> Void)??
    var defaultScope: Scope??
    var promiseTriggersError: Bool?
  }

  var settings = Settings()
  /// Whether `autoRegister` is to run again, into the sandbox's view.
  var isPending = false
  var pushed: [FactoryState.Pushed] = []
}

/// The views of one sandbox.
final class FactoryViews: Sendable {
  private let views = Lock<[ObjectIdentifier: FactoryView]>([:])

  private func withView<Result>(
    _ core: ContainerCore, _ body: (inout FactoryView) -> Result
  ) -> Result {
    views.withLock { body(&$0[ObjectIdentifier(core), default: FactoryView()]) }
  }

  func settings(_ core: ContainerCore) -> FactoryView.Settings? {
    views.withLock { $0[ObjectIdentifier(core)]?.settings }
  }

  func update(_ core: ContainerCore, _ body: (inout FactoryView.Settings) -> Void) {
    let old = withView(core) { view in
      let old = view.settings
      body(&view.settings)
      return old
    }
    // The last reference to what a closure captured may go here, with no lock held.
    withExtendedLifetime(old) {}
  }

  func isPending(_ core: ContainerCore) -> Bool {
    views.withLock { $0[ObjectIdentifier(core)]?.isPending ?? false }
  }

  func setPending(_ core: ContainerCore) {
    withView(core) { $0.isPending = true }
  }

  /// Takes the pending `autoRegister`; true for the one caller that is to run it.
  func takePending(_ core: ContainerCore) -> Bool {
    views.withLock { views in
      guard views[ObjectIdentifier(core)]?.isPending == true else { return false }
      views[ObjectIdentifier(core)]?.isPending = false
      return true
    }
  }

  func push(_ registrations: [Registration], _ core: ContainerCore) {
    withView(core) {
      $0.pushed.append(
        .init(
          registrations: registrations, settings: $0.settings, isUnprepared: $0.isPending))
    }
  }

  func pop(_ core: ContainerCore) -> FactoryState.Pushed? {
    let (pushed, old) = withView(core) { view in
      let pushed = view.pushed.popLast()
      let old = view.settings
      if let pushed { view.settings = pushed.settings }
      return (pushed, old)
    }
    withExtendedLifetime(old) {}
    return pushed
  }
}

extension ContextFrame {
  /// The sandbox that what is set up now belongs to, if it is not base state.
  static var writableSandbox: ContextFrame? {
    isSettingUp ? nil : current?.sandbox
  }

  var factoryViews: FactoryViews { extra(FactoryViews.self) { FactoryViews() } }

  /// A setting of a container in the innermost sandbox that has one of its own.
  func factorySetting<Value>(
    _ core: ContainerCore, _ setting: (FactoryView.Settings) -> Value?
  ) -> Value? {
    for sandbox in chain where sandbox.kind == .sandbox {
      if let settings = sandbox.extra(FactoryViews.self)?.settings(core),
        let value = setting(settings)
      {
        return value
      }
    }
    return nil
  }
}
