#if canImport(Testing) && canImport(XCTest)
public import DIContainer

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
