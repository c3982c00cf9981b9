#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles that were never resolved. Those of a test's own body are reported when their scope ends;
// those of set-up that tests share, when the suite ends (SharedSetUp.swift).

/// A registration that a scope holds, with its container.
struct OwnRegistration {
  let registration: Registration
  let core: ContainerCore

  var id: UInt64 { registration.id }
}

extension Registration {
  fileprivate var place: DoublePlace { DoublePlace(key: key, location: location) }

  /// Whether it is a double that has to be resolved.
  ///
  /// A setting that a test only makes for a property, such as its scope, does not count.
  fileprivate var isExpected: Bool {
    isTracked && !options.mayBeUnused && registersService && aliasTarget == nil
      && !FixtureScope.isRegistered(at: location)
  }
}

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
  /// The registrations that this scope holds: those of a sandbox in all containers, or of a layer.
  var ownRegistrations: [OwnRegistration] {
    var registries = views.map { (core: $0.core, registry: $0.registry) }
    if kind == .layer, let core = installed?.core { registries.append((core, core.registry)) }
    return registries.flatMap { core, registry in
      registry.all().map { OwnRegistration(registration: $0, core: core) }
    }.sorted { $0.id < $1.id }
  }

  /// Whether a double of this scope was never resolved, or a suite is to hear which were.
  var mayHaveUnused: Bool {
    SharedSetUp.current != nil || holdsRegistration { $0.isTracked && !$0.wasResolved }
  }

  /// The doubles of this scope that were never resolved; none if the test did not run to its end.
  var unusedDoubles: [OwnRegistration] { unused(among: ownRegistrations) }

  private func unused(among all: [OwnRegistration]) -> [OwnRegistration] {
    if isCutShort { return [] }
    return all.filter { $0.registration.isExpected && !$0.registration.wasResolved }
  }

  /// Adds findings about the test's own doubles that were never resolved, and notes those of
  /// shared set-up for the end of the suite.
  func noteUnused(_ all: [OwnRegistration]) {
    let body = TestBody(self)
    if let suite = SharedSetUp.current {
      for double in all.map(\.registration)
      where double.isExpected && double.wasResolved && !body.holds(double) {
        suite.noteResolved(double.place)
      }
    }
    let unused = unused(among: all)
    if unused.isEmpty { return }
    ContextFrame.$bound.withValue(self) {
      for double in unused {
        if body.holds(double.registration) {
          add(finding(about: double))
        } else if isExplained(double.registration.key) {
          explainUnused(double.registration.place)
        } else if let suite = SharedSetUp.current, body.isInModule(double.registration),
          let severity = testPolicies?.unusedDoubles.map(\.severity) ?? .warning
        {
          suite.noteUnused(double.registration.place) {
            DiagnosticIssue(
              text: text(about: double, ofSuite: true), severity: severity,
              location: double.registration.location)
          }
        }
      }
    }
  }

  private func finding(about double: OwnRegistration) -> FrameFinding {
    let (key, location) = (double.registration.key, double.registration.location)
    // That of another test may be the cause: each test hears of what its doubles would have served.
    let action = notes?.unscoped.first { $0.isRequest(for: key) }
    return FrameFinding(
      text: action?.text(double: location) ?? text(about: double), location: location, key: key,
      isOfUnused: true, wasResolved: double.registration.options.wasResolved)
  }

  /// Returns the text about a double that was never resolved, with what was resolved or registered
  /// instead.
  private func text(about double: OwnRegistration, ofSuite: Bool = false) -> String {
    let registration = double.registration
    let key = registration.key
    let close = closeToUnused(registration)
    // Another container may have a property of its name, or a service of its type.
    let isPlaced = key.property != nil || close.contains { $0.key == key }
    let place = isPlaced ? ", in \(double.core.label)" : ""
    let facts =
      [("registered:", "\(registration.location)\(place)")]
      + (ofSuite ? callerFacts(registration.location) : [])
    let headline =
      ofSuite
      ? "No test of the suite resolved the double for `\(key)`."
      : "The double for `\(key)` was never resolved"
    let mark = "If it may go unused, mark it: \(unusedAdvice(registration))."
    if let hider = notes?.hiders[double.id] {
      return Diagnosis(
        headline: ofSuite ? headline : headline + ": another one hides it.",
        facts: facts + [("hidden by:", hider)],
        fixes: ["Remove it, or the one that hides it.", mark]
      ).text
    }
    return TypeNames.telling(apart: [key] + close.map(\.key)) {
      Diagnosis(
        headline: ofSuite ? headline : headline + ".",
        facts: facts
          + close.map(\.fact),
        fixes: close.compactMap(\.fix) + [
          "Remove it, or check that the code under test resolves `\(key)`.", mark,
        ]
      ).text
    }
  }

  /// The test, for a report about a line in another file, which any of several tests may run.
  private func callerFacts(_ location: CodeLocation) -> [(String, String)] {
    guard let test = outermostOfTest?.opener, test.location.line > 0,
      test.location.fileID != location.fileID
    else { return [] }
    return [("test:", test.place)]
  }

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

  /// Returns the code that allows a double to go unused.
  private func unusedAdvice(_ registration: Registration) -> String {
    let sandbox =
      self.sandbox?.opener.isTest == true && ProcessHooks.current.runsOneTestAtATime()
      ? "`override var unusedDoubles: Strictness? { .off }`"
      : "`unusedDoubles: .off` for the sandbox"
    // `double(_:)` returns the double, and `decorate` nothing.
    let isMarkable = !registration.isTransparent && !isTestDouble(at: registration.location)
    let mark = "`.mayBeUnused()` on the registration"
    if self.sandbox == nil, isMarkable { return mark }
    return isMarkable ? "\(mark), or \(sandbox)" : sandbox
  }

  /// The function that registered a double with `double(…)` at a place; nil if none did.
  private func registeringFunction(at location: CodeLocation) -> String? {
    chain.lazy.compactMap { $0.notes?.testDoubles[location] }.first
  }

  func isTestDouble(at location: CodeLocation) -> Bool {
    registeringFunction(at: location) != nil
  }
}

// Doubles that the same code replaces before anything resolved them.

extension ContextFrame {
  private static let replacedInClosures = ReportedOnce<DoublePlace>()

  /// Reports a double that takes the place of another, if nothing resolved that and the same code
  /// registered it: a function with `double(…)`, or a closure of a trait, a layer or a sandbox.
  func reportReplaced(by double: Registration, in core: ContainerCore) {
    let registry = sandbox?.registry(over: core)?.registry ?? core.registry
    guard let old = registry.registration(of: double.key), !old.wasResolved, old.isExpected,
      double.isExpected, !double.isOrDecorates(old.id), old.location != double.location,
      old.location.fileID == double.location.fileID
    else { return }
    var severity = findingSeverity
    if let since = RegisteringContext.current.doublesSince {
      // Several tests may share the closure.
      guard old.id > since, Self.replacedInClosures.isFirst(double.place) else { return }
      severity = .warning
    } else {
      let function = registeringFunction(at: double.location)
      guard function != nil, function == registeringFunction(at: old.location) else { return }
    }
    report(
      DiagnosticIssue(
        text: Diagnosis(
          headline: "`\(double.key)` has two doubles here: this one replaces another that nothing "
            + "resolved.",
          facts: [("first:", "\(old.location)"), ("second:", "\(double.location)")],
          fixes: ["Register one of them, and use what `double(…)` returns."]
        ).text, severity: severity, location: double.location))
  }
}
#endif
