#if canImport(Testing) && canImport(XCTest)
public import DIContainer

extension Resolver {
  /// Registers a double for a type; an alias for `register`.
  @discardableResult
  public func double<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    store(.plain(factory), name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers one instance as the double for a type.
  @discardableResult
  public func double<Service>(
    _ type: Service.Type, name: Name? = nil, _ instance: Service, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> ResolverOptions<Service> {
    store(.plain { instance }, name: name, CodeLocation(fileID, filePath, line, column))
  }

  /// Registers a double that decorates the service that it replaces, such as a spy.
  ///
  /// ```swift
  /// withLayer { mock in
  ///   mock.decorate((any Mailer).self) { live in SpyMailer(live) }
  /// } operation: {
  ///   Resolver.resolve((any Mailer).self).send("Hello")
  /// }
  /// ```
  ///
  /// `transform` receives the instance that would have been resolved without this call, and its
  /// result is returned instead. The results are kept as long as the service's instances are. It is
  /// intended for layers and sandboxes; the innermost of several is applied last.
  ///
  /// - Parameters:
  ///   - type: The type that the service is registered for.
  ///   - name: The name that it is registered under.
  ///   - transform: Makes the double from the instance.
  public func decorate<Service>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: @escaping (Service) throws -> Service
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    decorate(ServiceKey(type, name: name), at: location, transform)
  }
}

extension ResolverOptions {
  /// Allows a double to go unused, so that no report is made if no test resolves it.
  ///
  /// For spies that shared set-up registers and only some tests need:
  ///
  /// ```swift
  /// resolver.register { SpyMailer() as any Mailer }.mayBeUnused()
  /// ```
  ///
  /// For all doubles of a sandbox use `.sandbox(unusedDoubles: .off)`.
  ///
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public consuming func mayBeUnused() -> ResolverOptions<Service> { allowingNoUse() }
}

extension FactoryModifying {
  /// Allows the double that is registered for the property to go unused.
  ///
  /// - Returns: The factory, for further calls.
  @discardableResult
  public func mayBeUnused() -> Self {
    _registration.allowNoUse()
    return self
  }
}
#endif
