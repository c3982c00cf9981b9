#if canImport(Testing) && canImport(XCTest)
public import DIContainer

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

  /// A property of `Container`: `.strict(except: .property(\.clock))`.
  ///
  /// Requests for the property are covered, whichever container is asked, not those for its type.
  public static func property<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>
  ) -> LiveException {
    property { Container.shared[keyPath: keyPath].registration.serviceKey }
  }

  /// A property of a container type: `.strict(except: .property(\Warehouse.stock))`.
  public static func property<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>
  ) -> LiveException {
    property { C.shared[keyPath: keyPath].registration.serviceKey }
  }

  private static func property(_ key: @escaping () -> ServiceKey) -> LiveException {
    // Unchecked: it reads a key path, which is immutable, and what any thread may read.
    let key = Unchecked(key)
    return LiveException { $0.key == key.value() }
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
