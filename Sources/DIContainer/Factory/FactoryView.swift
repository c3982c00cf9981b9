internal import DIPrimitives

// A sandbox's view of the containers' settings for services declared as properties.

/// One sandbox's view of one container's settings.
struct FactoryView {
  struct Settings {
    var decorator: ((Any) -> Void)??
    var defaultScope: Scope??
    var promiseTriggersError: Bool?
  }

  var settings = Settings()
  /// The runs of `autoRegister` into the sandbox's view, if any was requested.
  var preparation: StartupTurn?
  var pushed: [FactoryState.Pushed] = []
}

/// The views of one sandbox.
final class FactoryViews: Sendable {
  private let views = Lock<[ObjectIdentifier: FactoryView]>([:])

  deinit {
    for key in views.withLock({ Array($0.keys) }) { letMemoryGo(of: key) }
  }

  private func withView<Result>(
    _ core: ContainerCore, _ body: (inout FactoryView) -> Result
  ) -> Result {
    views.withLock { views in
      // The container may be deallocated before the sandbox: no other must get its address.
      if views[ObjectIdentifier(core)] == nil {
        di_hold_memory(Unmanaged.passUnretained(core).toOpaque())
      }
      return body(&views[ObjectIdentifier(core), default: FactoryView()])
    }
  }

  /// Releases the view of a container that was deallocated.
  func forget(_ core: ContainerCore) {
    guard let old = views.withLock({ $0.removeValue(forKey: ObjectIdentifier(core)) }) else {
      return
    }
    letMemoryGo(of: ObjectIdentifier(core))
    withExtendedLifetime(old) {}
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
    // The last reference to a captured object may be released here, with no lock held.
    withExtendedLifetime(old) {}
  }

  /// Returns the runs of `autoRegister` into the sandbox's view, if any was requested.
  func preparation(_ core: ContainerCore) -> StartupTurn? {
    views.withLock { $0[ObjectIdentifier(core)]?.preparation }
  }

  /// Makes `autoRegister` run again before the container's next use.
  func rearm(_ core: ContainerCore) {
    let preparation = withView(core) { view in
      let preparation = view.preparation ?? StartupTurn(isPending: false)
      view.preparation = preparation
      return preparation
    }
    preparation.ask()
  }

  func push(_ registrations: [Registration], seen: Set<UInt64>, _ core: ContainerCore) {
    withView(core) {
      $0.pushed.append(
        .init(
          registrations: registrations, seen: seen, settings: $0.settings,
          isUnprepared: $0.preparation?.isPending ?? false))
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
  /// The sandbox to which changes belong now; nil if they are base state.
  static var writableSandbox: ContextFrame? {
    isSettingUp ? nil : current?.sandbox
  }

  /// Returns the frame's views, before that of a container is made or changed.
  func factoryViews(of core: ContainerCore) -> FactoryViews {
    // The sandbox's view of it is released with the container, and with that these settings.
    if core.wasMadeInScope { _ = makeRegistry(over: core) }
    return extra(FactoryViews.self) { FactoryViews() }
  }

  /// Returns a container's setting in the innermost sandbox that has one of its own.
  func factorySetting<Value>(
    _ core: ContainerCore, _ setting: (FactoryView.Settings) -> Value?
  ) -> Value? {
    for sandbox in sandboxes {
      if let settings = sandbox.extra(FactoryViews.self)?.settings(core),
        let value = setting(settings)
      {
        return value
      }
    }
    return nil
  }
}

/// Releases the memory of an object that `di_hold_memory` held, given by its identity.
func letMemoryGo(of object: ObjectIdentifier) {
  di_let_memory_go(UnsafeMutableRawPointer(bitPattern: UInt(bitPattern: object)).unsafelyUnwrapped)
}
