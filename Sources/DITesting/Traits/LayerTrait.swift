#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

/// A trait that runs each test case with a layer of doubles on top of the root; see `withLayer`.
public struct LayerTrait: TestTrait, SuiteTrait, TestScoping {
  private let configure: SandboxTrait.Configuration
  /// Whether it runs a suite or a test, rather than one of its cases.
  private var isAroundCases = false

  init(_ configure: @escaping SandboxTrait.Configuration) {
    self.configure = configure
  }

  /// Whether the trait applies to the tests of a suite: always, with a layer for each case.
  public var isRecursive: Bool { true }

  /// Runs each test case below a layer, and reports unused doubles when the suite is over.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    var provider = self
    provider.isAroundCases = testCase == nil
    return provider
  }

  /// Creates the layer and runs the test case below it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if isAroundCases { return try await SharedSetUp.collect { try await function() } }
    let layer = Resolver.layer(at: CodeLocation(test.sourceLocation))
    try await ScopeOpener(.layer, installed: layer, test: test).runCase {
      try await registeringDoubles { try await configure(layer) }
      try await function()
    }
  }
}

extension Trait where Self == LayerTrait {
  /// Runs each test case with a layer of doubles on top of the root.
  ///
  /// - Parameter configure: Receives the layer, anew for every test case.
  /// - Returns: The trait.
  public static func layer(_ configure: @escaping SandboxTrait.Configuration) -> Self {
    LayerTrait(configure)
  }

  /// Applies assemblies of doubles on top of the root for each test case.
  ///
  /// Their registrations take precedence over those of production's assemblies in the root and its
  /// nested containers. All `assemble`, then all are `loaded`, as with an `Assembler`.
  ///
  /// - Parameter assemblies: The assemblies, created anew for every test case.
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
