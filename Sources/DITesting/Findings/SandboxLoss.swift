#if canImport(Testing) && canImport(XCTest)
import DIContainer

// A `static let` container is made by the first code that touches it. If that is a test, then all
// registrations in the container, except for those of `init(configure:)`, belong to that test's
// sandbox. Other tests then miss them for no visible reason. So a container that was made in a
// sandbox remembers the registrations that sandboxes made in it, for the diagnosis of such a miss.

/// A registration that was removed when its sandbox ended.
struct SandboxLoss: Sendable {
  let location: CodeLocation
  /// The test, or the place that opened the sandbox.
  let sandbox: String
}

extension ContextFrame {
  /// Records the sandbox's registrations in containers that others may continue to use without
  /// them.
  func noteLosses() {
    for view in views where view.core.mayLoseRegistrations { noteLosses(view) }
  }

  private func noteLosses(_ view: View) {
    // If only this sandbox still holds the container, nothing will be requested from it.
    guard dryRun == nil, view.core.resolver != nil else { return }
    let losses = view.registry.foremost().filter(\.registersService).map {
      ($0.key, SandboxLoss(location: $0.location, sandbox: opener.place))
    }
    view.core.change([ServiceKey: SandboxLoss].self) { known in
      known = (known ?? [:]).merging(losses) { first, _ in first }
    }
  }
}

extension ContainerCore {
  /// Whether it was made in a sandbox, with which registrations may go; a layer's goes as a whole.
  fileprivate var mayLoseRegistrations: Bool { wasMadeInSandbox && !holdsDoubles }

  /// Returns a sandbox's present or former registration for a key, here or in a nested container.
  func loss(of key: ServiceKey) -> SandboxLoss? {
    for core in searched(nil) where core.mayLoseRegistrations {
      if let loss = core[[ServiceKey: SandboxLoss].self]?[key] ?? core.hiddenNow(key) {
        return loss
      }
    }
    return nil
  }

  private func hiddenNow(_ key: ServiceKey) -> SandboxLoss? {
    // Views leave the lock, since what they hold may be released with them.
    let views = ContextFrame.withOpen { open in
      open.filter { $0.kind == .sandbox }.sorted { $0.number < $1.number }
        .map { (view: $0.view(of: self), sandbox: $0.opener.place) }
    }
    for (view, sandbox) in views {
      guard let found = view?.registry.registration(of: key) else { continue }
      return SandboxLoss(location: found.location, sandbox: sandbox)
    }
    return nil
  }
}

extension SandboxLoss {
  /// Notes and a remedy for a diagnosis of the loss.
  var circumstances: [ResolutionError.Circumstance] {
    [
      .note("registered only inside a sandbox: \(location)"), .note("that sandbox: \(sandbox)"),
      .fix(
        "Set up what production needs in `Resolver { r in … }` (`init(configure:)`), in "
          + "`autoRegister` or in `registerAllServices`: that stays, also where a test makes the "
          + "container."),
    ]
  }
}
#endif
