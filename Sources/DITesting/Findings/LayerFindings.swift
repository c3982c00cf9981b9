#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Registrations that a layer hides.

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
      ).text, location: registration.location, explained: registration.id,
      isMoot: registration.options.wasResolved)
    (scope(holding: core) ?? self).add(finding)
  }
}
#endif
