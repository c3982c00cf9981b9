// Findings of a scope about its doubles, made while it is open and when it ends: explanations for
// doubles that had no effect.

/// A finding about a scope's doubles, which is reported when the test ends.
package struct FrameFinding: Sendable, Hashable {
  package let text: String
  package let location: CodeLocation
  /// The double that was never resolved, if that is the finding.
  package var unused: DoublePlace?
  /// The registration that the finding explains, for which there is no other finding.
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

  // Without the file, whose name would have to be composed first.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(key.type))
    hasher.combine(location.line)
    hasher.combine(location.column)
  }
}

/// A double that was never resolved, in a scope that still exists.
package struct UnusedDouble {
  let registration: Registration
  let core: ContainerCore

  package var id: UInt64 { registration.id }
  package var place: DoublePlace { DoublePlace(registration) }
}

extension Registration {
  /// Whether it is a double that the test itself registered and that has to be resolved.
  ///
  /// A setting that a test only makes for a property, such as its scope, does not count.
  fileprivate var isExpected: Bool {
    options.wasResolved != nil && !options.mayBeUnused && options.isRegistered && !isRemoval
      && alias == nil
  }

  fileprivate var isUnused: Bool { isExpected && !wasResolved }
}

extension ContextFrame {
  /// Whether there is anything to report, which is rare; checked without an allocation.
  package var hasFindings: Bool {
    holdsRegistration { $0.isUnused } || !noticed.isEmpty
  }

  /// The noted findings, and those about doubles of this scope that were never resolved.
  package var findings: [FrameFinding] { noticed + unusedDoubles.map { finding(about: $0) } }

  /// The doubles of this scope that were never resolved, except for those that a finding explains.
  package var unusedDoubles: [UnusedDouble] {
    if isCutShort { return [] }
    let explained = noticed.compactMap(\.explained)
    return ownRegistrations.compactMap { core, registration in
      registration.isUnused && !explained.contains(registration.id)
        ? UnusedDouble(registration: registration, core: core) : nil
    }
  }

  /// The lines of this scope's doubles that were resolved.
  package var usedDoubles: Set<DoublePlace> {
    (notes?.usedDoublesGone ?? []).union(
      ownRegistrations.lazy.filter { $1.isExpected && $1.wasResolved }.map { DoublePlace($1) })
  }

  /// The ids of the registrations that the scope holds so far, which shared setup made.
  package var setUpDoubles: [UInt64] { ownRegistrations.map(\.registration.id) }

