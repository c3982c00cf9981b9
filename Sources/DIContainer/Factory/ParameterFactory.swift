/// A service that takes a parameter, declared as a property of a container.
///
/// ```swift
/// extension Container {
///   var order: ParameterFactory<Int, Order> { self { Order(id: $0) } }
/// }
///
/// let order = Container.shared.order(7)
/// ```
///
/// Several parameters form a tuple, which is passed as a whole or, if it has no labels, as separate
/// arguments. A scope keeps one instance, made with the first parameter, unless `scopeOnParameters`
/// is applied too.
public struct ParameterFactory<P, T>: FactoryModifying {
  /// The container, the property and the settings of the factory.
  public var _registration: FactoryRegistration<P, T>
  private let factory: (P) throws -> T

  /// Declares a service; an alias for `self { parameter in … }` in a container.
  ///
  /// - Parameters:
  ///   - container: The container that declares it.
  ///   - key: The identifier of the service in its container; the property's name unless given.
  ///   - factory: The closure that makes an instance, unless another one is registered.
  public init<C: ManagedContainer>(
    _ container: C, key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ factory: @escaping (P) throws -> T
  ) {
    _registration = FactoryRegistration(
      container, CodeLocation(fileID, filePath, line, column), key, function)
    self.factory = factory
  }

  /// Returns the instance for a parameter, or traps with a diagnosis when it cannot be resolved.
  ///
  /// - Parameter parameters: The parameter, or a tuple of several.
  /// - Returns: The instance.
  public func callAsFunction(
    _ parameters: P, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> T {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      return try instance(parameters, location)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance for a parameter; an alias for calling the factory.
  public func resolve(
    _ parameters: P, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> T {
    callAsFunction(parameters, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the instance for a parameter, or throws a diagnosis when there is none.
  ///
  /// - Throws: The diagnosis, with the error that the closure threw, if any.
  public func require(
    _ parameters: P, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) throws(ResolutionError) -> T {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      return try _registration.required(
        instance(parameters, location), _registration.maker(factory), location)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  private func instance(_ parameters: P, _ location: CodeLocation) throws -> T {
    // A recursion with parameters may end; one without is a cycle.
    let parameter: Any? = P.self == Void.self ? nil : .some(parameters)
    return try _registration.instance(_registration.maker(factory), location, parameter)
  }

  /// Returns the closure in the form that is registered.
  public func _form(
    of closure: @escaping (P) throws -> T
  ) -> FactoryRegistration<P, T>._Form {
    FactoryRegistration._Form(_registration.maker(closure))
  }
}

extension ParameterFactory where P: Hashable {
  /// The factory with one instance kept for each parameter:
  /// `self { Order(id: $0) }.scopeOnParameters.cached`.
  public var scopeOnParameters: Self {
    changed { $0.settings.keepBy = { AnyHashable($0 as! P) } }
  }
}

// Whether the closure may run on any thread is up to the user, as for all factories.
extension ParameterFactory: @unchecked Sendable where P: Sendable, T: Sendable {}

// MARK: - Several parameters

// Several parameters form a tuple. This function takes its elements separately:
// `shop.order(7, "Ada")`. A tuple with labels is another type, and is passed as a whole:
// `shop.order((id: 7, name: "Ada"))`.

extension ParameterFactory {
  /// Returns the instance for several parameters, or traps with a diagnosis when it cannot be
  /// resolved.
  public func callAsFunction<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
