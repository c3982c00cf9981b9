#if canImport(Testing) && canImport(XCTest)
public import DIContainer

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

/// What happens to requests of work that belongs to no test while a sandbox is open.
///
/// Such work was started without the context: a detached task, a queue, a thread. See
/// `ResolutionContext` for how to take the context along.
public enum UnscopedPolicy: Sendable, Hashable {
  /// It gets the live service, silently.
  case allow
  /// It gets the live service, and a warning says so. The default.
  case warn
  /// It gets the live service, and the running test fails.
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
  /// It holds for the process: `.warn` unless set, and `.adopt` where only XCTest runs. With
  /// several sandboxes open the strictest of their policies counts.
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

/// Live services that a strict test may resolve all the same.
public struct LiveException: Sendable {
  let covers: @Sendable (ScopePolicy.LiveService) -> Bool

  /// A service, by the type that it is asked for, under any name.
  public static func type(_ type: Any.Type) -> LiveException {
    LiveException { $0.key.type == type }
  }

  /// Services that are asked for under a name.
  public static func name(_ name: Resolver.Name) -> LiveException {
    LiveException { $0.key.name == name }
  }

  /// Everything that a container itself registers.
  public static func container(_ container: @autoclosure @escaping @Sendable () -> Resolver)
    -> LiveException
  {
    LiveException { $0.owner === container().core }
  }

  /// Everything that assemblies of a type register themselves.
  public static func assembly(_ assembly: any Assembly.Type) -> LiveException {
    let assembly = ObjectIdentifier(assembly)
    return LiveException { $0.assembly == assembly }
  }
}
#endif
