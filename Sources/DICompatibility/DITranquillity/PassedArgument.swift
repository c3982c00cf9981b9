extension Resolver {
  /// An argument of the request as one parameter; see `arg(_:)`.
  public struct PassedArgument<Value> {
    fileprivate let value: Value
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

extension Resolver.PassedArgument: ArgumentParameter {
  static func taking(_ arguments: inout ArgumentsInOrder) throws -> Self {
    Self(value: try arguments.next())
  }

  package static func resolve(
    _ request: Request, args: Any?, container: Resolver
  ) throws -> Self? {
    let text =
      "`arg(_:)` takes an argument among the parameters of `register` and `injection` only."
    throw ResolutionError(.other(text), at: request.location)
  }
}
