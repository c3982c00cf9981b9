#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

extension Trait where Self == FixtureTrait {
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
    let location = CodeLocation(fileID, filePath, line, column)
    let build: @Sendable () throws -> Value = {
      try make(
        Container.shared[keyPath: template].require(
          fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return FixtureTrait(Value.self, nil, location, build, tearDown) { container, value in
      container.double(keyPath, { _ in try value() }, at: location)
    }
  }

  /// Makes a service anew for each test case, for properties of another container type.
  public static func each<C: SharedContainer, Value, Template>(
    _ keyPath: any KeyPath<C, Factory<Value>> & Sendable,
    from template: any KeyPath<C, Factory<Template>> & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ make: @escaping @Sendable (Template) throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    let build: @Sendable () throws -> Value = {
      try make(
        C.shared[keyPath: template].require(
          fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return FixtureTrait(Value.self, nil, location, build, tearDown) { container, value in
      container.double(keyPath, { _ in try value() }, at: location)
    }
  }

  /// Makes an async service anew for each test case, from an async property.
  public static func each<Value: Sendable, Template>(
    _ keyPath: any KeyPath<Container, AsyncFactory<Value>> & Sendable,
    from template: any KeyPath<Container, AsyncFactory<Template>> & Sendable,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ make: @escaping @Sendable (Template) async throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    let build: @Sendable () async throws -> Value = {
      try await make(
        Container.shared[keyPath: template].require(
          fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return FixtureTrait(Value.self, nil, location, async: build, tearDown) { container, value in
      container.double(
        keyPath, fileID: fileID, filePath: filePath, line: line, column: column, factory: value)
    }
  }

  /// Makes a service by type anew for each test case, from another one by type.
  public static func each<Value, Template>(
    _ type: Value.Type, from template: Template.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ make: @escaping @Sendable (Template) throws -> Value,
    tearDown: (@Sendable (Value) async throws -> Void)? = nil
  ) -> Self {
    let location = CodeLocation(fileID, filePath, line, column)
    let build: @Sendable () throws -> Value = {
      try make(
        Resolver.require(
          template, fileID: fileID, filePath: filePath, line: line, column: column))
    }
    return FixtureTrait(type, nil, location, build, tearDown) { container, value in
      container.register(
        type, fileID: fileID, filePath: filePath, line: line, column: column,
        factory: { try value() })
    }
  }
}
#endif
