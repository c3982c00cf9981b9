#if canImport(Testing) && canImport(XCTest)
import DIContainer
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
    return policy
  }
}
#endif
