// Arguments by position, as in Swinject. One argument equals a value passed as `args:`, unless that
// is a dictionary. Several are passed under the keys "1", "2" and so on, so that a diagnosis can
// name the wrong one.

extension Resolver {
  /// Registers a factory that takes one argument of a request, passed as `argument:`.
  ///
  /// Declare the argument's type, as in `{ (r: Resolver, id: Int) in … }`, where the compiler
  /// cannot infer it; without one, the parameter receives all arguments as `Args`. So does a
  /// parameter of type `Any`, except in files that import `DICompatibility`. The argument is not
  /// part of the key: registering the type again replaces this registration. See
  /// `register(_:name:factory:)` for details, and `Args` for arguments that have names.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, Argument>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument) throws -> Service?
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    return store(
      .arguments { resolver, args in try factory(resolver, args.argument(at: location)) },
      name: name, location)
  }

  /// Registers a factory that takes several arguments of a request, passed as `arguments:`.
  ///
  /// They are not part of the key: registering the type again replaces this registration. See
  /// `register(_:name:factory:)` for details, and `Args` for arguments that have names.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, First, Second, each Other>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory:
      @escaping (
        _ resolver: Resolver, _ first: First, _ second: Second, _ others: repeat each Other
      ) throws -> Service?
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    return store(
      .arguments { resolver, args in
        var arguments = ArgumentsInOrder(args, at: location)
        return try factory(
          resolver, arguments.next(), arguments.next(),
          repeat arguments.next((each Other).self))
      }, name: name, location)
  }
}

extension ServiceResolver {
  /// Returns the instance for a type and one argument, or traps with a diagnosis.
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns the instance for a type and several arguments, or traps with a diagnosis.
  public func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

extension OptionalServiceResolver {
  /// Returns the instance for a type and one argument, or nil, where an optional is requested.
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns the instance for a type and several arguments, or nil, where an optional is requested.
  public func resolve<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

extension Resolver.Args {
  /// Creates arguments by position, for verbs that take `args:`.
  ///
  /// `try resolver.require(Ticket.self, args: Resolver.Args("Tea", 7))` passes the arguments that
  /// `resolve(Ticket.self, arguments: "Tea", 7)` passes.
  ///
  /// - Parameters:
  ///   - first: The first argument.
  ///   - second: The second argument.
  ///   - others: The arguments that follow.
  public init<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) {
    var positions: [Any?] = [first, second]
    repeat positions.append(each others)
    self.init(positions: positions)
  }
}

// MARK: - DITranquillity's spelling of several arguments

extension ServiceResolver {
  /// Returns the instance for a type and several arguments.
  ///
  /// An alias for `resolve(_:name:arguments:)`.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args first: Any?,
    _ second: Any?, _ others: Any?..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name, args: Resolver.Args(positions: [first, second] + others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

extension OptionalServiceResolver {
  /// Returns the instance for a type and several arguments, or nil where an optional is requested.
  public func resolve<Service>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, args first: Any?,
    _ second: Any?, _ others: Any?..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name, args: Resolver.Args(positions: [first, second] + others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

extension Resolver.Args {
  /// Creates arguments by position.
  init(positions: [Any?]) {
    self.init(
      values: Dictionary(
        uniqueKeysWithValues: positions.enumerated().map { ("\($0.offset + 1)", $0.element) }))
  }

  /// Creates a single argument, which stays one even if it is a dictionary.
  init(single: Any?) { self.init(values: ["": single]) }

  /// Whether there is one argument, without a key.
  private var isSingle: Bool { values.keys.elementsEqual([""]) }

  /// Returns the only argument, for a factory's parameter.
  ///
  /// A parameter of type `Any` also accepts several arguments, or none: it then receives these
  /// arguments themselves, so that a factory can pass them on (`r.resolve(…, args: args)`).
  func argument<T>(at location: CodeLocation) throws(ResolutionError) -> T {
    if Self.isAny(T.self), !isSingle { return self as! T }
    return try value(nil, location)
  }

  /// Returns the argument at a position, counted from 1, or nil for a missing optional one.
  func require<T>(position: Int, at location: CodeLocation) throws(ResolutionError) -> T {
    try value(position == 1 && isSingle ? nil : "\(position)", location)
  }
}
