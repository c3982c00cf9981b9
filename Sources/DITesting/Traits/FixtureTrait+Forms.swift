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
    FixtureTrait(
      keyPath, lifetime, CodeLocation(fileID, filePath, line, column), build, tearDown)
  }

  /// Builds a fixture once for a suite or the run, for a property of another container type.
  public static func keep<C: SharedContainer, Value>(
    _ keyPath: any KeyPath<C, Factory<Value>> & Sendable, for lifetime: FixtureLifetime,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ build: @escaping @Sendable () throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      keyPath, lifetime, CodeLocation(fileID, filePath, line, column), build, tearDown)
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
    FixtureTrait(
      keyPath, lifetime, CodeLocation(fileID, filePath, line, column), async: build, tearDown)
  }

  /// Builds a fixture once for a suite or the run, with an async builder, for an async property of
  /// another container type.
  public static func keep<C: SharedContainer, Value: Sendable>(
    _ keyPath: any KeyPath<C, AsyncFactory<Value>> & Sendable, for lifetime: FixtureLifetime,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ build: @escaping @Sendable () async throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      keyPath, lifetime, CodeLocation(fileID, filePath, line, column), async: build, tearDown)
  }

  /// Builds a fixture once for a suite or the run, for requests by type.
  public static func keep<Value>(
    _ type: Value.Type, for lifetime: FixtureLifetime, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ build: @escaping @Sendable () throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      type, lifetime, CodeLocation(fileID, filePath, line, column), build, tearDown)
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

  // MARK: Of each test case

  /// Makes a service anew for each test case from another one, when the test first asks.
  ///
  /// `.each(\.database, from: \.template) { try $0.copy() }` beside a `.keep` of the template.
  ///
  /// - Parameters:
  ///   - keyPath: The property that each test gets an instance of its own from.
  ///   - template: The property whose instance it is made from.
  ///   - make: Makes the instance from the template.
  ///   - tearDown: Tears it down at the end of the test, if it was made.
  /// - Returns: The trait.
  public static func each<Value, Template>(
    _ keyPath: any KeyPath<Container, Factory<Value>> & Sendable,
    from template: any KeyPath<Container, Factory<Template>> & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ make: @escaping @Sendable (Template) throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      keyPath, nil, CodeLocation(fileID, filePath, line, column),
      {
        try make(
          Container.shared[keyPath: template].require(
            fileID: fileID, filePath: filePath, line: line, column: column))
      }, tearDown)
  }

  /// Makes a service anew for each test case, for properties of another container type.
  public static func each<C: SharedContainer, Value, Template>(
    _ keyPath: any KeyPath<C, Factory<Value>> & Sendable,
    from template: any KeyPath<C, Factory<Template>> & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ make: @escaping @Sendable (Template) throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      keyPath, nil, CodeLocation(fileID, filePath, line, column),
      {
        try make(
          C.shared[keyPath: template].require(
            fileID: fileID, filePath: filePath, line: line, column: column))
      }, tearDown)
  }

  /// Makes an async service anew for each test case, from an async property.
  public static func each<Value: Sendable, Template>(
    _ keyPath: any KeyPath<Container, AsyncFactory<Value>> & Sendable,
    from template: any KeyPath<Container, AsyncFactory<Template>> & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ make: @escaping @Sendable (Template) async throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      keyPath, nil, CodeLocation(fileID, filePath, line, column),
      async: {
        try await make(
          Container.shared[keyPath: template].require(
            fileID: fileID, filePath: filePath, line: line, column: column))
      }, tearDown)
  }

  /// Makes a service by type anew for each test case, from another one by type.
  public static func each<Value, Template>(
    _ type: Value.Type, from template: Template.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @Sendable (Template) throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    FixtureTrait(
      type, nil, CodeLocation(fileID, filePath, line, column),
      {
        try make(
          Resolver.require(
            template, fileID: fileID, filePath: filePath, line: line, column: column))
      }, tearDown)
  }
}
#endif
