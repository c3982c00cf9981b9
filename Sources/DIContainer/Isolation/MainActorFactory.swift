/// A service of the main actor that a container declares as a property.
///
/// ```swift
/// extension Container {
///   var window: MainActorFactory<ShopWindow> { self { ShopWindow() }.cached }
/// }
///
/// @MainActor func open() -> ShopWindow {
///   Container.shared.window()
/// }
/// func openFromElsewhere() async -> ShopWindow {
///   await Container.shared.window()
/// }
/// ```
///
/// The declared type of the property selects it. A request elsewhere without `await` does not
/// compile. Closures registered for it run on the main actor too; a closure that is not isolated
/// can be used as well.
@frozen
public struct MainActorFactory<T>: FactoryModifying, Sendable {
  /// The container, the property and the settings of the factory.
  public var _registration: FactoryRegistration<Void, T>
  @usableFromInline let factory: @MainActor () throws -> T

  @usableFromInline
  init(_ registration: FactoryRegistration<Void, T>, _ factory: @escaping @MainActor () throws -> T)
  {
    _registration = registration
    self.factory = factory
  }

  /// Returns the instance, or traps with a diagnosis when it cannot be resolved.
  @MainActor
  @inlinable
  public func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    // A copy of the code in `Factory`: a function for both would cost each of them 8 ns.
    let location = CodeLocation(fileID, filePath, line, column)
    let make = factory
    let instance = _registration.declaration.instanceByShortPath(at: location) {
      Instance(try make())
    }
    return (instance ?? unisolated.slowly(location)).value(as: T.self)
  }

  /// Returns the instance; an alias for calling the factory.
  @MainActor
  @inlinable
  public func resolve(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    callAsFunction(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the instance, or throws a diagnosis when there is none.
  @MainActor
  public func require(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> T {
    try unisolated.require(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the closure in a form that throws unless it is called on the main actor.
  public func _form(
    of closure: @escaping @MainActor () throws -> T
  ) -> FactoryRegistration<Void, T>._Form {
    let maker = _registration.maker { _ in try Self.onMain(closure) }
    return FactoryRegistration._Form(maker.onMain)
  }

  /// A factory for the same service that can be called anywhere, and checks the actor at each call.
  ///
  /// The compiler ensures that factories are called on the main actor, but a check of all of a
  /// container's registrations may call them elsewhere.
  @usableFromInline
  var unisolated: Factory<T> {
    let factory = factory
    return Factory(registration: _registration) { try Self.onMain(factory) }
  }

  /// Returns the transformation in a form that throws unless it is called on the main actor.
  public static func _plain(
    _ transform: @escaping @MainActor (T) throws -> T
  ) -> (T) throws -> T {
    { live in
      let live = Unchecked(live)
      return try onMain { try transform(live.value) }
    }
  }

  private static func onMain(_ body: @MainActor () throws -> T) throws -> T {
    if !MainActor.isCurrent { throw ResolutionError.needsMain }
    return try MainActor.assumingIsolated(body)
  }
}

extension ManagedContainer {
  /// Declares a service of the main actor, in a property of type `MainActorFactory`.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func callAsFunction<T>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ factory: @escaping @MainActor () throws -> T
  ) -> MainActorFactory<T> {
    MainActorFactory(
      FactoryRegistration(self, CodeLocation(fileID, filePath, line, column), key, function),
      factory)
  }
}

// MARK: - Injection

// Property wrappers for services of the main actor: `@LazyInjected(\.window)`. Such a wrapper is
// created and used on the main actor, so in a type that is isolated to it. If it is used elsewhere
// all the same, the request fails with a diagnosis, as it does for a service by type.

extension Resolver.InjectionWrapper {
  /// Resolves a main-actor property of the shared container: `@Injected(\.window)`.
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Declared>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      _from: { Container.shared[keyPath: keyPath].unisolated },
      at: CodeLocation(fileID, filePath, line, column))
  }

  /// Resolves a main-actor property of a shared container: `@Injected(\Front.window)`.
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Declared>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      _from: { C.shared[keyPath: keyPath].unisolated },
      at: CodeLocation(fileID, filePath, line, column))
  }
}

extension OptionalInjected {
  /// Resolves a main-actor property of the shared container.
  @_disfavoredOverload
  @MainActor
  public init(
    _ keyPath: KeyPath<Container, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = Container.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Resolves a main-actor property of a shared container.
  @_disfavoredOverload
  @MainActor
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, MainActorFactory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    service = C.shared[keyPath: keyPath].resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
