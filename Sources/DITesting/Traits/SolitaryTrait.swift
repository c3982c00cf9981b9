#if canImport(Testing) && canImport(XCTest)
import DIContainer
public import Testing

/// A trait that replaces all services that a test case resolves by doubles, with exceptions.
public struct SolitaryTrait: TestTrait, SuiteTrait, TestScoping {
  private let doubles: [any TestDouble.Type]?
  private let real: [Any.Type]
  /// Whether it is on a suite; shared by its copies on the suite's tests.
  private let isOnSuite = Atomic()

  init(_ doubles: [any TestDouble.Type]?, real: [Any.Type]) {
    (self.doubles, self.real) = (doubles, real)
  }

  /// Whether the trait applies to the tests of a suite: always, with new doubles for each case.
  public var isRecursive: Bool { true }

  /// Records whether the trait is on a suite, whose single tests need not reach all real services.
  public func prepare(for test: Test) async throws {
    if test.isSuite { isOnSuite.set(true) }
  }

  /// Runs the test case with all services doubled.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let doubled = SolitaryDoubles(doubles, real: real)
    let opener = ScopeOpener(policy: doubled.policy(), test: test)
    doubled.attach(to: opener.frame)
    try await opener.run { try await function() }
    doubled.report(
      to: opener.frame, areAllReached: !isOnSuite.isSet && !opener.frame.isCutShort)
  }
}

extension Trait where Self == SolitaryTrait {
  /// Returns a double for every service that a test resolves without a registered double.
  ///
  /// Each is made once for the test case and found with `double(PaymentGatewayDouble.self)`. A
  /// service without a double in the list stays live; all of these are reported as one issue at the
  /// end.
  ///
  /// - Parameter doubles: The doubles, such as the list that `swift package doubles` writes.
  /// - Returns: The trait.
  public static func solitary(_ doubles: [any TestDouble.Type]) -> Self {
    SolitaryTrait(doubles, real: [])
  }

  /// Allows some services to be live in a `.solitary` test.
  ///
  /// It adds to the `.solitary` of the test or its suite, in any order. On a test, a service that
  /// is not resolved is an issue.
  ///
  /// - Parameters:
  ///   - type: The requested type of a service that may be live.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func sociable(real type: Any.Type, _ others: Any.Type...) -> Self {
    SolitaryTrait(nil, real: [type] + others)
  }

  /// Replaces all services that a test resolves by doubles, except for some that are live.
  ///
  /// - Parameters:
  ///   - doubles: The doubles, such as the list that `swift package doubles` writes.
  ///   - type: The requested type of a service that is live.
  ///   - others: More of them.
  /// - Returns: The trait.
  public static func sociable(
    _ doubles: [any TestDouble.Type], real type: Any.Type, _ others: Any.Type...
  ) -> Self {
    SolitaryTrait(doubles, real: [type] + others)
  }
}
#endif
