#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Registrations that others hide.

extension ContextFrame {
  /// Adds a finding about a registration that has no effect, because a layer hides it.
  func noteHidden(_ registration: Registration, in core: ContainerCore) {
    // Doubles come before what production's set-up registers in any case.
    guard !registration.options.isBase, let found = hiding(registration, in: core) else { return }
    let finding = FrameFinding(
      text: Diagnosis(
        headline: "The registration of `\(registration.key)` has no effect: a layer hides it.",
        facts: [
          ("registered:", "\(registration.location), in \(core.label)"),
          ("hidden by:", "\(found.registration.location), in \(found.owner.label)"),
        ],
        fixes: ["Register it in the layer, or pop the layer first."]
      ).text, location: registration.location, key: registration.key,
      wasResolved: registration.options.wasResolved)
    (scope(holding: core) ?? self).add(finding)
  }

  /// Notes, at the end of this scope, which doubles of enclosing scopes it hid.
  ///
  /// What was not resolved hid nothing. A root made outside of tests is not known to be resolved.
  func noteHiddenOutside() {
    guard [.sandbox, .layer, .root].contains(kind) else { return }
    for outer in chain.dropFirst() {
      for double in outer.unusedDoubles {
        guard let found = hiding(double.registration, of: outer, in: double.core),
          found.registration.wasResolved || kind == .root && !found.registration.isTracked
        else { continue }
        let hider = "\(found.registration.location), in \(found.owner.label)"
        outer.withNotes { notes in
          if notes.hiders[double.id] == nil { notes.hiders[double.id] = hider }
        }
      }
    }
  }
}
#endif
