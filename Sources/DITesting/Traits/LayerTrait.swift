#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

/// Runs each test case with a layer of doubles on top of the root; see `withLayer`.
public struct LayerTrait: TestTrait, SuiteTrait, TestScoping {
  private let configure: SandboxTrait.Configuration
  private let level = TraitLevel()
  /// Whether it runs a suite or a test, rather than one of its cases.
  private var isAroundCases = false

  init(_ configure: @escaping SandboxTrait.Configuration) {
    self.configure = configure
  }

  /// Every test case of a suite gets its own.
  public var isRecursive: Bool { true }

  /// Notes whether the trait stands on a suite: its doubles may go unused in single tests.
  public func prepare(for test: Test) async throws {
    level.note(test)
  }

  /// Runs each test case below a layer, and reports unused doubles when the suite is over.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    var provider = self
    provider.isAroundCases = testCase == nil
    return provider
  }

  /// Makes the layer and runs the test case below it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if isAroundCases { return try await SuiteFindings.collect { try await function() } }
    let layer = Resolver.layer(at: CodeLocation(test.sourceLocation))
    try await ScopeOpener(.layer, installed: layer, test: test).runCase {
      try await registeringDoubles(isPreset: level.isSuite) { try await configure(layer) }
      try await function()
    }
  }
}

extension Trait where Self == LayerTrait {
  /// Runs each test case with a layer of doubles on top of the root.
  ///
  /// - Parameter configure: Gets the layer, for every test case anew.
  /// - Returns: The trait.
  public static func layer(_ configure: @escaping SandboxTrait.Configuration) -> Self {
    LayerTrait(configure)
  }

  /// Applies assemblies of doubles on top of the root for each test case.
  ///
  /// What they register wins over what production's assemblies registered in the root and below.
  /// All `assemble`, then all are `loaded`, as with an `Assembler`.
  ///
  /// - Parameter assemblies: The assemblies, made for every test case anew.
  /// - Returns: The trait.
  public static func assemblies(
    _ assemblies: @autoclosure @escaping @Sendable () -> [any Assembly]
  ) -> Self {
    LayerTrait { layer in
      _ = Assembler(assemblies(), container: layer)
    }
  }
}
#endif
