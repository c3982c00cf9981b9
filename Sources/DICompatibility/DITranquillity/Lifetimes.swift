// DITranquillity's vocabulary for lifetimes.

extension Scope {
  /// Returns the given scope, for DITranquillity's spelling `.custom(…)`.
  ///
  /// - Parameter scope: The scope.
  /// - Returns: The scope.
  public static func custom(_ scope: Scope) -> Scope { scope }
}

extension Resolver {
  /// Builds all services that are kept with `.lifetime(.single)`, at start-up.
  ///
  /// Nested containers are included. Traps with a diagnosis if one of the services cannot be
  /// resolved.
  public func initializeSingletonObjects(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = CodeLocation(fileID, filePath, line, column)
    for registration in registrations where registration.scope === Scope.single {
      if let error = registration.failure(location) { trap(error) }
    }
  }

  /// Releases the instances that this container keeps with `.lifetime(.perContainer(…))`.
  ///
  /// Inside a sandbox only those of that sandbox. See `ContainerManager.reset(scope:)`.
  public func clean() {
    for retention in [Scope.Retention.strong, .weak] {
      manager.reset(scope: .perContainer(retention))
    }
  }
}
