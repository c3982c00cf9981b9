#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles that were registered too late.

extension ContextFrame {
  /// Returns a finding about a double that is registered too late, because an instance resolved
  /// before may still be held; nil if there is none.
  ///
  /// Call it before the double is stored, and add the finding to the scope afterwards. A layer's
  /// double for a property of another container's type replaces that property's declaration.
  func lateDouble(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService? = nil
  ) -> (scope: ContextFrame, finding: FrameFinding)? {
    guard registration.options.isDouble, !keepsNothing || hasReturned else { return nil }
    // A layer's doubles are too late for instances resolved in the layer itself: its caches are
    // new.
    let scope = core.holdsDoubles ? chain.first { $0.installed?.core === core } : containerFrame
    guard let scope else { return nil }
    let earlier =
      served(registration.key, by: core) ?? declared.flatMap { served($0.key, by: $0.core) }
    // There may be other containers of its type, from which it was resolved.
    if earlier == nil, declared == nil { return nil }
    let target = earlier?.target(in: core, self)
    let before = target?.registration
    let held = scope.notes?.returned?.alive.first { note in
      // A double for the property of another container's type is for all containers of that type.
      if let declared { return [registration.key, declared.key].contains(note.key) }
      return [before, earlier?.registration].contains { $0?.key == note.key }
        && [earlier?.owner, target?.owner].contains { $0?.number == note.container }
    }
    let isHeldByCache =
      earlier.map { !$0.isDouble && keeps(before ?? $0.registration) } ?? false
    guard held != nil || isHeldByCache else { return nil }
    var facts = [("registered:", "\(registration.location)")]
    if let first = held?.origin ?? before.flatMap({ firstRequest(of: $0) }) {
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
    return (self.scope(holding: core) ?? scope, finding)
  }
}
#endif
