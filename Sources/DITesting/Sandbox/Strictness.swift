#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// What happens when a test meets something that it may not want, such as a live service.
public enum Strictness: Sendable, Hashable {
  /// Nothing.
  case off
  /// A warning: the test goes on and passes.
  case warn
  /// A failure: the test goes on where there is a value to go on with.
  case fail

  var treatment: Treatment {
    switch self {
    case .off: .allow
    case .warn: .warn
    case .fail: .fail
    }
  }
}
#endif
