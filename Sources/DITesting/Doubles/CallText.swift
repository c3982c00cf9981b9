#if canImport(Testing) && canImport(XCTest)

/// The outcome of a call.
public enum StubOutcome<Result, Failure: Error> {
  /// The call has not ended.
  case underWay
  /// The call returned a result.
  case returned(Result)
  /// The call threw an error.
  case threw(Failure)
}

extension StubOutcome: Sendable where Result: Sendable {}
extension StubOutcome: Equatable where Result: Equatable, Failure: Equatable {}

/// The texts of calls in reports.
enum CallText {
  /// Returns a call: `PaymentGateway.charge(cents: 650, customer: "Ann")`.
  static func call<Arguments>(_ name: String, _ arguments: Arguments) -> String {
    let base = name.prefix { $0 != "(" }
    // A property is called without arguments, and is shown like one.
    if Arguments.self == Void.self { return base.count == name.count ? name : "\(base)()" }
    return base + Self.arguments(arguments)
  }

  /// Returns arguments: `(cents: 650, customer: "Ann")`.
  static func arguments<Arguments>(_ arguments: Arguments) -> String {
    let text = value(arguments)
    return Mirror(reflecting: arguments).displayStyle == .tuple ? text : "(\(text))"
  }

  /// Returns the outcome of a call; nil for one without a result.
  static func outcome<Result, Failure>(_ outcome: StubOutcome<Result, Failure>) -> String? {
    switch outcome {
    case .underWay: "under way"
    case .returned(let result): Result.self == Void.self ? nil : "returned \(value(result))"
    case .threw(let error):
      error is UnstubbedCall ? "nothing was stubbed for it" : "threw \(value(error))"
    }
  }

  private static func value(_ value: Any) -> String {
    value is String ? String(reflecting: value) : String(describing: value)
  }
}
#endif
