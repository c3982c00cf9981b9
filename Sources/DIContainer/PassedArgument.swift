// DITranquillity's `arg($0)`: an argument of the request among the parameters of a factory or an
// injection. Arguments are assigned in the order of the `arg` calls of a registration, first its
// factory's, then its injections'. The number of preceding ones is known at registration.

extension Resolver {
  /// An argument of the request as one parameter; see `arg(_:)`.
  public struct PassedArgument<Value> {
    let value: Value
  }
}

extension Resolver.PassedArgument: Sendable where Value: Sendable {}

/// Returns an argument of the request, among the parameters of a `register` or `injection` closure.
///
/// ```swift
/// final class Letter {
///   let mailer: any Mailer
///   let text: String
///   init(mailer: any Mailer, text: String) { (self.mailer, self.text) = (mailer, text) }
/// }
///
/// resolver.register { Letter(mailer: $0, text: arg($1)) }
/// let letter: Letter = resolver.resolve(argument: "Hello")
/// ```
///
/// Requests pass arguments by position: `argument:`, `arguments:` or `args:`. The first `arg` of a
/// registration receives the first one, and so on, through its factory and then its injections. An
/// optional one is nil where it is missing; any other is required. See `Resolver.Args` for
/// arguments that have names.
///
/// - Parameter argument: The parameter of the closure.
/// - Returns: The argument's value.
public func arg<Value>(_ argument: Resolver.PassedArgument<Value>) -> Value { argument.value }

/// A type-erased view of `PassedArgument`.
private protocol TakesArgument {
  /// Returns a parameter that holds the next argument of a request.
  static func taking(_ arguments: inout ArgumentsInOrder) throws -> Any
}

extension Resolver.PassedArgument: TakesArgument {
  fileprivate static func taking(_ arguments: inout ArgumentsInOrder) throws -> Any {
    Self(value: try arguments.next())
  }
}

extension Resolver.PassedArgument: SelfResolving {
  static func deliver(
    _ request: Request, args: UnsafePointer<Any>?, container: Resolver,
    to out: UnsafeMutableRawPointer
  ) throws -> Bool {
    let text =
      "`arg(_:)` takes an argument among the parameters of `register` and `injection` only."
    throw ResolutionError(.other(text), at: request.location)
  }
}

/// The arguments of a request, read in order.
struct ArgumentsInOrder {
  private let args: Resolver.Args
  private var position: Int
  private let location: CodeLocation

  init(_ args: Resolver.Args, after position: Int, _ location: CodeLocation) {
    self.args = args
    self.position = position
    self.location = location
  }

  fileprivate mutating func next<Value>() throws -> Value {
    position += 1
    return try args.require(position: position, at: location)
  }
}

/// The dependencies and arguments that the parameters of a factory or an injection need.
@usableFromInline
struct Needs {
  @usableFromInline var dependencies: [Dependency] = []
  /// The number of parameters that are arguments of the request.
  @usableFromInline var arguments = 0

  @usableFromInline init() {}

  @usableFromInline
  mutating func add(_ type: Any.Type) {
    if type is any SelfResolving.Type, type is any TakesArgument.Type {
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
      var arguments = ArgumentsInOrder(args, after: 0, location)
      return try factory(
        repeat try resolver.needed((each Needed).self, &arguments, at: location))
    }
    maker.details.argumentCount = needs.arguments
    return store(maker, name: name, location, dependencies: needs.dependencies)
  }

  /// Returns the instance for a parameter, or the request's next argument if it is one.
  func needed<Needed>(
    _ type: Needed.Type, _ arguments: inout ArgumentsInOrder, at location: CodeLocation
  ) throws -> Needed {
    guard let argument = type as? any TakesArgument.Type else {
      return try needed(type, at: location)
    }
    return try argument.taking(&arguments) as! Needed
  }
}

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
    var keyed: [String: Any?] = [:]
    for (index, value) in positions.enumerated() {
      keyed.updateValue(value, forKey: "\(index + 1)")
    }
    self.init(keyed)
  }
}
