#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// What happens to requests of work that belongs to no test while a sandbox is open.
///
/// Such work was started without the context: a detached task, a queue, a thread. See
/// `ResolutionContext` for how to take the context along. What it registers, for all others to
/// find, is reported in the same way.
public enum UnscopedPolicy: Sendable, Hashable {
  /// It gets the live service, silently.
  case allow
  /// It gets the live service, and a warning says so. The default.
  case warn
  /// It gets the live service, and the test fails whose work it can be told to be.
  case fail
  /// The innermost scope answers, if all that are open are nested; otherwise as `warn`.
  ///
  /// It is XCTest's default.
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
  /// What happens to requests that belong to no test, where no open sandbox says otherwise.
  ///
  /// It holds for the process: `.warn` unless set, and `.adopt` where only XCTest runs. Where work
  /// may belong to several tests, it fails only if all of them want that.
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
