#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles by key path that decorate the service that they replace.

extension FactoryModifying {
  /// Registers a double that decorates the property's current instance.
  ///
  /// `container.mailer.decorate { live in SpyMailer(live) }`: `transform` receives the instance
  /// that would have been resolved without this call, including that of a context, and its result
  /// is returned instead. The results are kept as long as the service's instances are. A double or
  /// a context that a test sets afterwards, in the same scope or a nested one, takes precedence.
  ///
  /// Use it in layers and sandboxes, because elsewhere it stays. It differs from `decorator(_:)`,
  /// which receives instances and replaces none.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - transform: Makes the double from the instance, on the main actor if the service belongs to
  ///     it.
  public func decorate(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ transform: Wrapper
  ) {
    _registration.decorate(at: CodeLocation(fileID, filePath, line, column), Self._plain(transform))
  }
}

extension Resolver {
  /// Registers a double that decorates a property of a container type.
  ///
  /// `layer.decorate(\MyContainer.mailer) { live in … }` applies to requests of every container of
  /// the type, as `double(_:factory:)` by key path does. A double that a test registers later in a
  /// container which the root does not reach takes precedence, as over any other double; to
  /// decorate that one too, call `MyContainer.shared.mailer.decorate` again.
  ///
  /// - Parameters:
  ///   - keyPath: The property that declares the service, of any kind of factory.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - transform: Makes the double from the instance that would have been resolved without it.
  public func decorate<C: SharedContainer, Declared: FactoryModifying>(
    _ keyPath: KeyPath<C, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: Declared.Wrapper
  ) {
    decorate(keyPath, at: CodeLocation(fileID, filePath, line, column), Declared._plain(transform))
  }

  /// Registers a double that decorates a property of `Container`.
  ///
  /// An example is `layer.decorate(\.mailer) { live in SpyMailer(live) }`.
  public func decorate<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: Declared.Wrapper
  ) {
    decorate(keyPath, at: CodeLocation(fileID, filePath, line, column), Declared._plain(transform))
  }
}
#endif
