#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

extension Trait where Self == FixtureTrait {
  /// Builds a fixture once for a suite or the run, when a test first asks for the property.
  ///
  /// ```swift
  /// extension Container {
  ///   fileprivate var catalog: Factory<any Catalog> { self { StubCatalog() } }
  /// }
  ///
  /// @Suite(.sandbox, .keep(\.catalog, for: .suite) { StubCatalog() })
  /// struct CatalogTests {}
  /// ```
  ///
  /// All tests of the suite get the same instance, however many ask at once. If the builder throws,
  /// each of them gets the error, and it is not tried again. The builder runs outside the tests'
  /// sandboxes, inside the fixtures that stand before it: what it resolves must not be doubled by a
  /// single test.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - lifetime: How long the fixture is kept. A suite's is torn down after the last test of the
  ///     suite, the run's after the last test with such a trait, the latest built first.
  ///   - build: Builds the fixture.
  ///   - tearDown: Tears it down, if it was built.
  /// - Returns: The trait.
  public static func keep<Value>(
    _ keyPath: any KeyPath<Container, Factory<Value>> & Sendable, for lifetime: FixtureLifetime,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ build: @escaping @Sendable () throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    return FixtureTrait(Value.self, lifetime, location, build, tearDown) { container, value in
      container.double(keyPath, { _ in try value() }, at: location)
    }
  }

  /// Builds a fixture once for a suite or the run, for a property of another container type.
  public static func keep<C: SharedContainer, Value>(
    _ keyPath: any KeyPath<C, Factory<Value>> & Sendable, for lifetime: FixtureLifetime,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ build: @escaping @Sendable () throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    return FixtureTrait(Value.self, lifetime, location, build, tearDown) { container, value in
      container.double(keyPath, { _ in try value() }, at: location)
    }
  }

  /// Builds a fixture once for a suite or the run, with an async builder, for an async property.
  ///
  /// The build runs in a task of its own, so a test that is cancelled does not end it for others.
  public static func keep<Value: Sendable>(
    _ keyPath: any KeyPath<Container, AsyncFactory<Value>> & Sendable,
    for lifetime: FixtureLifetime,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ build: @escaping @Sendable () async throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    return FixtureTrait(Value.self, lifetime, location, async: build, tearDown) {
      container, value in
      container.double(
        keyPath, fileID: fileID, filePath: filePath, line: line, column: column, factory: value)
    }
  }

  /// Builds a fixture once for a suite or the run, with an async builder, for an async property of
  /// another container type.
  public static func keep<C: SharedContainer, Value: Sendable>(
    _ keyPath: any KeyPath<C, AsyncFactory<Value>> & Sendable, for lifetime: FixtureLifetime,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ build: @escaping @Sendable () async throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    return FixtureTrait(Value.self, lifetime, location, async: build, tearDown) {
      container, value in
      container.double(
        keyPath, fileID: fileID, filePath: filePath, line: line, column: column, factory: value)
    }
  }

  /// Builds a fixture once for a suite or the run, for requests by type.
  public static func keep<Value>(
    _ type: Value.Type, for lifetime: FixtureLifetime, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ build: @escaping @Sendable () throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    return FixtureTrait(type, lifetime, location, build, tearDown) { container, value in
      container.register(
        type, fileID: fileID, filePath: filePath, line: line, column: column,
        factory: { try value() })
    }
  }

  /// Builds a fixture once for a suite or the run, with an async builder, for requests by type with
  /// `await`.
  public static func keep<Value: Sendable>(
    _ type: Value.Type, for lifetime: FixtureLifetime, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ build: @escaping @Sendable () async throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    return FixtureTrait(type, lifetime, location, async: build, tearDown) { container, value in
      container.registerAsync(
        type, fileID: fileID, filePath: filePath, line: line, column: column,
        factory: { try await value() })
    }
  }
}
#endif
