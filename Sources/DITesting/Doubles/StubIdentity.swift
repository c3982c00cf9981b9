#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The requirement and the owner of a stub.
final class StubIdentity: Sendable {
  private struct State {
    var ledger: DoubleLedger
    var origin: DoubleOrigin
    var isLenient: Bool
    /// The request that returned the double.
    var requestedAt: CodeLocation?
    /// Whether a call without a stubbed result was reported, with what is stubbed for others.
    var wasUnstubbed = false
    /// The tests that called the double of another one, each of which hears of it once.
    var strangers: Set<String> = []

    var facts: [(String, String)] { origin.facts + ledger.facts }
  }

  private let state: Lock<State>
  /// The recorders that were active when the stub was made.
  private let recorders = ContextFrame.current?.resolutionRecorders ?? []

  init(_ requirement: String?, at location: CodeLocation, isStatic: Bool) {
    state = Lock(
      State(
        ledger: .current(),
        origin: DoubleOrigin(
          madeAt: location, isStatic: isStatic, requirement: requirement,
          request: ContextFrame.currentRequest),
        isLenient: LenientDoubles.areCurrent))
  }

  var ledger: DoubleLedger { state.withLock { $0.ledger } }
  var origin: DoubleOrigin { state.withLock { $0.origin } }
  var isLenient: Bool { state.withLock { $0.isLenient } }
  var name: String {
    let origin = origin
    return origin.requirement ?? origin.label ?? "a stub made at \(origin.madeAt)"
  }

  /// The recorders of a call in the current context; without one, those of the stub that are still
  /// active.
  var listening: [ResolutionRecorder] {
    ContextFrame.current?.resolutionRecorders ?? recorders.filter(\.isListening)
  }

  /// Whether a call without a stubbed result was reported, with what is stubbed for others.
  var wasUnstubbed: Bool { state.withLock { $0.wasUnstubbed } }

  /// Whether a request returned the double.
  var wasReturned: Bool { state.withLock { $0.requestedAt != nil } }

  /// Notes the request that returned the double, as far as that is known.
  func wasReturned(at location: CodeLocation?) {
    state.withLock { if $0.requestedAt == nil { $0.requestedAt = location } }
  }

  /// Reports a call from another test than the one that the double belongs to, to that other test.
  func checkCaller(_ call: () -> String) {
    let ledger = ledger
    guard let (own, test) = ledger.stranger,
      state.withLock({ $0.strangers.insert(test).inserted })
    else { return }
    let state = state.withLock { $0 }
    let resolved = state.requestedAt.map { ", resolved at \($0)" } ?? ""
    let frame = ContextFrame.current
    let opened = frame?.sandbox?.opener.location
    let location =
      opened.flatMap { $0.line == 0 ? nil : $0 }
      ?? IssueReporter.testLocation ?? state.origin.location
    let issue = DiagnosticIssue(
      text: Diagnosis(
        headline: "`\(own)`'s double was called in `\(test)`: something that outlives tests holds "
          + "it\(resolved).",
        facts: [("called:", call())] + state.facts,
        fixes: [
          "Let what holds it resolve at each use: `@LazyInjected`, `@DynamicInjected`.",
          "Or let the container make what holds it, in a scope such as `.singleton`: each sandbox "
            + "then has one of its own.",
        ]
      ).text, severity: .error, location: location)
    for registration in state.origin.registrations { frame?.explain(registration.service) }
    if let frame { frame.report(issue) } else { IssueReporter.report(issue) }
  }

  /// Notes why the double was not registered.
  func wasRefused(_ refusal: String) { state.withLock { $0.origin.refusal = refusal } }

  func becomeLenient() { state.withLock { $0.isLenient = true } }

  /// Makes the stub part of the current sandbox, as part of the double of a service.
  ///
  /// If it is registered in an enclosing sandbox already, it stays part of that one, which ends
  /// later.
  func adopt(_ label: String?, _ service: ServiceKey, at location: CodeLocation?) {
    let before = state.withLock { $0 }
    let stays = !before.origin.registrations.isEmpty && before.ledger.isEnclosing
    let ledger = stays ? before.ledger : .current()
    let isLenient = LenientDoubles.areCurrent
    state.withLock { state in
      state.ledger = ledger
      state.origin.label = label
      state.origin.add(DoubleRegistration(service, at: location))
      if isLenient { state.isLenient = true }
    }
  }

