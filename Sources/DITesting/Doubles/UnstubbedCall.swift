#if canImport(Testing) && canImport(XCTest)

/// The error that a double throws for a call without a stubbed result, after reporting an issue.
public struct UnstubbedCall: Error, CustomStringConvertible {
  let text: String

  /// The text of the issue.
  public var description: String { text }
}

/// The results that need no stubbing: nil, `Void`, and empty collections and sets.
///
/// Other types that can be written as an empty list are not among them: such a value may mean
/// something else, or trap.
enum ObviousResult {
  static func of<Result>(_ type: Result.Type) -> Result? {
    if type == Void.self { return () as? Result }
    let value: Any? =
      switch type {
      case let type as any NothingToSay.Type: type.nothing
      case let type as any RangeReplaceableCollection.Type: type.init()
      case let type as any SetAlgebra.Type: type.init()
      default: nil
      }
    return value.flatMap { $0 as? Result }
  }
}

private protocol NothingToSay {
  static var nothing: Any { get }
}

extension Optional: NothingToSay {
  fileprivate static var nothing: Any { Self.none as Any }
}

extension Dictionary: NothingToSay {
  fileprivate static var nothing: Any { [:] as Self }
}

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
