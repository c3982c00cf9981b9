/// An async service that a container declares as a property.
///
/// ```swift
/// extension Container {
///   var catalog: AsyncFactory<any Catalog> { self { try await RemoteCatalog.load() }.singleton }
/// }
///
/// let catalog = try await Container.shared.catalog()
/// Container.shared.catalog.register { LocalCatalog() }
/// ```
///
/// The declared type of the property selects it. The closure may throw, and may be isolated to an
/// actor. A kept instance is built once for all concurrent requests, as with `registerAsync`. A
/// double may be made by a sync closure.
@frozen
public struct AsyncFactory<T: Sendable>: FactoryModifying, Sendable {
  /// The container, the property and the settings of the factory.
  public var _registration: FactoryRegistration<Void, T>
  @usableFromInline let factory: (@Sendable () async throws -> T)?

  @usableFromInline
  init(_ registration: FactoryRegistration<Void, T>, _ factory: (@Sendable () async throws -> T)?) {
    _registration = registration
    self.factory = factory
  }

  /// Returns the instance, or throws a diagnosis when there is none.
  @inlinable
  public nonisolated(nonsending) func callAsFunction(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) -> T {
    let location = CodeLocation(fileID, filePath, line, column)
    if let kept = _registration.kept() { return kept }
    return try await request(location).require()
  }

  /// Returns the instance, or throws a diagnosis when there is none; an alias for calling the
  /// factory.
  @inlinable
  public nonisolated(nonsending) func require(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) -> T {
    try await callAsFunction(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Returns the instance, or traps with a diagnosis when it cannot be resolved.
  ///
  /// It ignores that its task is cancelled, and waits for the build to end.
  @inlinable
  public nonisolated(nonsending) func resolve(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async -> T {
    let location = CodeLocation(fileID, filePath, line, column)
    if let kept = _registration.kept() { return kept }
    return await request(location).resolve()
  }

  /// Returns the closure in the form that is registered.
  public func _form(
    of closure: @escaping @Sendable () async throws -> T
  ) -> FactoryRegistration<Void, T>._Form {
    FactoryRegistration._Form(Self.maker(of: closure))
  }

  private static func maker(of factory: @escaping @Sendable () async throws -> T) -> Maker {
    .async { _, _ in
      let service = try await factory()
      return Unchecked(isNil(service) ? nil : service)
    }
  }

  /// Returns the request for the property, on the general path.
  @usableFromInline
  func request(_ location: CodeLocation) -> AsyncRequest {
    let property = DeclaredProperty(_registration.declaration, factory.map(Self.maker))
    return AsyncRequest(
      request: property.request(location), args: nil, container: property.declaration.container)
  }
}

extension ManagedContainer {
  /// Declares an async service, in a property of type `AsyncFactory`.
  ///
  /// The closure is optional only because the compiler (6.3.1) would otherwise crash on
  /// `Resolver { r in … }` in an async function. Nil declares a service that another module is to
  /// register.
  @_disfavoredOverload
  @inlinable @inline(__always)
  public func callAsFunction<T: Sendable>(
    key: StaticString = #function, function: StaticString = #function,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ factory: (@Sendable () async throws -> T)?
  ) -> AsyncFactory<T> {
    AsyncFactory(
      FactoryRegistration(self, CodeLocation(fileID, filePath, line, column), key, function),
      factory)
  }
}

// MARK: - Sync doubles

// A sync closure may capture values that are not Sendable, as a double often does.

extension AsyncFactory {
  /// Registers a sync closure that makes all later instances, and releases the kept ones.
  @discardableResult
  public func register(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> T
  ) -> Self {
    registered(
      _registration.maker { _ in try factory() }, at: CodeLocation(fileID, filePath, line, column))
  }
}
