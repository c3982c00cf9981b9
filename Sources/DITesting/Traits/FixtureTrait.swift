#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that provides tests with a fixture: something expensive, built once and shared, or what
/// each test makes from it.
public struct FixtureTrait: TestTrait, SuiteTrait, TestScoping {
  let plan: FixturePlan

  /// Whether the trait applies to the tests of a suite, which it always does.
  public var isRecursive: Bool { true }

  /// Counts the tests that have a fixture of the run, the last of which tears it down.
  public func prepare(for test: Test) async throws {
    if plan.lifetime == .run, !test.isSuite { FixtureScope.willRun() }
  }

  /// Opens the fixture around the suite, and in each test case registers a double that returns it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if testCase != nil { return try await runCase(of: test, function) }
    switch plan.lifetime {
    case nil:
      try await function()
    case .suite?:
      if FixtureScope.fixture(of: plan.id) != nil { return try await function() }
      let fixture = plan.make(FixtureScope.frame(for: .suite))
      try await Self.ending({ try await fixture.end() }) {
        try await run(in: fixture, .suite, function)
      }
    case .run?:
      try await Self.ending({ if !test.isSuite { try await FixtureScope.didRun() } }) {
        try await run(in: FixtureScope.ofRun(plan), .run, function)
      }
    }
  }

  /// Runs the trait around suites and tests as well as around cases.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { self }

  private func run(
    in fixture: any Fixture, _ lifetime: FixtureLifetime, _ function: () async throws -> Void
  ) async throws {
    let scope = FixtureScope(fixture, lifetime, outer: FixtureScope.current)
    try await FixtureScope.$current.withValue(scope) { try await function() }
  }

  private func runCase(of test: Test, _ function: () async throws -> Void) async throws {
    let ofTest = plan.lifetime == nil ? plan.make(nil) : nil
    guard let fixture = ofTest ?? FixtureScope.fixture(of: plan.id) else {
      return try await function()
    }
    // The test's sandbox, in which what the test registers comes first; or else a layer.
    if ContextFrame.current?.sandbox != nil {
      return try await run(fixture, in: Resolver.root, function)
    }
    let layer = Resolver.layer(at: plan.id.location)
    try await ScopeOpener(.layer, installed: layer, test: test).runCase {
      try await run(fixture, in: layer, function)
    }
  }

  /// Runs a test case with doubles that return the fixture, and tears one of the test's own down.
  private func run(
    _ fixture: any Fixture, in container: Resolver, _ function: () async throws -> Void
  ) async throws {
    registeringDoubles { fixture.register(in: container) }
    let ofTest = plan.lifetime == nil ? fixture : nil
    try await Self.ending({ try await ofTest?.end() }, function)
  }

  /// Runs a body and then an end, whatever the body throws; throws the first error.
  private static func ending(
    _ end: () async throws -> Void, _ body: () async throws -> Void
  ) async throws {
    do {
      try await body()
    } catch {
      try? await end()
      throw error
    }
    try await end()
  }
}

extension FixtureTrait {
  /// Creates the trait of a property's fixture.
  init<C: SharedContainer, Value>(
    _ keyPath: any KeyPath<C, Factory<Value>> & Sendable, _ lifetime: FixtureLifetime?,
    _ location: CodeLocation, _ build: @escaping @Sendable () throws -> Value,
    _ tearDown: (@Sendable (Value) async throws -> Void)?
  ) {
    self.init(Value.self, lifetime, location, build, tearDown) { container, value in
      container.double(keyPath, { _ in try value() }, at: location)
    }
  }

  /// Creates the trait of an async property's fixture.
  init<C: SharedContainer, Value: Sendable>(
    _ keyPath: any KeyPath<C, AsyncFactory<Value>> & Sendable, _ lifetime: FixtureLifetime?,
    _ location: CodeLocation, async build: @escaping @Sendable () async throws -> Value,
    _ tearDown: (@Sendable (Value) async throws -> Void)?
  ) {
    self.init(Value.self, lifetime, location, async: build, tearDown) { container, value in
      container.double(keyPath, { $0._form(of: value).maker }, at: location)
    }
  }

  /// Creates the trait of the fixture of a service by type.
  init<Value>(
    _ type: Value.Type, _ lifetime: FixtureLifetime?, _ location: CodeLocation,
    _ build: @escaping @Sendable () throws -> Value,
    _ tearDown: (@Sendable (Value) async throws -> Void)?
  ) {
    self.init(type, lifetime, location, build, tearDown) { container, value in
      let _: ResolverOptions<Value> = container.store(
        .plain { try value() }, name: nil, location)
    }
  }

  /// Creates the trait of a fixture with a sync builder, whose error is kept, too: it is not tried
  /// again.
  init<Value>(
    _ type: Value.Type, _ lifetime: FixtureLifetime?, _ location: CodeLocation,
    _ build: @escaping @Sendable () throws -> Value,
    _ tearDown: (@Sendable (Value) async throws -> Void)?,
    register: @escaping @Sendable (Resolver, @escaping @Sendable () throws -> Value) -> Void
  ) {
    let id = FixturePlan.ID(location: location, service: ServiceKey(type))
    plan = FixturePlan(id: id, lifetime: lifetime) { parent in
      FixtureOf<BuiltFixture<Value, Result<Value, any Error>>>(
        id, in: lifetime == nil ? nil : .some(parent),
        build: { fixture in
          let built = Result { try FixtureScope.$builder.withValue(fixture) { try build() } }
          return BuiltFixture(built: fixture.checked(built))
        },
        forward: { container, kept in register(container) { try kept().built.get() } },
        tearDown: { kept in
          if case .success(let value) = kept.built { try await tearDown?(value) }
        })
    }
  }

  /// Creates the trait of a fixture with an async builder, which runs in a task of its own: a test
  /// that is cancelled does not end the build of the others' fixture.
  init<Value: Sendable>(
    _ type: Value.Type, _ lifetime: FixtureLifetime?, _ location: CodeLocation,
    async build: @escaping @Sendable () async throws -> Value,
    _ tearDown: (@Sendable (Value) async throws -> Void)?,
    register: @escaping @Sendable (Resolver, @escaping @Sendable () async throws -> Value) -> Void
  ) {
    let id = FixturePlan.ID(location: location, service: ServiceKey(type))
    plan = FixturePlan(id: id, lifetime: lifetime) { parent in
      FixtureOf<BuiltFixture<Value, Task<Value, any Error>>>(
        id, in: lifetime == nil ? nil : .some(parent),
        build: { fixture in
          let (frame, asker) = (fixture.frame ?? ContextFrame.bound, FixtureScope.asker)
          // Detached, since a child of the asking test's task would be in that test's sandbox.
          let task = Task.detached {
            try await ContextFrame.$bound.withValue(frame) {
              try await FixtureScope.$asker.withValue(asker) {
                let built: Result<Value, any Error>
                do {
                  built = .success(
                    try await FixtureScope.$builder.withValue(fixture) { try await build() })
                } catch {
                  built = .failure(error)
                }
                return try fixture.checked(built).get()
              }
            }
          }
          return BuiltFixture(built: task)
        },
        forward: { container, kept in register(container) { try await kept().built.value } },
        tearDown: { kept in
          guard case .success(let value) = await kept.built.result else { return }
          try await tearDown?(value)
        })
    }
  }
}
#endif
