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
    _ registration: Registration, in core: ContainerCore, for declared: DeclaredService?
  ) -> (scope: ContextFrame, finding: FrameFinding)? {
    // A layer's doubles are too late for what is resolved in the layer itself.
    let holder = core.holdsDoubles ? chain.first { $0.installed?.core === core } : containerFrame
    guard isDouble(registration, in: core), let holder, holder.hasLiveRequests else { return nil }
    let earlier =
      served(registration.key, by: core) ?? declared.flatMap { served($0.key, by: $0.core) }
    let live = holder.liveRequests.first { request in
      if request.isOfScopeInside { return false }
      // A double for the property of another container's type is for all containers of that type.
      if let declared { return [registration.key, declared.key].contains(request.key) }
      return request.key == registration.key && request.owner == earlier?.owner.number
    }
    guard let live else { return nil }
    // Code of a test's own is likelier to be moved than the factory that made the request.
    let resolved = live.origin.map { "\($0.location), for `\($0.key)`" } ?? "\(live.location)"
    let before = earlier.map { earlier in
      let before = earlier.target.registration
      let made = before.options.isRegistered ? "registered" : "declared"
      return "`\(before.key)` (\(before.scope)), \(made) at \(before.location)"
    }
    let double = LateDouble(
      place: registration.place, resolved: resolved, before: before)
    let finding = FrameFinding(
      text: LateDouble.text(of: [double]), location: registration.location,
      key: registration.key, late: [double])
    return (self.scope(holding: core) ?? holder, finding)
  }
}

/// A double that was registered after the live service was resolved.
struct LateDouble: Sendable, Hashable {
  let place: DoublePlace
  /// The request that resolved it.
  let resolved: String
  /// The registration that the double replaces, if it is known.
  let before: String?

  /// Returns findings with those about doubles that came too late for one request as one.
  static func joined(_ findings: [FrameFinding]) -> [FrameFinding] {
    findings.reduce(into: []) { joined, finding in
      guard let double = finding.late.first,
        let place = joined.firstIndex(where: { $0.late.first?.resolved == double.resolved })
      else { return joined.append(finding) }
      if joined[place].late.contains(double) { return }
      joined[place].late.append(double)
      joined[place].text = text(of: joined[place].late)
    }
  }

  /// Returns the text of a report about doubles that came too late for one request.
  static func text(of doubles: [LateDouble]) -> String {
    let services = doubles.map { "`\($0.place.key)`" }
    let isOne = doubles.count == 1
    let all = services.dropLast().joined(separator: ", ") + (isOne ? "" : " and ") + services.last!
    return Diagnosis(
      headline: isOne
        ? "The double for \(all) was registered too late: the live service was resolved before."
        : "The doubles for \(all) were registered too late: the live services were resolved "
          + "before.",
      facts: doubles.map { ("registered:", "\($0.place.location)") }
        + [("resolved:", doubles[0].resolved)]
        + doubles.compactMap { double in double.before.map { ("before:", $0) } },
      fixes: [
        isOne
          ? "Register the double before the service is first resolved."
          : "Register the doubles before the services are first resolved."
      ]
    ).text
  }
}
#endif
