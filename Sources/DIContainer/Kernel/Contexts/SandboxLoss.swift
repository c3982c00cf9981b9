internal import DIPrimitives

// A `static let` container is made by whoever touches it first. If that is a test, then everything
// that is registered in the container, other than by `init(configure:)`, belongs to that test's
// sandbox. Others then miss it, and it is hard to see why. So a container that was made in a
// sandbox remembers what sandboxes registered and took away, for the diagnosis of such a miss.

/// A registration that a sandbox took away with it when it ended.
struct SandboxLoss: Sendable {
  let key: ServiceKey
  let location: CodeLocation
  /// The test, or the place that opened the sandbox.
  let sandbox: String

  /// How many a container remembers.
  static let limit = 16
}

extension ContextFrame {
  /// Whether a container that is made now is made in a sandbox.
  ///
  /// Without one, and before start-up, it reads what is bound to the task.
  static var isInSandbox: Bool {
    guard let bound = borrowed else { return mayAnswerOutside && outside?.frame.sandbox != nil }
    return current(bound)?.borrowedSandbox != nil
  }

  /// Leaves a note in containers that others may go on using without what was registered here.
  func noteLosses() {
    guard di_load_word(di_scope_has_losses(plain)) != 0 else { return }
    for overlay in overlays where overlay.core.wasMadeInSandbox { noteLosses(overlay.registry) }
  }

  private func noteLosses(_ registry: Registry) {
    let core = registry.container
    // Where only this sandbox still holds the container, nobody will ask it.
    guard dryRun == nil, core.resolver != nil else { return }
    core.note(
      registry.all().filter { !$0.isRemoval && !$0.options.isDeclaration }
        .prefix(SandboxLoss.limit).map {
          SandboxLoss(key: $0.key, location: $0.location, sandbox: owner.place)
        })
  }
}

extension ContainerCore {
  /// What a sandbox has or had registered for a key here, or in a container below.
  func loss(of key: ServiceKey) -> SandboxLoss? {
    var walk = NestWalk(from: self)
    while let core = walk.next() {
      if core.wasMadeInSandbox,
        let loss = core.losses.first(where: { $0.key == key }) ?? core.hiddenNow(key)
      {
        return loss
      }
      walk.goOn(to: core.baseChildren)
    }
    return nil
  }

  private func hiddenNow(_ key: ServiceKey) -> SandboxLoss? {
    for sandbox in ContextFrame.openSandboxes {
      guard let found = sandbox.overlay(for: self)?.registry.find(key.rawKey),
        !found.isRemoval, !found.options.isDeclaration
      else { continue }
      return SandboxLoss(key: key, location: found.location, sandbox: sandbox.owner.place)
    }
    return nil
  }
}

// A container in a global variable that each test replaces (`static var test: Resolver!`) is no
// sandbox's: tests that run in parallel register in each other's container, each for itself alone.

extension ContainerCore {
  /// The other sandbox that registered something here: the test, or the place that opened it.
  private func filler(besides own: ContextFrame) -> String? {
    guard wasMadeInSandbox else { return nil }
    let other = ContextFrame.openSandboxes.first { sandbox in
      !own.chain.contains { $0 === sandbox } && !sandbox.chain.contains { $0 === own }
        && sandbox.overlay(for: self)?.registry.all().contains { !$0.isRemoval } ?? false
    }
    return other?.owner.place ?? losses.first?.sandbox
  }

  /// Notes on a request that comes to nothing since tests share the variable that holds a
  /// container; none where that is not so.
  func sharedVariableNotes(_ key: ServiceKey) -> [String] {
    guard let own = ContextFrame.current?.sandbox else { return [] }
    for overlay in own.overlays {
      guard let found = overlay.registry.find(key.rawKey), !found.isRemoval,
        let filler = overlay.core.filler(besides: own)
      else { continue }
      return [
        "this test registered it in \(overlay.core.label): \(found.location)",
        "another test fills that container: \(filler)",
      ]
    }
    var walk = NestWalk(from: self)
    while let core = walk.next() {
      if let filler = core.filler(besides: own) {
        return ["another test fills \(core.label): \(filler)"]
      }
      walk.goOn(to: core.baseChildren)
    }
    return []
  }

  static let sharedVariableFix =
    "If tests share a variable that holds a container, let it follow the root, which every sandbox "
    + "has for itself: `static var test: Resolver! { get { root } set { root = newValue } }`."
}
