#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A type-erased view of the calls of a stub.
protocol AnyStubLog: AnyObject {
  var identity: StubIdentity { get }
  var notedCalls: [NotedCall] { get }
  /// The statements that no call used.
  var unusedRules: [UnusedRule] { get }

  /// Marks calls as covered by an expectation.
  func cover(_ places: [Int])
  /// Makes the stub part of the current sandbox, as part of the double of a service.
  func adopt(_ label: String?, _ service: ServiceKey, at location: CodeLocation?)
}

extension AnyStubLog {
  /// The name of the requirement in reports.
  var name: String { identity.name }
}

/// The calls of a double's stub, with the name of its property.
typealias NamedStubLog = (label: String?, log: any AnyStubLog)

/// A call in reports.
struct NotedCall {
  /// Its index among the calls of the stub.
  let place: Int
  /// Its number among the calls of all doubles.
  let number: UInt
  let isCovered: Bool
  let text: () -> String
}

/// A statement that no call used.
struct UnusedRule {
  let location: CodeLocation
  /// Whether the requirement was called, but the condition was never met.
  let isForOtherCalls: Bool
}
#endif
