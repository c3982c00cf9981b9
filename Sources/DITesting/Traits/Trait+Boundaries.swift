#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

// Traits that refuse the live services behind boundaries, or leave out whole assemblies.

extension Trait where Self == CaseTrait {
  /// Refuses live services behind a boundary, and lets all others be live.
  ///
  /// Services say what they are behind where they are registered: `.boundary("network")`. A request
  /// that one of them would serve, or that would wrap one, is an issue with its chain, once for
  /// each service and test case. It ends like one for a service that is not registered; where it
  /// cannot throw and the test has a list of generated doubles, as of `.sociable`, it returns the
  /// service's double, unstubbed.
  public static var boundaries: Self { refusing(allowing: []) }

  /// Refuses live services behind all boundaries but some: `.boundaries(allow: "disk")`.
  ///
  /// A trait on a test adds to what its suite allows.
  ///
  /// - Parameters:
  ///   - boundary: A boundary that the test may reach.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func boundaries(allow boundary: String, _ others: String...) -> Self {
    refusing(allowing: [boundary] + others)
  }

  private static func refusing(allowing allowed: [String]) -> Self {
    .setting(inOuterScopes: true) { $0.boundaries = BoundaryPolicy(allowing: allowed) }
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
    .setting(inOuterScopes: true) { $0.leftOut = [assembly] + others }
  }
}
#endif
