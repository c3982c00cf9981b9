#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The treatment of unwanted events in a test, such as the resolution of a live service.
public enum Strictness: Sendable, Hashable {
  /// The event is ignored.
  case off
  /// The event is a warning; the test continues and passes.
  case warn
  /// The event is a failure; the test continues where there is a value to continue with.
  case fail

  /// The severity of its reports; nil for none.
  var severity: IssueSeverity? {
    switch self {
    case .off: nil
    case .warn: .warning
    case .fail: .error
    }
  }
}
#endif
