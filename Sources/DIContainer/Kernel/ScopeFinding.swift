// What a scope finds out about its doubles while it is open, and when it ends: the answers to "I
// registered a mock and it was not used".

/// Something about a scope's doubles that a test should hear when it ends.
package struct ScopeFinding: Sendable, Hashable {
  package let text: String
  package let location: CodeLocation
}

extension ContextFrame {
  /// What was noticed, and the doubles of this scope that nobody asked for.
  package var findings: [ScopeFinding] {
    noticed + ownRegistrations.compactMap { unused($0.registration) }
  }

  private func unused(_ registration: AnyRegistration) -> ScopeFinding? {
    let options = registration.options
    guard let usage = options.usage, !usage.isSet, !options.isPreset, !registration.isRemoval,
      registration.aliasTarget == nil
    else { return nil }
    var facts = [("registered:", "\(registration.location)")]
    var fixes = [
      "Take it away, or check that the code under test asks the container for "
        + "`\(registration.key)`."
    ]
    if registration.key.property == nil, !replacesSomething(registration) {
      facts.append(("replaces:", "nothing: production registers no `\(registration.key)`"))
      for miss in NearMiss.find(for: registration.key, asked: Resolver.root) {
        facts.append(("close:", "`\(miss.key)` is registered (\(miss.location))"))
        fixes.insert("If you meant `\(miss.key)`, register the double for that.", at: 0)
      }
    }
    return ScopeFinding(
      text: Diagnosis(
        headline: "The double for `\(registration.key)` was never resolved.", facts: facts,
        fixes: fixes
      ).text, location: registration.location)
  }

  private func replacesSomething(_ registration: AnyRegistration) -> Bool {
    let root = rootCore
    return Lookup.find(registration.key.typeAndName, in: root, self, below: registration.id) != nil
  }

  /// Notices a double that comes too late: somebody may hold what was resolved and kept before.
  func noticeLateDouble(_ registration: AnyRegistration, in core: ContainerCore) {
    guard registration.options.isDouble,
      let earlier = Lookup.find(registration.key.typeAndName, in: core, self)
    else { return }
    let target = earlier.registration.aliasTarget.flatMap {
      Lookup.find($0.typeAndName, in: core, self)?.registration
    }
    let kept = target ?? earlier.registration
    guard let slot = kept.slot, let scope = cacheFrame(for: kept.scope), scope.keeps(slot) else {
      return
    }
    add(
      ScopeFinding(
        text: Diagnosis(
          headline: "The double for `\(registration.key)` came too late: "
            + "an instance had been resolved and kept before.",
          facts: [
            ("registered:", "\(registration.location)"),
            ("before:", "`\(kept.key)` (\(kept.scope)), registered at \(kept.location)"),
          ],
          fixes: ["Register the double before anything asks for the service."]
        ).text, location: registration.location))
  }

  /// Notices a registration that has no effect, because a layer stands before it.
  func noticeHidden(_ registration: AnyRegistration, in core: ContainerCore) {
    guard hasLayers, !isLayer(core), rootReaches(core),
      let answer = Lookup.find(registration.key.typeAndName, in: core, self),
      answer.registration.id != registration.id, isLayer(answer.owner)
    else { return }
    let finding = ScopeFinding(
      text: Diagnosis(
        headline: "The registration of `\(registration.key)` has no effect: a layer hides it.",
        facts: [
          ("registered:", "\(registration.location), in \(core.label)"),
          ("hidden by:", "\(answer.registration.location), in \(answer.owner.label)"),
        ],
        fixes: ["Register it in the layer, or pop the layer first."]
      ).text, location: registration.location)
    (sandbox ?? self).add(finding)
  }
}

/// Watches instances that should be gone once a scope has ended.
package final class LeakWatch: Sendable {
  package struct Leak: Sendable {
    package let key: ServiceKey
    package let isDouble: Bool
    package let askedBy: ServiceKey?
    package let requestedAt: CodeLocation
  }

  private struct Watched {
    weak var object: AnyObject?
    let leak: Leak
  }

  private let watched = Lock<[Watched]>([])

  package init() {}

  func add(_ object: AnyObject, _ leak: Leak) {
    watched.withLock { watched in
      if !watched.contains(where: { $0.leak.key == leak.key && $0.object === object }) {
        watched.append(Watched(object: object, leak: leak))
      }
    }
  }

  /// The instances that are still alive.
  package var leaks: [Leak] {
    let watched = watched.withLock { $0 }
    return watched.filter { $0.object != nil }.map(\.leak)
  }
}

extension ContextFrame {
  func watch(_ instance: UnsafeMutableRawPointer, _ found: Found, _ request: Request) {
    guard let watch = chain.lazy.compactMap(\.policy?.leakWatch).first,
      let object = classInstance(found.registration.asAny(instance))
    else { return }
    let isKept = found.registration.scope.kind != .unique && found.registration.scope.kind != .graph
    guard found.isDouble || isKept else { return }
    watch.add(
      object,
      LeakWatch.Leak(
        key: request.key, isDouble: found.isDouble, askedBy: ResolutionStack.current.last?.key,
        requestedAt: request.location))
  }
}
