#if canImport(Testing) && canImport(XCTest)
import DIContainer

// Doubles by key path that wrap what they stand in for.

extension FactoryModifying {
  /// Registers a double that wraps what the container answers for this property otherwise:
  /// `container.mailer.decorate { live in SpyMailer(live) }`.
  ///
  /// `transform` receives the instance that would have been resolved without this call, one that a
  /// context makes included, and what it returns is handed out instead. Its instances are kept as
  /// long as the service's are. What a test registers or sets for a context afterwards, in the same
  /// place or further inside, wins over it.
  ///
  /// Made for layers and sandboxes: outside of them it stays. Not to be confused with
  /// `decorator(_:)`, which sees instances and replaces none.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - transform: Makes the double from the instance, on the main actor if the service belongs
  ///     there.
  public func decorate(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ transform: Wrapper
  ) {
    registration.decorate(
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      Self.plain(transform))
  }
}

extension Resolver {
  /// Registers a double that wraps what a property of a container type answers otherwise,
  /// whichever container of it is asked: `layer.decorate(\MyContainer.mailer) { live in … }`.
  ///
  /// It concerns the same containers as `double(_:factory:)` by key path. A double that a test
  /// registers later in a container which the root does not reach wins over it, as over any other
  /// double: `MyContainer.shared.mailer.decorate` again, if that is to be wrapped, too.
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
    decorate(
      keyPath,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      Declared.plain(transform))
  }

  /// Registers a double that wraps what a property of `Container` answers otherwise:
  /// `layer.decorate(\.mailer) { live in SpyMailer(live) }`.
  public func decorate<Declared: FactoryModifying>(
    _ keyPath: KeyPath<Container, Declared>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ transform: Declared.Wrapper
  ) {
    decorate(
      keyPath,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column),
      Declared.plain(transform))
  }
}
#endif
