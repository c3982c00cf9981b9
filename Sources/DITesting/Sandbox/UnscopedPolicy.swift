#if canImport(Testing) && canImport(XCTest)
import DIContainer

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

  var unscopedWork: UnscopedWork {
    switch self {
    case .allow: .treat(.allow)
    case .warn: .treat(.warn)
    case .fail: .treat(.fail)
    case .adopt: .adopt
    }
  }
}

extension Sandbox {
  /// The treatment of requests that belong to no test, unless an open sandbox specifies another.
  ///
  /// It applies to the process: `.warn` by default, and `.adopt` where only XCTest runs. If work
  /// may belong to several tests, it fails only if all of them require that.
  public static var unscopedPolicy: UnscopedPolicy {
    get {
      switch ContextFrame.unscopedWork {
      case nil: IssueReporter.isOnlyXCTest ? .adopt : .warn
      case .treat(.allow): .allow
      case .treat(.warn): .warn
      case .treat(.fail): .fail
      case .adopt: .adopt
      }
    }
    set { ContextFrame.unscopedWork = newValue.unscopedWork }
  }
}
#endif
