internal import DIPrimitives

// What a scope notices about its doubles while it is open, and when it ends: the answers to "I
// registered a mock, and it was not used".

/// Something about a scope's doubles that a test should hear when it ends.
package struct ScopeFinding: Sendable, Hashable {
  package let text: String
  package let location: CodeLocation
  /// The double that was never resolved, if that is the finding.
  package var unused: DoublePlace?
  /// The registration that the finding explains: nothing else is said about it.
  var explained: UInt64?
}

/// The line that registers a service.
package struct DoublePlace: Sendable, Hashable {
  package let key: ServiceKey
  package let location: CodeLocation

  init(_ registration: Registration) {
    key = registration.key
    location = registration.location
  }

  // Not the file, whose name would have to be put together first.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(key.type))
    hasher.combine(location.line)
    hasher.combine(location.column)
  }
}

/// A double that nobody resolved, while its scope is still there to be looked at.
package struct UnusedDouble {
  let registration: Registration
  let core: ContainerCore

  package var id: UInt64 { registration.id }
  package var place: DoublePlace { DoublePlace(registration) }
}

/// A property of a container, and what requests for it are known by.
struct DeclaredService {
  let key: ServiceKey
  let core: ContainerCore
}

extension Registration {
  /// Whether it is a double that the test itself registered and that has to be resolved.
  ///
  /// What a test only set about a property, such as its scope, is none.
  fileprivate var isExpected: Bool {
    options.isWatched && !options.isPreset && !options.isDeclaration && !isRemoval && alias == nil
  }

  fileprivate var isUnused: Bool { isExpected && !isUsed }
}

extension ContextFrame {
  /// Whether there is anything to report, which is rare: seen without an allocation.
  package var hasFindings: Bool {
    holdsRegistration { $0.isUnused } || !noticed.isEmpty
  }

  private struct CutShort: Sendable {}

  /// Notes that an error ended the test: who asks for the doubles may not have had a turn.
  package func wasCutShort() { _ = extra(CutShort.self, orMake: { CutShort() }) }

  /// Whether an error ended the test.
  package var isCutShort: Bool { extra(CutShort.self) != nil }

  /// What was noticed, and the doubles of this scope that nobody asked for.
  package var findings: [ScopeFinding] { noticed + unusedDoubles.map { finding(about: $0) } }

  /// The doubles of this scope that nobody resolved, but for those that a finding explains.
  package var unusedDoubles: [UnusedDouble] {
    if isCutShort { return [] }
    let explained = noticed.compactMap(\.explained)
    return ownRegistrations.compactMap { core, registration in
      registration.isUnused && !explained.contains(registration.id)
        ? UnusedDouble(registration: registration, core: core) : nil
    }
  }

  private struct GoneDoubles: Sendable {
    let places = Lock<Set<DoublePlace>>([])
  }

  /// The lines of this scope's doubles that somebody resolved.
  package var usedDoubles: Set<DoublePlace> {
    let gone = extra(GoneDoubles.self)?.places.withLock { $0 } ?? []
    guard holdsRegistration(where: { $0.isExpected && $0.isUsed }) else { return gone }
    return gone.union(
      ownRegistrations.lazy.filter { $1.isExpected && $1.isUsed }.map { DoublePlace($1) })
  }

  /// The doubles that the scope holds by now, which shared set-up registered.
  package var setUpDoubles: [UInt64] { ownRegistrations.map(\.registration.id) }

  /// Notes the doubles that nobody asked for of a container that goes before the scope does.
  func noteUnused(_ registrations: [Registration], in core: ContainerCore) {
    let used = registrations.filter { $0.isExpected && $0.isUsed }
    if !used.isEmpty {
      extra(GoneDoubles.self, orMake: { GoneDoubles() })
        .places.withLock { $0.formUnion(used.map { DoublePlace($0) }) }
    }
    guard registrations.contains(where: \.isUnused) else { return }
    let explained = noticed.compactMap(\.explained)
    let findings = ContextFrame.$bound.withValue(self) {
      registrations.compactMap { registration in
        !registration.isUnused || explained.contains(registration.id)
          ? nil
          : finding(
            about: UnusedDouble(registration: registration, core: core), isAtEnd: false)
      }
    }
    for finding in findings { add(finding) }
  }

  /// Says that a double was never resolved, and what was resolved or registered instead of it.
  package func finding(
    about double: UnusedDouble, in test: String? = nil, isAtEnd: Bool = true
  ) -> ScopeFinding {
    let (registration, core) = (double.registration, double.core)
    var facts = [("registered:", "\(registration.location)")]
    if let test { facts.append(("test:", test)) }
    var fixes = [
      "Remove it, or check that the code under test asks the container for "
        + "`\(registration.key)`.",
      "If it may go unused, say so: `.mayBeUnused()` on the registration, or "
        + "`unusedDoubles: .off` for the sandbox.",
    ]
    // Perhaps nobody has asked for anything yet. A container may go anywhere, where set-up code is
    // not to run.
    if isAtEnd { Startup.runIfNeeded() }
    let misses = nearMisses(of: registration, in: core)
    facts += misses.map(\.fact)
    fixes = misses.compactMap(\.fix) + fixes
    return ScopeFinding(
      text: TypeNames.telling(apart: [registration.key] + misses.compactMap(\.key)) {
        Diagnosis(
          headline: "The double for `\(registration.key)` was never resolved.", facts: facts,
          fixes: fixes
        ).text
      }, location: registration.location, unused: double.place)
  }

