#if canImport(Testing) && canImport(XCTest)
public import DIContainer

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
  /// Whether a value is being described here: the calls of doubles that this makes are not noted.
  @TaskLocal static var isDescribing = false

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
  ///
  /// `isUnstubbed`: whether nothing was stubbed for it.
  static func outcome<Result, Failure>(
    _ outcome: StubOutcome<Result, Failure>, isUnstubbed: Bool
  ) -> String? {
    switch outcome {
    case .underWay: "under way"
    case .returned(let result): Result.self == Void.self ? nil : "returned \(value(result))"
    case .threw where isUnstubbed: "nothing was stubbed for it"
    // That of another double, to which the call was forwarded, or of one that could not be.
    case .threw(let error) where error is UnstubbedCall: "threw UnstubbedCall"
    case .threw(let error): "threw \(value(error))"
    }
  }

  /// Returns the description of a value.
  static func describe(_ value: Any) -> String {
    $isDescribing.withValue(true) { String(describing: value) }
  }

  private static func value(_ value: Any) -> String {
    value is String ? String(reflecting: value) : describe(value)
  }
}

/// The description of a call's arguments, which are not kept.
///
/// A stub keeps its arguments for as long as it exists. If that is too long, or they are not
/// `Sendable` and the double has to be, let the stub record their description:
/// ```swift
/// final class MailerDouble: Mailer, Sendable {
///   let send = Stub<Described, Void, Never>("Mailer.send(_:)")
///   func send(_ text: String) { send.call(Described(text)) }
/// }
/// ```
public struct Described: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The description.
  public let text: String

  /// Creates the description of a value, or of a tuple of several, without keeping it.
  public init(_ value: Any) {
    text = CallText.describe(value)
  }

  /// Creates a description, to compare with.
  public init(stringLiteral text: String) {
    self.text = text
  }

  /// The description.
  public var description: String { text }
}

/// Records a call of a double that another tool made, in the active recorders.
///
/// The call then appears in their trees below the resolution that returned the double, as those of
/// a ``Stub`` do.
///
/// ```swift
/// noteCall("Mailer.send(_:)", "Receipt", of: (any Mailer).self)
/// ```
///
/// - Parameters:
///   - requirement: The called requirement, as its protocol spells it.
///   - arguments: The arguments, several of them as a tuple. They are described, and not kept.
///   - service: The service that the double is registered for, which identifies the resolution.
///   - name: The name that it is registered under.
public func noteCall<Arguments>(
  _ requirement: String, _ arguments: Arguments, of service: Any.Type? = nil,
  name: Resolver.Name? = nil
) {
  let recorders = ContextFrame.current?.resolutionRecorders ?? []
  if recorders.isEmpty { return }
  let call = CallNote(
    CallText.call(requirement, arguments), number: CallNumbers.next(),
    registrations: service.map { [DoubleRegistration(ServiceKey($0, name: name), at: nil)] } ?? [],
    request: 0)
  call.end(nil)
  for recorder in recorders { recorder.note(call) }
}
#endif
