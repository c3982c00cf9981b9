#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// Reports each live service that a test case resolves.
public struct StrictTrait: TestTrait, SuiteTrait, TestScoping {
  private let strictness: Strictness
  private let exceptions: [LiveException]

  init(_ strictness: Strictness, except exceptions: [LiveException]) {
    self.strictness = strictness
    self.exceptions = exceptions
  }

  /// It holds for every test case of a suite.
  public var isRecursive: Bool { true }

  /// Runs the test case so that live services are reported.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let opener = ScopeOpener(policy: .strict(strictness, exceptions), test: test)
    // Traits stand in any order: scopes of the test case that are open already hear of it, too.
    for outer in opener.frame.parent.map({ Array($0.chain) }) ?? []
    where outer.owner.isTest && outer.owner.name == opener.frame.owner.name {
      outer.findingStrictness = strictness.treatment
    }
    try await opener.run {
      try await function()
    }
  }
}

extension Trait where Self == StrictTrait {
  /// Fails a test that resolves a live service, at the request, with its chain.
  ///
  /// Live is what production set up; what a test, a trait or a layer registered is a double. The
  /// test goes on. Findings about unused doubles fail the test too. A trait on a test replaces the
  /// strictness of its suite, and adds to its exceptions.
  public static var strict: Self { StrictTrait(.fail, except: []) }

  /// Treats live services as it says.
  public static func strict(_ strictness: Strictness) -> Self {
    StrictTrait(strictness, except: [])
  }

  /// Treats live services as it says, but for exceptions.
  ///
  /// - Parameters:
  ///   - strictness: What happens when a live service is resolved.
  ///   - exception: A service that may be live.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except exception: LiveException, _ others: LiveException...
  ) -> Self {
    StrictTrait(strictness, except: [exception] + others)
  }

  /// Treats live services as it says, but for a list of exceptions.
  ///
  /// - Parameters:
  ///   - strictness: What happens when a live service is resolved.
  ///   - exceptions: Services that may be live.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except exceptions: [LiveException]
  ) -> Self {
    StrictTrait(strictness, except: exceptions)
  }

  /// Treats live services as it says, but for some types.
  ///
  /// - Parameters:
  ///   - strictness: What happens when a live service is resolved.
  ///   - type: A service that may be live, by the type that it is asked for.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except type: Any.Type, _ others: Any.Type...
  ) -> Self {
    StrictTrait(strictness, except: ([type] + others).map { .type($0) })
  }
}

#endif