  func replacesSomething(
    _ registration: Registration, in core: ContainerCore
  ) -> Bool {
    let key = registration.key.rawKey
    return [core, rootCore].contains { core in
      // In a layer that was popped since, it is not in the way of what lies below.
      if let answer = Lookup.find(key, in: core, self), answer.registration.id != registration.id {
        return true
      }
      if Lookup.find(key, in: core, self, below: registration.id) != nil { return true }
      // Where the sandbox was reset, what start-up registers never came to stand below it.
      let base = Lookup.find(key, in: core, nil)
      return base.map { !$0.isDouble && $0.registration.id != registration.id } ?? false
    }
  }

  /// Whether an instance may be held that was handed out before: by somebody, or by a cache.
  var hasHandedOut: Bool {
    isAnyScope {
      di_load(di_scope_slots($0)) != nil || di_load(di_scope_handed_out($0)) != nil
    }
  }

  /// What there is to say of a double that comes too late: somebody may hold what was resolved
  /// before.
  ///
  /// To be asked before the double is stored, and added to the scope afterwards. A layer's double
  /// for a property of another container's type stands for what that declares.
  func lateDouble(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService? = nil
  ) -> (scope: ContextFrame, finding: ScopeFinding)? {
    // A layer's doubles are too late for what was resolved in the layer itself: its caches are new.
    let scope = core.holdsDoubles ? chain.first { $0.installed?.core === core } : innermostScope
    guard registration.options.isDouble, let scope else { return nil }
    let earlier =
      earlier(registration.key.rawKey, in: core)
      ?? declared.flatMap { self.earlier($0.key.rawKey, in: $0.core) }
    // Of a container's type there may be others that were asked.
    if earlier == nil, declared == nil { return nil }
    let target = earlier?.registration.aliasTarget.flatMap {
      Lookup.find($0.rawKey, in: core, self)?.registration
    }
    let before = target ?? earlier?.registration
    let held = scope.handedOut?.alive.first {
      $0.key == registration.key || $0.key == before?.key || $0.key == declared?.key
    }
    let isHeldByCache =
      earlier.map { !$0.isDouble && isKept(before ?? $0.registration) } ?? false
    guard held != nil || isHeldByCache else { return nil }
    var facts = [("registered:", "\(registration.location)")]
    if let first = held.map({ ($0.requestedAt, $0.askedBy) })
      ?? before.flatMap({ firstRequest(of: $0) })
    {
      let asker = first.1.map { ", for `\($0)`" } ?? ""
      facts.append(("resolved:", "\(first.0)\(asker)"))
    }
    if let before {
      let made = before.options.isDeclaration ? "declared" : "registered"
      facts.append(
        ("before:", "`\(before.key)` (\(before.scope)), \(made) at \(before.location)"))
    }
    let finding = ScopeFinding(
      text: Diagnosis(
        headline: "The double for `\(registration.key)` was registered too late: "
          + "an instance that was resolved before is \(held == nil ? "kept" : "still in use").",
        facts: facts,
        fixes: ["Register the double before anything asks for the service."]
      ).text, location: registration.location, explained: registration.id)
    // A frame inside, such as a recorder's, has no end at which anything is reported.
    return (scope, finding)
  }

  /// What answered for a key before: a registration, or else the declaration of a property.
  ///
  /// A container that is only about to be put to use, such as a layer made by hand, reaches what
  /// was asked for elsewhere, but nobody has asked it.
  private func earlier(_ key: RawKey, in core: ContainerCore) -> Found? {
    let found =
      Lookup.find(key, in: core, self) ?? Lookup.find(key, in: core, self, wanted: .declared)
    guard let found, found.owner === core || rootReaches(core) else { return nil }
    return found
  }

  private func isKept(_ registration: Registration) -> Bool {
    guard let caches = cacheFrame(for: registration.scope) else { return false }
    if let slot = registration.slot, caches.keeps(slot) { return true }
    return registration.options.factory?.keepsByParameter(registration, in: caches) ?? false
  }

  /// Notices a registration that has no effect, because a layer stands before it.
  func noticeHidden(_ registration: Registration, in core: ContainerCore) {
    guard hasLayers, !isLayer(core),
      var answer = rootReaches(core)
        ? Lookup.find(registration.key.rawKey, in: core, self)
        : layersAnswer(to: registration, in: core)
    else { return }
    // A decoration hides nothing: it wraps what lies below.
    while answer.registration.id != registration.id, answer.registration.showsWhatLiesBelow,
      let id = answer.registration.searchesBelow,
      let wrapped = Lookup.find(
        answer.registration.key.rawKey, in: rootReaches(core) ? core : rootCore, self,
        below: id)
    {
      answer = wrapped
    }
    guard answer.registration.id != registration.id, isLayer(answer.owner),
      answer.registration.searchesBelow == nil || !answer.registration.showsWhatLiesBelow
    else { return }
    let finding = ScopeFinding(
      text: Diagnosis(
        headline: "The registration of `\(registration.key)` has no effect: a layer hides it.",
        facts: [
          ("registered:", "\(registration.location), in \(core.label)"),
          ("hidden by:", "\(answer.registration.location), in \(answer.owner.label)"),
        ],
        fixes: ["Register it in the layer, or pop the layer first."]
      ).text, location: registration.location, explained: registration.id)
    (sandbox ?? chain.first { $0.kind == .layer } ?? self).add(finding)
  }

  /// What a layer has for a property of a container that the root does not reach.
  ///
  /// A double that comes later wins over it; see `FactoryRegistration.find`.
  private func layersAnswer(to registration: Registration, in core: ContainerCore) -> Found? {
    guard QualifiedKeys.areUsed.isSet, !registration.options.isDouble,
      let property = registration.key.property, let type = core.factories.containerType
    else { return nil }
    return Lookup.find(RawKey(property.qualified(by: type)), in: rootCore, self)
  }
}
