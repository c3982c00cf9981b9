#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A call of a double, as recorded.
public struct RecordedCall: Sendable, Equatable, CustomStringConvertible {
  /// The position of the call among the calls of all doubles, from 1.
  public var number: UInt
  /// The call as in source code: `PaymentGateway.charge(cents: 650)`.
  public var call: String
  /// The outcome, such as `returned "ref-1"`; nil for a call that returned nothing.
  public var outcome: String?
  /// The index of the event that returned the double, if known.
  public var resolution: Int?

  /// Creates a call to compare with recorded ones.
  public init(number: UInt, call: String, outcome: String? = nil, resolution: Int? = nil) {
    self.number = number
    self.call = call
    self.outcome = outcome
    self.resolution = resolution
  }

  /// The call in one line, with its outcome.
  public var description: String { call + (outcome.map { "  — \($0)" } ?? "") }
}

/// A call that is recorded when it begins.
final class CallNote: Sendable {
  let call: String
  let number: UInt
  /// The registrations of the double, if known.
  let registrations: [DoubleRegistration]
  /// The number of the request in whose factory the double was made, or 0.
  let request: UInt64
  private let outcome = Lock<String?>("under way")

  init(
    _ call: String, number: UInt, registrations: [DoubleRegistration], request: UInt64
  ) {
    (self.call, self.number, self.registrations) = (call, number, registrations)
    self.request = request
  }

  func end(_ outcome: String?) { self.outcome.withLock { $0 = outcome } }

  func recorded(_ resolution: Int?) -> RecordedCall {
    RecordedCall(
      number: number, call: call, outcome: outcome.withLock { $0 }, resolution: resolution)
  }
}

/// The registration of a double: its service and place.
///
/// Without a place it stands for every registration for the type and name, also by key path.
struct DoubleRegistration: Sendable, Hashable {
  let service: ServiceKey
  let location: CodeLocation?

  init(_ service: ServiceKey, at location: CodeLocation?) {
    self.service = location == nil ? ServiceKey(service.type, name: service.name) : service
    self.location = location
  }

  var withoutPlace: DoubleRegistration { DoubleRegistration(service, at: nil) }
}
#endif
