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

/// The treatment of requests of work that belongs to no test while a sandbox is open.
///
/// Such work was started without the context: a detached task, a queue, a thread. See
/// `ResolutionContext` for ways to take the context along. Registrations of such work, which are
/// visible to all tests, are reported in the same way.
public enum UnscopedPolicy: Sendable, Hashable {
  /// The live service is returned, without a report.
  case allow
  /// The live service is returned, with a warning. The default, unless only XCTest runs.
  case warn
  /// The live service is returned, and the test that the work is attributed to fails.
  case fail
  /// The innermost scope applies if all open scopes are nested; otherwise as `warn`.
  ///
  /// It is the default where only XCTest runs.
  case adopt

  /// The treatment of requests that no scope serves.
  var strictness: Strictness {
    switch self {
    case .allow: .off
    case .warn, .adopt: .warn
    case .fail: .fail
    }
  }
}
#endif
