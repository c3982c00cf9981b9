#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The requirement and the owner of a stub.
final class StubIdentity: Sendable {
  private struct State {
    var ledger: DoubleLedger
    var origin: DoubleOrigin
    var isLenient: Bool

    var facts: [(String, String)] { origin.facts + ledger.facts }
  }

  private let requirement: String?
  private let madeAt: CodeLocation
  private let state: Lock<State>

  init(_ requirement: String?, at location: CodeLocation) {
    self.requirement = requirement
    madeAt = location
    state = Lock(
      State(
        ledger: .current(), origin: .current(at: location),
        isLenient: LenientDoubles.areCurrent))
  }

  var ledger: DoubleLedger { state.withLock { $0.ledger } }
  var origin: DoubleOrigin { state.withLock { $0.origin } }
  var isLenient: Bool { state.withLock { $0.isLenient } }
  var name: String { requirement ?? origin.label ?? "a stub made at \(madeAt)" }

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
  /// `stubbed`: the results that are stubbed for other calls.
  func unstubbed<Arguments, Result, Failure>(
    _ arguments: Arguments, _ stubbed: [(String, String)]
  ) -> Swift.Result<Result, Failure> {
    let state = state.withLock { $0 }
    let isLenient = state.isLenient || LenientDoubles.areCurrent
    let canBeLenient = EmptyResult.of(Result.self) != nil || UnstubbedCall(text: "") is Failure
    let text = Diagnosis(
      headline: "`\(name)` was called, but nothing is stubbed for this call.",
      facts: [("called:", CallText.arguments(arguments))] + stubbed + state.facts,
      fixes: [
        "Stub it before the call: `.returns(…)`"
          + (Failure.self == Never.self ? " or " : ", `.throws(…)` or ") + "`.runs { … }`."
      ]
        + (isLenient || !canBeLenient
          ? []
          : [
            "If it does not matter here, mark it: `.lenient()` on the stub, or the `.lenient` "
              + "trait."
          ])
    ).text
    guard isLenient || CallText.isDescribing else { return giveUp(text) }
    if let empty = EmptyResult.of(Result.self) { return .success(empty) }
    if let error = UnstubbedCall(text: text) as? Failure { return .failure(error) }
    if let zero = EmptyResult.zero(Result.self) { return .success(zero) }
    trap(text, isReported: false)
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
      ).text)
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
      ).text)
  }

  private func giveUp<Result, Failure>(_ text: String) -> Swift.Result<Result, Failure> {
    if let error = UnstubbedCall(text: text) as? Failure {
      ledger.report(text, orAt: origin.location)
      return .failure(error)
    }
    guard let empty = EmptyResult.of(Result.self) ?? EmptyResult.zero(Result.self) else {
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

/// The origin of a double, and the recorders of its calls.
struct DoubleOrigin: Sendable {
  /// The stub's name in its double: `PaymentGatewayDouble.charge`.
  var label: String?
  let madeAt: CodeLocation
  /// The registrations of the double, each once, the latest last.
  private(set) var registrations: [DoubleRegistration] = []
  /// The request in whose factory the stub was made, or 0.
  let request: UInt64
  /// The recorders that were active when the stub was made.
  fileprivate let recorders: [ResolutionRecorder]

  static func current(at location: CodeLocation) -> DoubleOrigin {
    DoubleOrigin(
      madeAt: location, request: ContextFrame.currentRequest, recorders: currentRecorders ?? [])
  }

  var facts: [(String, String)] {
    [(registrations.last?.location == nil ? "made:" : "registered:", "\(location)")]
  }

  /// The place of the latest registration, or else the one at which the stub was made.
  var location: CodeLocation { registrations.last?.location ?? madeAt }

  mutating func add(_ registration: DoubleRegistration) {
    registrations.removeAll { $0 == registration }
    registrations.append(registration)
  }

  private static var currentRecorders: [ResolutionRecorder]? {
    ContextFrame.current?.resolutionRecorders
  }

  /// The recorders of a call in the current context; without one, those of the stub that are still
  /// active.
  var listening: [ResolutionRecorder] {
    Self.currentRecorders ?? recorders.filter(\.isListening)
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
