#if canImport(Testing) && canImport(XCTest)
public import DIContainer

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

/// An exception for live services that a strict test may resolve.
public struct LiveException: Sendable {
  /// What it is for, in reports.
  let subject: String
  let covers: @Sendable (FramePolicy.LiveService) -> Bool
  private let used: Atomic

  init(_ subject: String, _ covers: @escaping @Sendable (FramePolicy.LiveService) -> Bool) {
    let used = Atomic()
    (self.subject, self.used) = (subject, used)
    self.covers = { service in
      let isCovered = covers(service)
      if isCovered { used.set(true) }
      return isCovered
    }
  }

  /// Whether it covered a service.
  var isUsed: Bool { used.isSet }

  /// Returns an exception for a service by its requested type, under any name.
  public static func type(_ type: Any.Type) -> LiveException {
    LiveException("`\(ServiceKey(type))`") { $0.key.type == type }
  }

  /// Returns an exception for services that are requested by a name.
  public static func name(_ name: Resolver.Name) -> LiveException {
    LiveException("What is called \(name.rawValue.debugDescription)") { $0.key.name == name }
  }

  /// Returns an exception for a property of `Container`: `.strict(except: .property(\.clock))`.
  ///
  /// It covers requests for the property of any container, but not those for its type.
  public static func property<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>
  ) -> LiveException {
    property { Container.shared[keyPath: keyPath]._registration.serviceKey }
  }

  /// Returns an exception for a property of a container type: `.property(\Warehouse.stock)`.
  public static func property<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>
  ) -> LiveException {
    property { C.shared[keyPath: keyPath]._registration.serviceKey }
  }

  private static func property(_ key: @escaping () -> ServiceKey) -> LiveException {
    // Unchecked: it reads a key path, which is immutable, and what any thread may read.
    let key = Unchecked(key)
    return LiveException("A property of `.property(…)`") { $0.key == key.value() }
  }

  /// Returns an exception for all registrations of a container itself.
  public static func container(_ container: @autoclosure @escaping @Sendable () -> Resolver)
    -> LiveException
  {
    LiveException("A service of `.container(…)`") { $0.owner === container().core }
  }

  /// Returns an exception for all registrations that assemblies of a type make themselves.
  public static func assembly(_ assembly: any Assembly.Type) -> LiveException {
    LiveException("A service of `\(ServiceKey(assembly))`") {
      $0.assembly == ObjectIdentifier(assembly)
    }
  }
}
#endif
