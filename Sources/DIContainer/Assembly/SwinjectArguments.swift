// Arguments by position, as in Swinject. One argument is what `args:` passes too, unless that is a
// dictionary; several are passed under the keys "1", "2" and so on, so that a diagnosis can say
// which one is wrong.

extension Resolver {
  /// Registers a factory that takes one argument, which a request passes as `argument:`.
  ///
  /// Name the argument's type, as in `{ (r: Resolver, id: Int) in … }`, where nothing else tells
  /// it: an argument that may be of any type gets all there are, as `Args`. The argument is no part
  /// of the key: registering the type again replaces this. See
  /// `register(_:name:factory:)` for the rest, and `Args` for arguments that have names.
  @_disfavoredOverload
  @discardableResult
  public func register<Service, Argument>(
    _ type: Service.Type, name: Name? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    factory: @escaping (_ resolver: Resolver, _ argument: Argument) throws -> Service?
  ) -> ResolverOptions<Service> {
    register(type, name: name, fileID: fileID, filePath: filePath, line: line, column: column) {
      (resolver: Resolver, args: Args) in
      try factory(
        resolver,
        args.require(fileID: fileID, filePath: filePath, line: line, column: column))
    }
  }

  /// Registers a factory that takes several arguments, which a request passes as `arguments:`.
  ///
  /// They are no part of the key: registering the type again replaces this. See
  /// `register(_:name:factory:)` for the rest, and `Args` for arguments that have names.
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
    register(type, name: name, fileID: fileID, filePath: filePath, line: line, column: column) {
      (resolver: Resolver, args: Args) in
      var position = 0
      func next<Argument>(_ type: Argument.Type) throws -> Argument {
        position += 1
        return try args.require(
          "\(position)", type, fileID: fileID, filePath: filePath, line: line, column: column)
      }
      return try factory(
        resolver, next(First.self), next(Second.self), repeat next((each Other).self))
    }
  }
}

extension ServiceResolver {
  /// The instance for a type and one argument; traps with a diagnosis when there is none.
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service {
    resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The instance for a type and several arguments; traps with a diagnosis when there is none.
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
  /// The instance for a type and one argument where an optional is asked for; nil if there is none.
  public func resolve<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    resolve(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The instance for a type and several arguments where an optional is asked for; else nil.
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

extension ServiceResolver {
  /// The instance for a type and one argument, or nil when nothing is registered.
  public func optional<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    optional(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The instance for a type and one argument; throws when there is none.
  public func require<Service, Argument>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, argument: Argument,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name, args: Resolver.Args(single: argument), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The instance for a type and several arguments, or nil when nothing is registered.
  public func optional<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Service? {
    optional(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// The instance for a type and several arguments; throws when there is none.
  public func require<Service, First, Second, each Other>(
    _ type: Service.Type = Service.self, name: Resolver.Name? = nil, arguments first: First,
    _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> Service {
    try require(
      type, name: name, args: Resolver.Args(first, second, repeat each others), fileID: fileID,
      filePath: filePath, line: line, column: column)
  }
}

extension Resolver.Args {
  /// Several arguments, by position.
  init<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other
  ) {
    var keyed: [String: Any?] = ["1": first, "2": second]
    repeat _ = keyed.updateValue(each others, forKey: "\(keyed.count + 1)")
    self.init(keyed)
  }
}
