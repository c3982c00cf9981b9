// Registration with a name before a closure whose parameters are resolved by type. These forms are
// declared in an extension of a protocol, so that the compiler prefers the members of `Resolver`
// for a closure that takes the container and arguments by position.

extension SharedContainer where Self == Resolver {
  /// Registers a closure under a name, resolving the closure's parameters by type.
  ///
  /// In `register(name: .gift) { (catalog: any Catalog) in Basket(catalog: catalog) }` the
  /// dependencies are known without running the closure, as with an initialiser.
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - fileID: The caller's file, for diagnoses.
  ///   - filePath: The caller's file, for diagnoses.
  ///   - line: The caller's line, for diagnoses.
  ///   - column: The caller's column, for diagnoses.
  ///   - factory: The closure that makes an instance of its parameters.
  /// - Returns: The registration's options, for further calls.
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

  /// Registers a closure under a name in `main`, resolving the closure's parameters by type.
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
