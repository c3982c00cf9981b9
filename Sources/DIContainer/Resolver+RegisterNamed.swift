// A name before a closure whose parameters are resolved by type. In an extension of a protocol, so
// that a closure which takes the container and arguments by position goes where it goes without a
// name: of two that fit, a class's own member is chosen.

extension SharedContainer where Self == Resolver {
  /// Registers, under a name, a closure with typed parameters, which are resolved by type.
  ///
  /// `register(name: .gift) { (catalog: any Catalog) in Basket(catalog: catalog) }`: its
  /// dependencies are known without running it, as with an initialiser.
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: A name that tells it apart from other registrations of the type.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: Makes an instance of what it is given.
  /// - Returns: Options to go on with.
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public func register<each Needed, Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (repeat each Needed) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Registers, under a name, a closure with parameters that are resolved by type, in `main`.
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public static func register<each Needed, Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (repeat each Needed) throws -> Service?
  ) -> ResolverOptions<Service> {
    Resolver.main.register(
      factory, name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