  // MARK: Calls without a stubbed result

  /// Reports a call without a stubbed result, and returns a default, returns an error, or traps.
  ///
  /// `stubbed`: the results that are stubbed for other calls; `empty`: the default, if the type
  /// does not say it.
  func unstubbed<Arguments, Result, Failure>(
    _ arguments: Arguments, _ stubbed: [(String, String)], empty: Result?
  ) -> Swift.Result<Result, Failure> {
    let empty = empty ?? EmptyResult.of(Result.self)
    let state = state.withLock { $0 }
    let isLenient = state.isLenient || LenientDoubles.areCurrent
    let lenient = empty ?? EmptyResult.zero(Result.self)
    let diagnosis = Diagnosis(
      headline: "`\(name)` was called, but nothing is stubbed for this call.",
      facts: [("called:", CallText.arguments(arguments))] + stubbed + state.facts,
      fixes: [
        "Stub it before the call: `.returns(…)`"
          + (Failure.self == Never.self ? " or " : ", `.throws(…)` or ") + "`.runs { … }`."
      ]
        + (isLenient || lenient == nil
          ? []
          : ["If it does not matter here, mark it: \(LenientDoubles.advice)."])
    )
    guard isLenient || CallText.isDescribing else {
      self.state.withLock { $0.wasUnstubbed = true }
      return giveUp(diagnosis, or: empty)
    }
    if let lenient { return .success(lenient) }
    if let error = UnstubbedCall(text: diagnosis.text) as? Failure { return .failure(error) }
    trap(diagnosis.text, isReported: false)
  }

  /// Reports a stubbed result of another type than the one that a generic requirement returns.
  func mistyped<Result, Failure>(
    _ result: Any, _ arguments: String?, _ location: CodeLocation?
  ) -> Swift.Result<Result, Failure> {
    let asked = "\(Result.self)"
    let mirror = Mirror(reflecting: result)
    // What an optional holds is of the wrong type, not the optional.
    let held = mirror.displayStyle == .optional ? mirror.children.first?.value : nil
    return giveUp(
      Diagnosis(
        headline: "`\(name)` was to return `\(asked)`, but what is stubbed for this call is "
          + "`\(type(of: held ?? result))`.",
        facts: (arguments.map { [("called:", $0)] } ?? [])
          + (location.map { [("stubbed:", "\($0)")] } ?? []) + state.withLock { $0.facts },
        fixes: [
          "Return `\(asked)` from such calls; `.when { … }` tells them from others."
        ]
      ))
  }

  /// Reports a call that is forwarded to a function with other parameters.
  func unforwardable<Arguments, Result, Failure>(
    to parameters: Any.Type, _ arguments: Arguments, _ location: CodeLocation
  ) -> Swift.Result<Result, Failure> {
    giveUp(
      Diagnosis(
        headline: "A call of `\(name)` cannot be forwarded to a function with other parameters.",
        facts: [
          ("called:", CallText.arguments(arguments)), ("arguments:", "\(Arguments.self)"),
          ("parameters:", "\(parameters)"), ("stubbed:", "\(location)"),
        ],
        fixes: ["Call it in a closure: `.runs { … }`."]
      ))
  }

  private func giveUp<Result, Failure>(
    _ diagnosis: Diagnosis, or empty: Result? = nil
  ) -> Swift.Result<Result, Failure> {
    let text = diagnosis.text
    if let error = UnstubbedCall(text: diagnosis.headline) as? Failure {
      ledger.report(text, orAt: origin.location)
      return .failure(error)
    }
    guard let empty = empty ?? EmptyResult.of(Result.self) ?? EmptyResult.zero(Result.self) else {
      trap(text)
    }
    ledger.report(text, orAt: origin.location)
    return .success(empty)
  }

  private func trap(_ text: String, isReported: Bool = true) -> Never {
    if isReported { ledger.reportAtOnce(text, orAt: origin.location) }
    let location = ledger.location ?? origin.location
    fatalError(text, file: location.staticFilePath, line: location.line)
  }
}

