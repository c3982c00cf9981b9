#if canImport(Testing) && canImport(XCTest)
import DIContainer

// What comes close to a double that nothing resolved, or to a request for a live service: by
// another name or type, as a property, or in another container.

/// A request, or another double, that comes close to a double that nothing resolved.
struct CloseToUnused {
  let key: ServiceKey
  let what: String
  /// What to do if the double is for that.
  let fix: String?

  var fact: (String, String) { ("close:", "\(key.closeText) \(what)") }
}

/// A double that comes close to a request for a live service.
struct CloseDouble: Sendable {
  let place: DoublePlace
  let number: UInt64
  let wasResolved: Atomic
  /// Whether a container holds it now.
  private let isHeld: Bool
  private let core: Weak<ContainerCore>
  private let container: String
  /// The layer or sandbox that it was registered in; nil if there was none.
  private let scope: Weak<ContextFrame>?

  init(_ double: Registration, in core: ContainerCore, of frame: ContextFrame, isHeld: Bool) {
    (place, number, self.isHeld) = (double.place, double.id, isHeld)
    wasResolved = double.options.wasResolved ?? Atomic()
    (self.core, container) = (Weak(value: core), core.label)
    scope = core.holdsDoubles ? Weak(value: nil) : frame.sandbox.map { Weak(value: $0) }
  }

  private var isInOpenScope: Bool {
    isHeld || scope.map { $0.value?.hasEnded == false } ?? true
  }

  func text(for request: ServiceKey) -> String {
    let name = place.key.closeText
    if isHeld {
      return "\(name) is registered (\(place.location))"
        + (place.key == request ? ", in \(container)" : "")
    }
    let whereabouts =
      !isInOpenScope
      ? "a layer or sandbox that is not open here"
      : "\(container), " + (core.value == nil ? "which is gone" : "and reset or removed since")
    return "\(name) was registered (\(place.location)), in \(whereabouts)"
  }

  /// Returns advice for a request that `owner` serves.
  func fix(for request: ServiceKey, of owner: ContainerCore, _ registering: String) -> String {
    if place.key != request { return Self.otherKeyFix(registering) }
    if !isInOpenScope { return "Register a double: \(registering)." }
    if !isHeld, core.value === owner { return "Register it after that: \(registering)." }
    if request.property == nil { return Self.otherContainerFix }
    let code = request.doubleAdvice("", in: owner.containerType)
    return "\(Self.otherContainerFix.dropLast()): \(code)."
  }

  static let otherContainerFix =
    "If it is for that request, register it in the container that serves it."
  static func otherKeyFix(_ registering: String, isLate: Bool = false) -> String {
    "If it is for that, register it so\(isLate ? ", and before it" : ""): \(registering)."
  }
}

extension ServiceKey {
  /// The service, as that which comes close to another.
  fileprivate var closeText: String {
    property == nil ? "`\(self)`" : "the property `\(sourceText)`"
  }

  /// The code that registers a double with `double(…)`.
  var doubleCall: String {
    let name = name.map { ", name: \($0.rawValue.debugDescription)" } ?? ""
    return property == nil ? "`double(…\(name))`" : "`double(…, for: \(sourceText))`"
  }
}

extension ContextFrame {
  /// Returns what comes close to a double that nothing resolved, three of each at most.
  ///
  /// These are requests that it could have served, and that got a live service or none: by another
  /// name, from another container, by key path or by type, or for a type that the double's conforms
  /// to; and other doubles of its type that were resolved.
  func closeToUnused(_ double: Registration) -> [CloseToUnused] {
    let own = double.key
    let isOfDouble = isTestDouble(at: double.location)
    func request(
      _ key: ServiceKey, _ number: UInt64, _ what: String, _ location: CodeLocation
    ) -> CloseToUnused? {
      guard key.serviceType == own.serviceType || conforms(own.type, to: key.type) else {
        return nil
      }
      let isLate = number < double.id
      let code = isOfDouble ? key.doubleCall : key.doubleAdvice("")
      return CloseToUnused(
        key: key, what: "\(what)\(isLate ? ", before this was registered" : "") (\(location))",
        fix: key == own
          ? CloseDouble.otherContainerFix : CloseDouble.otherKeyFix(code, isLate: isLate))
    }
    let live = liveRequests.compactMap {
      request($0.key, $0.number, "was resolved live", $0.location)
    }
    let failed = (outermostOfTest ?? self).notes?.failed
      .sorted { $0.value.number < $1.value.number }
      .compactMap { request($0, $1.number, "was requested, and is not registered", $1.location) }
    let doubles = chain.flatMap(\.ownRegistrations).map(\.registration).filter {
      $0.isExpected && $0.wasResolved && $0.key != own && $0.key.serviceType == own.serviceType
    }.map {
      CloseToUnused(
        key: $0.key, what: "has another double, which was resolved (\($0.location))", fix: nil)
    }
    return [live, failed ?? [], doubles].flatMap { $0.prefix(3) }
  }

  func noteFailed(_ request: Request) {
    if dryRun != nil { return }
    (outermostOfTest ?? self).withNotes { notes in
      if notes.failed[request.key] == nil {
        notes.failed[request.key] = (SerialNumber.next(), request.location)
      }
    }
  }

  /// Returns three doubles at most that are not reported as unused because a request for a live
  /// service is reported: by another name or property, from another container, or gone by now.
  func closeDoubles(to key: ServiceKey) -> [CloseDouble] {
    let held = chain.flatMap(\.ownRegistrations)
      .filter { $0.registration.isExpected && isDouble($0.registration, in: $0.core) }
      .map { CloseDouble($0.registration, in: $0.core, of: self, isHeld: true) }
    let places = Set(held.map(\.place))
    let noted = (outermostOfTest ?? self).notes?.registered.values.filter {
      !places.contains($0.place)
    }
    return Array(
      (held + (noted ?? [])).filter {
        key.isClose(to: $0.place.key) && (key == $0.place.key || !$0.wasResolved.isSet)
      }.sorted { $0.number < $1.number }.prefix(3))
  }

  /// Notes a double of a test whose live services are reported: it may be gone by then.
  func noteRegistered(_ double: Registration, in core: ContainerCore) {
    guard strictness != .off || testPolicies?.boundaries != nil, double.isExpected else { return }
    let noted = CloseDouble(double, in: core, of: self, isHeld: false)
    (outermostOfTest ?? self).withNotes { $0.registered[double.place] = noted }
  }
}
#endif
