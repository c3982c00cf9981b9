// Factories whose argument is of type `Any`, as in Swinject. Such a factory is also one that takes
// all arguments as `Args`, which the compiler prefers; these forms have precedence over that.

extension Resolver {
  /// Registers a factory that takes one argument of any type, passed as `argument:`.
  ///
  /// If a request passes none, or several, the factory receives all of them as `Args`. See
  /// `Resolver.register(_:name:factory:)`.
  @discardableResult
  public func register<Service>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Any) throws -> Service?
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    return store(
      .arguments { resolver, args in try factory(resolver, args.argument(at: location)) },
      name: name, location)
  }

  /// Registers a factory that takes one optional argument, passed as `argument:`.
  ///
  /// A parameter of type `Any?` receives all arguments as `Args` if a request passes none, or
  /// several. See `Resolver.register(_:name:factory:)`.
  @discardableResult
  public func register<Service, Argument>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument?) throws -> Service?
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    return store(
      .arguments { resolver, args in try factory(resolver, args.argument(at: location)) },
      name: name, location)
  }
}