/// The origin of a double.
struct DoubleOrigin: Sendable {
  /// The stub's name in its double: `PaymentGatewayDouble.charge`.
  var label: String?
  let madeAt: CodeLocation
  /// Whether it is the stub of a static requirement.
  let isStatic: Bool
  /// The requirement's name in reports.
  fileprivate let requirement: String?
  /// The place of the latest registration in the order of all calls and registrations of doubles.
  private(set) var order: UInt = 0
  /// The registrations of the double, each once, the latest last.
  private(set) var registrations: [DoubleRegistration] = []
  /// Why `double(…)` refused the double; nil if it did not, or registered it since.
  fileprivate(set) var refusal: String?
  /// The request in whose factory the stub was made, or 0.
  let request: UInt64

  /// Why `double(…)` did not register the double; something else may have.
  var absence: String { refusal ?? "not known to be registered" }

  /// The state of the double's registration, for failures about calls of another double.
  ///
  /// `other`: the double that was called instead.
  func registration(besides other: DoubleOrigin) -> String {
    guard let last = registrations.last else { return absence }
    let place = "registered at \(last.location.map { "\($0)" } ?? "an unknown place")"
    if let hider = ContextFrame.current?.hider(of: last) {
      return "\(place), and hidden by that of a layer, at \(hider)"
    }
    guard order < other.order,
      other.registrations.contains(where: { $0.service == last.service })
    else { return place }
    return "\(place), and replaced at \(other.location)"
  }

  /// The doubles registered in the current scopes that may be this one, which `double(…)` did not
  /// make, the latest last.
  var registrationsByOthers: [Registration] {
    (ContextFrame.current?.chain.flatMap(\.ownRegistrations) ?? []).map(\.registration)
      .filter { $0.options.isDouble && mayServe($0.key) }.sorted { $0.id < $1.id }
  }

  /// Returns the origin of a double that was called, with the registration that may have returned
  /// it if its own is not known.
  func registered(besides missed: DoubleOrigin) -> DoubleOrigin {
    guard registrations.isEmpty,
      let registration = registrationsByOthers.last(where: { $0.wasResolved }),
      registration.location != missed.registrations.last?.location
    else { return self }
    var origin = self
    origin.add(DoubleRegistration(registration.key, at: registration.location))
    return origin
  }

  /// Its place, in a sentence about the double.
  var placeText: String { facts.first.map { ", \($0.0.dropLast()) at \($0.1)" } ?? "" }

  var facts: [(String, String)] {
    if registrations.last?.location != nil { return [("registered:", "\(location)")] }
    return isGenerated ? [] : [("made:", "\(location)")]
  }

  /// Whether the double is registered in these places and in no other; if it is not known where,
  /// whether one of them may be its own.
  func isRegistered(onlyAt places: Set<DoublePlace>) -> Bool {
    if registrations.isEmpty { return places.contains { mayServe($0.key) } }
    let known = places.map { DoubleRegistration($0.key, at: $0.location) }
    return Set(known).isSuperset(of: registrations)
  }

  /// Whether a service is the protocol of the requirement, so that its registration may return the
  /// double.
  func mayServe(_ service: ServiceKey) -> Bool {
    guard let protocolName else { return false }
    let type = describe(service.serviceType).prefix { $0 != "<" }
    return type == "any \(protocolName)" || type.hasSuffix(".\(protocolName)")
  }

  /// The protocol of the requirement, if the stub's name has one.
  var protocolName: Substring? {
    guard let requirement, let end = requirement.firstIndex(of: ".") else { return nil }
    return requirement[..<end]
  }

  /// Whether the stub stands in a file that `swift package doubles` wrote, where it tells nobody
  /// anything.
  private var isGenerated: Bool {
    guard let protocolName else { return false }
    return madeAt.fileID.description.hasSuffix("/\(protocolName)Double.swift")
  }

  /// The place of the latest registration, or else the one at which the stub was made, if a person
  /// wrote that.
  var location: CodeLocation {
    registrations.last?.location ?? (isGenerated ? .unknown : madeAt)
  }

  mutating func add(_ registration: DoubleRegistration) {
    order = CallNumbers.next()
    refusal = nil
    registrations.removeAll { $0 == registration }
    registrations.append(registration)
  }
}

/// The numbers of the calls of all doubles.
///
/// They count for the whole process, so calls have one order over all sandboxes and threads.
enum CallNumbers {
  private static let last = Atomic()

  static func next() -> UInt { last.increment() + 1 }
}
#endif
