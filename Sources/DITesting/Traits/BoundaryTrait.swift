#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

/// A trait that refuses the live services behind boundaries, or leaves out whole assemblies.
public struct BoundaryTrait: TestTrait, SuiteTrait, TestScoping {
  private let allowed: [String]?
  private let leftOut: [any Assembly.Type]

  init(allowing allowed: [String]? = nil, without leftOut: [any Assembly.Type] = []) {
    (self.allowed, self.leftOut) = (allowed, leftOut)
  }

  /// Whether the trait applies to the tests of a suite, which it always does.
  public var isRecursive: Bool { true }

  /// Runs the test case without the services.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    var policy = FramePolicy()
    policy.boundaries = allowed.map { BoundaryPolicy(allowing: $0) }
    policy.leftOut = leftOut
    let opener = ScopeOpener(policy: policy, test: test)
    StrictTrait.applyOutside(opener.frame)
    try await opener.run { try await function() }
  }
}

extension Trait where Self == BoundaryTrait {
  /// Refuses live services behind a boundary, and lets all others be live.
  ///
  /// Services say what they are behind where they are registered: `.boundary("network")`. A request
  /// that one of them would serve, or that would wrap one, is an issue with its chain, once for
  /// each service and test case. It ends like one for a service that is not registered; where it
  /// cannot throw and the test has a list of generated doubles, as of `.sociable`, it returns the
  /// service's double, unstubbed.
  public static var boundaries: Self { BoundaryTrait(allowing: []) }

  /// Refuses live services behind all boundaries but some: `.boundaries(allow: "disk")`.
  ///
  /// A trait on a test adds to what its suite allows.
  ///
  /// - Parameters:
  ///   - boundary: A boundary that the test may reach.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func boundaries(allow boundary: String, _ others: String...) -> Self {
    BoundaryTrait(allowing: [boundary] + others)
  }

  /// Leaves out all that assemblies register, so that what needs it fails and says so.
  ///
  /// Doubles stay. Checks of the wiring, such as `validate()`, do not see the services either.
  ///
  /// - Parameters:
  ///   - assembly: The type of an assembly, wherever it was applied.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func without(
    _ assembly: any Assembly.Type, _ others: any Assembly.Type...
  ) -> Self {
    BoundaryTrait(without: [assembly] + others)
  }
}
#endif
