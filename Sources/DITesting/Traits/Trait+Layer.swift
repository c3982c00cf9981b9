#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

extension Trait where Self == CaseTrait {
  /// Runs each test case with a layer of doubles on top of the root; see `withLayer`.
  ///
  /// - Parameter configure: Receives the layer, anew for every test case.
  /// - Returns: The trait.
  public static func layer(_ configure: @escaping CaseTrait.Configuration) -> Self {
    CaseTrait(holdingDoubles: true) { test, testCase in
      let layer = Resolver.layer(at: CodeLocation(test.sourceLocation))
      try await ScopeOpener(.layer, installed: layer, test: test).runCase {
        try await registeringDoubles { try await configure(layer) }
        try await testCase()
      }
    }
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
    layer { _ = Assembler(assemblies(), container: $0) }
  }

  /// Runs each test case with another container as the root; see `withRoot`.
  ///
  /// - Parameter root: The container, evaluated anew for every test case.
  /// - Returns: The trait.
  public static func root(_ root: @autoclosure @escaping @Sendable () -> Resolver) -> Self {
    CaseTrait { test, testCase in
      try await ScopeOpener(.root, installed: root(), test: test).run { try await testCase() }
    }
  }

  /// Gives each test case empty caches of all scopes.
  ///
  /// Nothing global is reset: instances that are kept outside are used again afterwards.
  public static var resetCaches: Self { resetCaches() }

  /// Gives each test case empty caches of some scopes.
  ///
  /// - Parameter scopes: The scopes; none for all.
  /// - Returns: The trait.
  public static func resetCaches(_ scopes: Scope...) -> Self {
    CaseTrait { test, testCase in
      let caches: ContextFrame.Caches =
        scopes.isEmpty ? .all : .only(scopes.map { ObjectIdentifier($0.keeping) })
      try await ScopeOpener(.plain, caches: caches, test: test).run { try await testCase() }
    }
  }
}
#endif
