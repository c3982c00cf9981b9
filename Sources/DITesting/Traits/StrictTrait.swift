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
    Self.applyOutside(opener.frame)
    try await opener.run {
      try await function()
    }
  }
}

extension StrictTrait {
  /// Applies the strictness of a frame to the scopes of the test case that are open around it, too:
  /// traits may have any order.
  static func applyOutside(_ frame: ContextFrame) {
    for outer in frame.chain.dropFirst()
    where outer.opener.isTest && outer.opener.name == frame.opener.name {
      outer.withNotes { $0.strictPolicies = frame.testPolicies }
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

  /// Sets the treatment of live services, with exceptions: `.strict(except: .name("card"))`.
  ///
  /// - Parameters:
  ///   - strictness: The treatment of live services.
  ///   - exceptions: The services that may be live.
  /// - Returns: The trait.
  public static func strict(
    _ strictness: Strictness = .fail, except exceptions: LiveException...
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
