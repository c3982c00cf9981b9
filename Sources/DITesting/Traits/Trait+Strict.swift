#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

extension Trait where Self == CaseTrait {
  /// Fails a test that resolves a live service, at the request, with its chain.
  ///
  /// A live service is one of production's registrations; those of a test, a trait or a layer are
  /// doubles. The test continues. Findings about unused doubles fail the test too. A trait on a
  /// test replaces the strictness of its suite, and adds to its exceptions.
  public static var strict: Self { strict(.fail) }

  /// Sets the treatment of live services, with exceptions: `.strict(except: .name("card"))`.
  ///
  /// - Parameters:
  ///   - strictness: The treatment of live services.
  ///   - exceptions: The services that may be live.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except exceptions: LiveException...
  ) -> Self {
    .setting(inOuterScopes: true) { $0 = .strict(strictness, exceptions) }
  }

  /// Sets the treatment of live services, except for some types.
  ///
  /// - Parameters:
  ///   - strictness: The treatment of live services.
  ///   - type: The requested type of a service that may be live.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except type: Any.Type, _ others: Any.Type...
  ) -> Self {
    .setting(inOuterScopes: true) {
      $0 = .strict(strictness, ([type] + others).map { .type($0) })
    }
  }
}

/// Runs an operation and reports the live services that it resolves; see the `.strict` trait.
///
/// - Parameters:
///   - strictness: The treatment of live services.
///   - exceptions: The services that may be live.
///   - operation: The operation to run.
/// - Returns: What the operation returns.
@discardableResult
public func withStrictness<Result>(
  _ strictness: Strictness, except exceptions: [LiveException] = [], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () throws -> Result
) rethrows -> Result {
  try opener(strictness, exceptions, CodeLocation(fileID, filePath, line, column)).run(operation)
}

/// Runs an async operation and reports the live services that it resolves.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withStrictness<Result>(
  _ strictness: Strictness, except exceptions: [LiveException] = [], fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(strictness, exceptions, CodeLocation(fileID, filePath, line, column))
    .run(operation)
}

private func opener(
  _ strictness: Strictness, _ exceptions: [LiveException], _ location: CodeLocation
) -> ScopeOpener {
  ScopeOpener(
    .plain, caches: .none, policy: .strict(strictness, exceptions, by: .function),
    name: "withStrictness", location: location)
}

extension FramePolicy {
  static func strict(
    _ strictness: Strictness, _ exceptions: [LiveException], by strictBy: StrictBy = .trait
  ) -> FramePolicy {
    var policy = FramePolicy()
    policy.strictBy = strictBy
    policy.strictness = strictness
    policy.mayBeLive = exceptions.map(\.covers)
    if strictness != .off { policy.exceptions = exceptions }
    return policy
  }
}

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
