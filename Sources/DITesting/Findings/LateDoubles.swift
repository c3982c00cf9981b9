#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles that were registered too late.

extension ContextFrame {
  /// Returns a finding about a double that is registered after the live service was resolved in the
  /// same scope, where it may still be in use; nil if there is none.
  ///
  /// Call it before the double is stored, and add the finding to the scope afterwards. A layer's
  /// double for a property of another container's type replaces that property's declaration.
  func lateDouble(
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService? = nil
  ) -> (scope: ContextFrame, finding: FrameFinding)? {
    // A layer's doubles are too late for what is resolved in the layer itself.
    let holder = core.holdsDoubles ? chain.first { $0.installed?.core === core } : containerFrame
    guard registration.options.isDouble, let holder, holder.hasLiveRequests else { return nil }
    let earlier =
      served(registration.key, by: core) ?? declared.flatMap { served($0.key, by: $0.core) }
    let live = holder.liveRequests.first { request in
      if request.isOfScopeInside { return false }
      // A double for the property of another container's type is for all containers of that type.
      if let declared { return [registration.key, declared.key].contains(request.key) }
      return request.key == registration.key && request.owner == earlier?.owner.number
    }
    guard let live else { return nil }
    let requester = live.requester.map { ", for `\($0)`" } ?? ""
    var facts = [
      ("registered:", "\(registration.location)"),
      ("resolved:", "\(live.location)\(requester)"),
    ]
    if let before = earlier?.target(in: core, self).registration {
      let made = before.options.isRegistered ? "registered" : "declared"
      facts.append(
        ("before:", "`\(before.key)` (\(before.scope)), \(made) at \(before.location)"))
    }
    let finding = FrameFinding(
      text: Diagnosis(
        headline: "The double for `\(registration.key)` was registered too late: "
          + "the live service was resolved before.",
        facts: facts,
        fixes: ["Register the double before the service is first resolved."]
      ).text, location: registration.location, key: registration.key)
    return (self.scope(holding: core) ?? holder, finding)
  }
}
#endif
