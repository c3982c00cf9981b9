#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that reports each live service that a test case resolves.
public struct StrictTrait: TestTrait, SuiteTrait, TestScoping {
  private let strictness: Strictness
  private let exceptions: [LiveException]

  init(_ strictness: Strictness, except exceptions: [LiveException]) {
    self.strictness = strictness
    self.exceptions = exceptions
  }

  /// Whether the trait applies to the tests of a suite, which it always does.
  public var isRecursive: Bool { true }

  /// Runs the test case and reports the live services that it resolves.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let opener = ScopeOpener(policy: .strict(strictness, exceptions), test: test)
    // Traits may have any order, so the open scopes of the test case get the strictness too.
    for outer in opener.frame.parent.map({ Array($0.chain) }) ?? []
    where outer.opener.isTest && outer.opener.name == opener.frame.opener.name {
      outer.withNotes { $0.findingStrictness = strictness }
    }
    try await opener.run {
      try await function()
    }
  }
}

extension Trait where Self == StrictTrait {
  /// Fails a test that resolves a live service, at the request, with its chain.
  ///
  /// A live service is one of production's registrations; those of a test, a trait or a layer are
  /// doubles. The test continues. Findings about unused doubles fail the test too. A trait on a
  /// test replaces the strictness of its suite, and adds to its exceptions.
  public static var strict: Self { StrictTrait(.fail, except: []) }

  /// Sets the treatment of live services.
  ///
  /// - Parameter strictness: The treatment of live services.
  /// - Returns: The trait.
  public static func strict(_ strictness: Strictness) -> Self {
    StrictTrait(strictness, except: [])
  }

  /// Sets the treatment of live services, with exceptions.
  ///
  /// - Parameters:
  ///   - strictness: The treatment of live services.
  ///   - exception: A service that may be live.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except exception: LiveException, _ others: LiveException...
  ) -> Self {
    StrictTrait(strictness, except: [exception] + others)
  }

  /// Sets the treatment of live services, with a list of exceptions.
  ///
  /// - Parameters:
  ///   - strictness: The treatment of live services.
  ///   - exceptions: The services that may be live.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except exceptions: [LiveException]
  ) -> Self {
    StrictTrait(strictness, except: exceptions)
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
    StrictTrait(strictness, except: ([type] + others).map { .type($0) })
  }
}

#endif
