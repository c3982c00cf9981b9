/// A service that a container declares as a property.
///
/// ```swift
/// extension Container {
///   var payments: Factory<any Payments> { self { CardPayments() }.cached }
/// }
///
/// let payments = Container.shared.payments()
/// Container.shared.payments.register { FakePayments() }
/// ```
///
/// A factory is a description of the service that is made anew at each access of the property. It
/// can resolve the service, and register other closures for it. A property is identified by its
/// container's class, its file and name, and the service's type, so properties with equal names are
/// never confused.
@frozen
public struct Factory<T>: FactoryModifying {
  /// The container, the property and the settings of the factory.
  public var _registration: FactoryRegistration<Void, T>
  @usableFromInline let factory: () throws -> T

  /// Declares a service; an alias for `self { … }` in a container.
  ///
  /// - Parameters:
  ///   - container: The container that declares it.
  ///   - key: The identifier of the service in its container; the property's name unless given.
  ///   - factory: The closure that makes an instance, unless another one is registered.
  @inlinable @inline(__always)
  public init<C: ManagedContainer>(
    _ container: C, key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ factory: @escaping () throws -> T
  ) {
    _registration = FactoryRegistration(
      container, CodeLocation(fileID, filePath, line, column), key, function)
    self.factory = factory
  }

  @inlinable @inline(__always)
  init(registration: FactoryRegistration<Void, T>, factory: @escaping () throws -> T) {
    self._registration = registration
    self.factory = factory
  }

  /// Returns the instance, or traps with a diagnosis when it cannot be resolved.
  @inlinable
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    instance(at: CodeLocation(fileID, filePath, line, column)).value(as: T.self)
  }

  @inlinable @inline(__always)
  package func instance(at location: CodeLocation) -> Instance {
    let make = factory
    return _registration.declaration.instanceByShortPath(at: location) { Instance(try make()) }
      ?? slowly(location)
  }

  @inlinable @inline(never)
  func slowly(_ location: CodeLocation) -> Instance {
    DeclaredProperty(_registration.declaration, maker).instanceOrTrap(location)
  }

  /// The declared factory in the form of registered ones.
  @inlinable
  var maker: Maker {
    Maker.property(factory, isOptional: _registration.declaration.isOptional)
  }

  /// Returns the wrapped instance of an optional service, or traps with a diagnosis when there is
  /// none.
  @_disfavoredOverload
  public func callAsFunction<Wrapped>(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Wrapped where T == Wrapped? {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      if let service = try _registration.instance(maker, location) { return service }
      throw _registration.failure(maker, location)
    } catch {
      trap(error)
    }
  }

  /// Returns the instance, or traps with a diagnosis; an alias for calling the factory.
  @inlinable
  public func resolve(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    callAsFunction(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the instance, or throws a diagnosis when there is none.
  ///
  /// A dependency that the closure resolves without `try … require()` traps when it cannot be
  /// resolved. If the service is an optional, nil is a result, but an error if it was `promised`.
  ///
  /// - Returns: The instance.
  /// - Throws: The diagnosis, with the error that the closure threw, if any.
  public func require(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> T {
    let location = CodeLocation(fileID, filePath, line, column)
    do {
      return try _registration.required(_registration.instance(maker, location), maker, location)
    } catch {
      throw ResolutionError.known(error)
    }
  }
}

extension Factory {
  /// Returns the closure in the form that is registered.
  @inlinable
  public func _form(
    of closure: @escaping () throws -> T
  ) -> FactoryRegistration<Void, T>._Form {
    FactoryRegistration._Form(
      Maker.property(closure, isOptional: _registration.declaration.isOptional))
  }
}

// These equal the scopes of all factories (FactoryModifying.swift), but compose the result from its
// parts: copying the whole factory, at each access of a kept service, costs some 10 ns.
extension Factory {
  /// One instance, until the scope or the container is reset.
  @inlinable
  public var cached: Self { with(.cached) }
  /// One instance per object graph; values are shared too.
  @inlinable
  public var graph: Self { with(.graph) }
  /// One instance for as long as it is referenced elsewhere; class instances only.
  @inlinable
  public var shared: Self { with(.shared) }
  /// One instance per container type and property, until `Scope.singleton.reset()`.
  @inlinable
  public var singleton: Self { with(.singleton) }

  @inlinable @inline(__always)
  func with(_ scope: DeclaredScope) -> Self {
    Factory(
      registration: FactoryRegistration(_registration.declaration.scoped(scope)), factory: factory)
  }
}

// Whether the closure may run on any thread is up to the user, as for all factories.
extension Factory: @unchecked Sendable where T: Sendable {}
