#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles that were never resolved.

/// A double that was never resolved, in a scope that still exists.
struct UnusedDouble {
  let registration: Registration
  let core: ContainerCore

  var id: UInt64 { registration.id }
  var place: DoublePlace { DoublePlace(registration) }
}

extension Registration {
  /// Whether it is a double that the test itself registered and that has to be resolved.
  ///
  /// A setting that a test only makes for a property, such as its scope, does not count.
  fileprivate var isExpected: Bool {
    isTracked && !options.mayBeUnused && registersService && aliasTarget == nil
  }

  fileprivate var isUnused: Bool { isExpected && !wasResolved }
}

extension ContextFrame {
  /// The doubles of this scope that were never resolved, except for those that a finding explains.
  var unusedDoubles: [UnusedDouble] { isCutShort ? [] : unused(among: ownRegistrations) }

  private func unused(
    among all: [(core: ContainerCore, registration: Registration)]
  ) -> [UnusedDouble] {
    let explained = notedFindings.compactMap(\.explained)
    return all.filter { $1.isUnused && !explained.contains($1.id) }
      .map { UnusedDouble(registration: $1, core: $0) }
  }

  /// Records the lines of this scope's doubles that were resolved, in case other tests do not
  /// resolve theirs.
  ///
  /// - Returns: Whether all of them were.
  func noteUsedDoubles() -> Bool {
    var areAllUsed = true
    forEachRegistration { if !Self.noteUsed($0) { areAllUsed = false } }
    return areAllUsed
  }

  /// Records the line of a double that was resolved; returns false for one that was not.
  private static func noteUsed(_ registration: Registration) -> Bool {
    guard registration.isExpected else { return true }
    let wasResolved = registration.wasResolved
    if wasResolved { DoubleRecord.noteResolved(DoublePlace(registration)) }
    return wasResolved
  }

  /// The registrations that this scope holds: those of a sandbox in all containers, or of a layer.
  var ownRegistrations: [(core: ContainerCore, registration: Registration)] {
    var registries = views.map { (core: $0.core, registry: $0.registry) }
    if kind == .layer, let core = installed?.core { registries.append((core, core.registry)) }
    return registries.flatMap { core, registry in registry.all().map { (core, $0) } }
      .sorted { $0.registration.id < $1.registration.id }
  }

  /// Notes the doubles of a container that is released before the scope ends.
  func noteUnused(_ registrations: [Registration], in core: ContainerCore) {
    for registration in registrations { _ = Self.noteUsed(registration) }
    let unused = unused(among: registrations.map { (core, $0) })
    if unused.isEmpty { return }
    let findings = ContextFrame.$bound.withValue(self) {
      unused.map { finding(about: $0, isAtEnd: false) }
    }
    for finding in findings { add(finding) }
  }

  /// Returns a finding that a double was never resolved, with what was resolved or registered
  /// instead.
  func finding(
    about double: UnusedDouble, in test: String? = nil, isAtEnd: Bool = true
  ) -> FrameFinding {
    let (registration, core) = (double.registration, double.core)
    let key = registration.key
    // Another container may have a property of its name.
    let place = key.property == nil ? "" : ", in \(core.label)"
    var facts = [("registered:", "\(registration.location)\(place)")]
    if let test { facts.append(("test:", test)) }
    let mark =
      "If it may go unused, mark it: `.mayBeUnused()` on the registration, or "
      + "`unusedDoubles: .off` for the sandbox."
    if let hider = notes?.hiders[double.id] {
      return double.finding(
        Diagnosis(
          headline: "The double for `\(key)` was never resolved: another one hides it.",
          facts: facts + [("hidden by:", hider)],
          fixes: ["Remove it, or the one that hides it.", mark]
        ).text)
    }
    // Nothing may have been resolved yet. A container may be released anywhere, and setup code is
    // not to run there.
    if isAtEnd { Startup.runIfNeeded() }
    let misses = nearMisses(of: registration, in: core)
    return double.finding(
      TypeNames.telling(apart: [key] + misses.compactMap(\.key)) {
        Diagnosis(
          headline: "The double for `\(key)` was never resolved.",
          facts: facts + misses.map(\.fact),
          fixes: misses.compactMap(\.fix) + [
            "Remove it, or check that the code under test resolves `\(key)`.", mark,
          ]
        ).text
      })
  }
}

extension UnusedDouble {
  fileprivate func finding(_ text: String) -> FrameFinding {
    FrameFinding(
      text: text, location: registration.location, unused: place, explained: id,
      isMoot: registration.options.wasResolved)
  }
}
#endif