  /// Notes the doubles of a container that is released before the scope ends.
  func noteUnused(_ registrations: [Registration], in core: ContainerCore) {
    let used = registrations.filter { $0.isExpected && $0.wasResolved }.map { DoublePlace($0) }
    if !used.isEmpty { withNotes { $0.usedDoublesGone.formUnion(used) } }
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

  /// Returns a finding that a double was never resolved, with what was resolved or registered
  /// instead.
  package func finding(
    about double: UnusedDouble, in test: String? = nil, isAtEnd: Bool = true
  ) -> FrameFinding {
    let (registration, core) = (double.registration, double.core)
    var facts = [("registered:", "\(registration.location)")]
    if let test { facts.append(("test:", test)) }
    var fixes = [
      "Remove it, or check that the code under test resolves "
        + "`\(registration.key)`.",
      "If it may go unused, mark it: `.mayBeUnused()` on the registration, or "
        + "`unusedDoubles: .off` for the sandbox.",
    ]
    // Nothing may have been resolved yet. A container may be released anywhere, and setup code is
    // not to run there.
    if isAtEnd { Startup.runIfNeeded() }
    let misses = nearMisses(of: registration, in: core)
    facts += misses.map(\.fact)
    fixes = misses.compactMap(\.fix) + fixes
    return FrameFinding(
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
      // In a layer that was popped since, it does not hide registrations below it.
      if let found = Lookup.find(key, in: core, self), found.registration.id != registration.id {
        return true
      }
      if Lookup.find(key, in: core, self, below: registration.id) != nil { return true }
      // If the sandbox was reset, registrations of start-up were never below it.
      let base = Lookup.find(key, in: core, nil)
      return base.map { !$0.isDouble && $0.registration.id != registration.id } ?? false
    }
  }

  /// Returns a finding about a double that is registered too late, because an instance resolved
  /// before may still be held; nil if there is none.
  ///
  /// Call it before the double is stored, and add the finding to the scope afterwards. A layer's
  /// double for a property of another container's type replaces that property's declaration.
  func lateDouble(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService? = nil
  ) -> (scope: ContextFrame, finding: FrameFinding)? {
    let mayBeHeld = !keepsNothing || chain.contains { $0.notes?.handedOut != nil }
    guard registration.options.isDouble, mayBeHeld else { return nil }
    // A layer's doubles are too late for instances resolved in the layer itself: its caches are
    // new.
    let scope = core.holdsDoubles ? chain.first { $0.installed?.core === core } : innermostScope
    guard let scope else { return nil }
    let earlier =
      earlier(registration.key, in: core)
      ?? declared.flatMap { self.earlier($0.key, in: $0.core) }
    // There may be other containers of its type, from which it was resolved.
    if earlier == nil, declared == nil { return nil }
    let before = earlier?.target(in: core, self).registration
    let held = scope.notes?.handedOut?.alive.first {
      $0.key == registration.key || $0.key == before?.key || $0.key == declared?.key
    }
    let isHeldByCache =
      earlier.map { !$0.isDouble && isKept(before ?? $0.registration) } ?? false
    guard held != nil || isHeldByCache else { return nil }
    var facts = [("registered:", "\(registration.location)")]
    let request = held.map {
      ScopeNotes.FirstRequest(location: $0.requestedAt, requester: $0.requestedBy)
    }
    if let first = request ?? before.flatMap({ firstRequest(of: $0) }) {
      let requester = first.requester.map { ", for `\($0)`" } ?? ""
      facts.append(("resolved:", "\(first.location)\(requester)"))
    }
    if let before {
      let made = before.options.isRegistered ? "registered" : "declared"
      facts.append(
        ("before:", "`\(before.key)` (\(before.scope)), \(made) at \(before.location)"))
    }
    let finding = FrameFinding(
      text: Diagnosis(
        headline: "The double for `\(registration.key)` was registered too late: "
          + "an instance that was resolved before is \(held == nil ? "kept" : "still in use").",
        facts: facts,
        fixes: ["Register the double before the service is first resolved."]
      ).text, location: registration.location, explained: registration.id)
    // An inner frame, such as a recorder's, has no end at which findings are reported.
    return (scope, finding)
  }

  /// Returns the registration that had served a key before, or else the declaration of a property.
  ///
  /// A container that is not in use yet, such as a layer made by hand, reaches services that were
  /// resolved through others, but has served no request itself.
  private func earlier(_ key: ServiceKey, in core: ContainerCore) -> Found? {
    let found =
      Lookup.find(key.rawKey, in: core, self)
      ?? (key.property == nil ? nil : Lookup.find(key.rawKey, .declared, in: core, self))
    guard let found, found.owner === core || rootReaches(core) else { return nil }
    return found
  }

  private func isKept(_ registration: Registration) -> Bool {
    guard let caches = cacheFrame(for: registration.scope) else { return false }
    return registration.keeper.map { caches.keeps($0) } ?? false
  }

  /// Adds a finding about a registration that has no effect, because a layer hides it.
  func noticeHidden(_ registration: Registration, in core: ContainerCore) {
    guard layer != nil, !isLayer(core),
      var found = rootReaches(core)
        ? Lookup.find(registration.key.rawKey, in: core, self)
        : layersRegistration(to: registration, in: core)
    else { return }
    // A decoration hides nothing: it wraps what is below.
    while found.registration.id != registration.id, found.registration.showsWhatLiesBelow,
      let id = found.registration.searchesBelow,
      let wrapped = Lookup.find(
        found.registration.key.rawKey, in: rootReaches(core) ? core : rootCore, self,
        below: id)
    {
      found = wrapped
    }
    guard found.registration.id != registration.id, isLayer(found.owner),
      found.registration.searchesBelow == nil || !found.registration.showsWhatLiesBelow
    else { return }
    let finding = FrameFinding(
      text: Diagnosis(
        headline: "The registration of `\(registration.key)` has no effect: a layer hides it.",
        facts: [
          ("registered:", "\(registration.location), in \(core.label)"),
          ("hidden by:", "\(found.registration.location), in \(found.owner.label)"),
        ],
        fixes: ["Register it in the layer, or pop the layer first."]
      ).text, location: registration.location, explained: registration.id)
    (sandbox ?? layer ?? self).add(finding)
  }

  /// Returns a layer's registration for a property of a container that the root does not reach.
  ///
  /// A double that is registered later wins over it; see `Declaration.registered`.
  private func layersRegistration(to registration: Registration, in core: ContainerCore) -> Found? {
    guard QualifiedKeys.areUsed.isSet, !registration.options.isDouble,
      let property = registration.key.property, let type = core.settings.containerType
    else { return nil }
    let key = ServiceKey(registration.key.type, property: property.qualified(by: type))
    return Lookup.find(key.rawKey, in: rootCore, self)
  }
}
