// Parameters of factories and injections that are arguments of the request: `arg($0)`. Arguments
// are assigned in order, first to the factory's parameters, then to its injections'. The number of
// preceding ones is known at registration.

/// A type of parameters that are arguments of the request.
protocol ArgumentParameter: SelfResolving {
  /// Returns a parameter that holds the next argument of a request.
  static func taking(_ arguments: inout ArgumentsInOrder) throws -> Self
}

/// The arguments of a request, read in order.
struct ArgumentsInOrder {
  private let args: Resolver.Args
  private let location: CodeLocation
  /// The number of those read so far, or left to others.
  private var position: Int

  init(_ args: Resolver.Args, from position: Int = 0, at location: CodeLocation) {
    (self.args, self.position, self.location) = (args, position, location)
  }

  mutating func next<Value>(_ type: Value.Type = Value.self) throws -> Value {
    position += 1
    return try args.require(position: position, at: location)
  }

  /// Returns the next argument if the type is that of one, or else the container's instance.
  mutating func next<Needed>(_ type: Needed.Type, orFrom resolver: Resolver) throws -> Needed {
    guard let argument = type as? any ArgumentParameter.Type else {
      return try resolver.needed(type, at: location)
    }
    return try argument.taking(&self) as! Needed
  }
}

/// The dependencies and arguments that the parameters of a factory or an injection need.
struct Needs {
  private(set) var dependencies: [Dependency] = []
  /// The number of parameters that are arguments of the request.
  private(set) var arguments = 0

  mutating func add(_ type: Any.Type) {
    if type is any ArgumentParameter.Type {
      arguments += 1
    } else {
      dependencies.append(Resolver.dependency(type))
    }
  }
}

extension Resolver {
  /// Registers an initialiser, or any function, whose parameters may be arguments of the request.
  ///
  /// The compiler prefers it to the form of `DIContainer`, whose parameters are all resolved.
  @_disfavoredOverload
  @discardableResult
  public func register<each Needed, Service>(
    _ factory: @escaping (repeat each Needed) throws -> Service?, name: Name? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ResolverOptions<Service> {
    let location = CodeLocation(fileID, filePath, line, column)
    var needs = Needs()
    repeat needs.add((each Needed).self)
    let maker =
      needs.arguments == 0
      ? Maker.resolver { resolver in
        try factory(repeat resolver.needed((each Needed).self, at: location))
      }
      : Maker.arguments { resolver, args in
        var arguments = ArgumentsInOrder(args, at: location)
        return try factory(repeat arguments.next((each Needed).self, orFrom: resolver))
      }.taking(needs.arguments)
    return store(maker, name: name, location, dependencies: needs.dependencies)
  }
}
