// Typed containers: services are declared as properties of a container and asked for by key path.
// A declaration is only a description, made anew at each access: a container, the property's key,
// a closure. What is registered for it, or said about it from outside, is a registration in the
// container's own registry under that key (FactoryRecord.swift), so that everything that holds for
// registrations by type (nesting, sandboxes, layers, recorders, scopes) holds for it too. Where
// nothing is registered, the declaration answers, and a registration that says so keeps what it
// makes (Factory+Resolution.swift).

/// A container that declares services as properties.
public protocol ManagedContainer: AnyObject, Sendable {
  /// What the container has in common with every container.
  var manager: ContainerManager { get }
}

/// A container with one instance that everybody shares.
///
/// ```swift
/// extension Container {
///   var payments: Factory<any Payments> { self { CardPayments() } }
/// }
///
/// let payments = Container.shared.payments()
/// ```
///
/// A container of your own is a final class with a manager, and a `shared` that you write yourself
/// or get from `DefaultSharedContainer`. A service that is declared in an extension of this
/// protocol is there in every container.
public protocol SharedContainer: ManagedContainer {
  /// The instance that is used where none is passed along.
  static var shared: Self { get }
}

/// A container that registers something on its own.
public protocol AutoRegistering {
  /// Called once per container, and again after `reset()`, before the container is used.
  ///
  /// That is before anything is registered or resolved by key path, before a request by type that
  /// nothing answers yet, with `await` or without, and before all registrations are looked
  /// through: by `resolveMany`, `registrations`, `graph`, `dryRun()` and `validate()`. What was
  /// registered by type before that stays.
  ///
  /// What it registers is base state, whichever test is the first to touch the container.
  func autoRegister()
}

extension ManagedContainer {
  /// Declares a service, in a property of the container: `self { LiveService() }`.
  ///
  /// - Parameters:
  ///   - key: What the service is known by; the property's name.
  ///   - function: The property's name, whatever the key is.
  ///   - fileID: The property's file.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  ///   - factory: Makes an instance, unless something else is registered.
  /// - Returns: The factory, to say more about it, and to be the property's value.
  @inlinable @inline(__always)
  public func callAsFunction<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping () throws -> T
  ) -> Factory<T> {
    Factory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service that takes a parameter; several are passed as a tuple.
  @_disfavoredOverload
  public func callAsFunction<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping (P) throws -> T
  ) -> ParameterFactory<P, T> {
    ParameterFactory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service; the same as `self { … }`.
  @inlinable @inline(__always)
  public func makes<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping () throws -> T
  ) -> Factory<T> {
    Factory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service that takes a parameter; the same as `self { … in … }`.
  @_disfavoredOverload
  public func makes<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column,
    _ factory: @escaping (P) throws -> T
  ) -> ParameterFactory<P, T> {
    ParameterFactory(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column, factory)
  }

  /// Declares a service that another module is going to register.
  ///
  /// Until then the factory answers nil where an optional is asked for. `require()`, and a request
  /// for what the optional wraps, report that nothing was registered; so does every request of a
  /// container whose `manager.promiseTriggersError` is set.
  public func promised<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> Factory<T?> {
    var factory = Factory<T?>(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { nil }
    factory.registration.isPromise = true
    return factory
  }

  /// Declares a service with a parameter that another module is going to register.
  public func promised<P, T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> ParameterFactory<P, T?> {
    var factory = ParameterFactory<P, T?>(
      self, key: key, function: function, fileID: fileID, filePath: filePath, line: line,
      column: column
    ) { _ in nil }
    factory.registration.isPromise = true
    return factory
  }

  /// Calls a closure with every instance that the container hands out by key path.
  ///
  /// It runs beside a factory's own decorator. Inside a sandbox it is set for that sandbox.
  public func decorator(_ decorator: ((Any) -> Void)?) {
    manager.prepare(self)
    manager.core.factories.setDecorator(decorator, manager.core)
  }

  /// Takes back what was registered or kept; see `ContainerManager.reset(options:)`.
  public func reset(options: FactoryResetOptions = .all) {
    manager.reset(options: options)
  }
}

extension SharedContainer {
  /// Hands the container to a closure: `Container.shared { $0.payments.register { Fake() } }`.
  @_disfavoredOverload
  public func callAsFunction(_ transform: (Self) -> Void) {
    transform(self)
  }

  /// Hands the container to an async closure, on whatever actor the closure is isolated to.
  ///
  /// It has a name because a call without one, in an async function, makes the compiler (6.3.1)
  /// crash on `Resolver { r in … }`.
  @discardableResult
  public func with(_ transform: @Sendable @isolated(any) (Self) async -> Void) async -> Self {
    await transform(self)
    return self
  }

  /// Hands the container to a closure, and returns the container.
  @discardableResult
  public func with(_ transform: (Self) -> Void) -> Self {
    transform(self)
    return self
  }
}
