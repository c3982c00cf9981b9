// Parameters of factories and injections that are arguments of the request, as DITranquillity's
// `arg($0)` in DICompatibility. Arguments are assigned in order, first to the factory's parameters,
// then to its injections'. The number of preceding ones is known at registration.

/// A type of parameters that are arguments of the request.
package protocol ArgumentParameter: SelfResolving {
  /// Returns a parameter that holds the next argument of a request.
  static func taking(_ arguments: inout ArgumentsInOrder) throws -> Self
}

/// The arguments of a request, read in order.
package struct ArgumentsInOrder {
  fileprivate let args: Resolver.Args
  /// The number of those read so far, or to be left to others.
  fileprivate var position: Int
  fileprivate let location: CodeLocation

  package mutating func next<Value>() throws -> Value {
    position += 1
    return try args.require(position: position, at: location)
  }
}

/// The dependencies and arguments that the parameters of a factory or an injection need.
@usableFromInline
package struct Needs {
  @usableFromInline package var dependencies: [Dependency] = []
  /// The number of parameters that are arguments of the request.
  @usableFromInline package var arguments = 0

  @usableFromInline package init() {}

  @usableFromInline
  package mutating func add(_ type: Any.Type) {
    if type is any ArgumentParameter.Type {
      arguments += 1
    } else {
      dependencies.append(Resolver.dependency(type))
    }
  }
}

extension Resolver {
  /// Registers a function with parameters that are arguments of the request.
  @usableFromInline
  func storeTakingArguments<each Needed, Service>(
    _ factory: @escaping (repeat each Needed) throws -> Service?, _ needs: Needs, name: Name?,
    _ location: CodeLocation
  ) -> ResolverOptions<Service> {
    var maker = Maker.arguments { resolver, args in
      var arguments = ArgumentsInOrder(args: args, position: 0, location: location)
      return try factory(
        repeat try resolver.needed((each Needed).self, &arguments, at: location))
    }
    maker.details.argumentCount = needs.arguments
    return store(maker, name: name, location, dependencies: needs.dependencies)
  }

  /// Returns the instance for a parameter, or the request's next argument if it is one.
  package func needed<Needed>(
    _ type: Needed.Type, _ arguments: inout ArgumentsInOrder, at location: CodeLocation
  ) throws -> Needed {
    guard let argument = type as? any ArgumentParameter.Type else {
      return try needed(type, at: location)
    }
    return try argument.taking(&arguments) as! Needed
  }
}

extension ResolverOptions {
  /// Sets properties from services and from the request's arguments that follow those taken before.
  package func settingProperties(
    ofCycle isOfCycle: Bool, taking needs: Needs, at location: CodeLocation,
    _ block: @escaping (Resolver, Service, inout ArgumentsInOrder) throws -> Void
  ) -> ResolverOptions<Service> {
    changed { details in
      details.takesArguments = true
      let before = details.argumentCount
      details.argumentCount += needs.arguments
      details.setters.append(
        .init(isOfCycle: isOfCycle, needs: needs.dependencies) { resolver, memory, args in
          let service = memory.load(as: Service.self)
          var arguments = ArgumentsInOrder(
            args: Resolver.Args(args?.value), position: before, location: location)
          try block(resolver, service, &arguments)
        })
    }
  }
}
