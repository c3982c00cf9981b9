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
/// Several parameters are a tuple, and are passed as one or one by one; with labels, as one. Scopes
/// that keep an instance keep one, made with the first parameter, unless `scopeOnParameters` is
/// named too.
public struct ParameterFactory<P, T>: FactoryModifying {
  /// The factory's container and property, and its settings.
  public var registration: FactoryRegistration<P, T>
  private let factory: Unchecked<(P) throws -> T>

  /// Declares a service; the same as `self { parameter in … }` in a container.
  ///
  /// - Parameters:
  ///   - container: The container that declares it.
  ///   - key: Identifies the service in its container; the property's name unless given.
  ///   - function: The property's name, also where a key is given.
  ///   - fileID: The property's file.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  ///   - factory: Makes an instance, unless something else is registered.
  public init<C: ManagedContainer>(
    _ container: C, key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ factory: @escaping (P) throws -> T
  ) {
    registration = FactoryRegistration(
      container,
      CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column), key, function)
    self.factory = Unchecked(factory)
  }

  /// The instance for a parameter; traps with a diagnosis when it cannot be had.
  public func callAsFunction(
    _ parameters: P, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> T {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try registration.answer(parameters, factory.value, location)
    } catch {
      trap(error)
    }
  }

  /// The instance for a parameter; the same as calling the factory.
  public func resolve(
    _ parameters: P, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> T {
    callAsFunction(parameters, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The instance for a parameter, or an error that says why there is none.
  public func require(
    _ parameters: P, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) throws(ResolutionError) -> T {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    do {
      return try registration.required(
        registration.answer(parameters, factory.value, location), location)
    } catch {
      throw ResolutionError.known(error)
    }
  }

  /// Registers a closure that makes the instances from now on, and forgets what was kept.
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping (P) throws -> T
  ) -> Self {
    registration.register(
      factory, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    var copy = self
    copy.registration.isStored = true
    return copy
  }

  /// Registers a closure: `container.order { FakeOrder(id: $0) }`.
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping (P) throws -> T
  ) {
    register(fileID: fileID, filePath: filePath, line: line, column: column, factory: factory)
  }
}

extension ParameterFactory {
  /// The closure as it is: it takes the parameter.
  public static func body(of closure: @escaping (P) throws -> T) -> (P) throws -> T { closure }
}

extension ParameterFactory where P: Hashable {
  /// The same factory, whose scope keeps one instance for each parameter.
  public var scopeOnParameters: Self {
    var copy = self
    copy.registration.keepBy = { AnyHashable($0) }
    return copy
  }
}

extension ParameterFactory: Sendable where P: Sendable, T: Sendable {}

extension ParameterFactory where P: Sendable, T: Sendable {
  /// The instance for a parameter, resolved on the main actor.
  @MainActor
  public func resolveOnMainActor(
    _ parameters: P, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> T {
    resolve(parameters, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The instance for a parameter, resolved on an actor.
  public func resolveOnGlobalActor(
    _ isolation: isolated any Actor, parameters: P, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> T {
    resolve(parameters, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
