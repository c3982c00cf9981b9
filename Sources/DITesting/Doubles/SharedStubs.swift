#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The stubs of static requirements, one for each type and sandbox or, outside sandboxes, test.
final class SharedStubs: Sendable {
  private struct Key: Hashable {
    let requirement: String
    let double: ObjectIdentifier
    /// The test, if there is no sandbox.
    let test: String?
  }

  private static let outsideSandboxes = SharedStubs()
  private let stubs = Lock<[Key: any Sendable]>([:])

  /// Returns the stub of a requirement in the current context, and makes it at the first request.
  static func stub<S: Sendable>(_ requirement: String, of double: Any.Type, make: () -> S) -> S {
    let sandbox = ContextFrame.current?.sandbox
    let key = Key(
      requirement: requirement, double: ObjectIdentifier(double),
      test: sandbox == nil ? IssueReporter.currentTest : nil)
    let stubs = sandbox?.extra(SharedStubs.self) { SharedStubs() } ?? outsideSandboxes
    if let stub = stubs.stubs.withLock({ $0[key] }) as? S { return stub }
    // Made outside the lock, since a stub looks up its sandbox; the first one to arrive remains.
    let made = make()
    return stubs.stubs.withLock { stubs in
      if let stub = stubs[key] as? S { return stub }
      stubs[key] = made
      return made
    }
  }
}

extension Stub where Arguments: Sendable, Result: Sendable {
  /// Returns the stub of a static requirement.
  ///
  /// Tests that run in parallel would share a static property. Each sandbox has a stub of its own,
  /// and outside sandboxes, each test.
  ///
  /// ```swift
  /// final class CounterDouble {
  ///   static var makeStub: Stub<Void, Int, Never> { .shared("Counter.make()", of: Self.self) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - requirement: The name of the requirement in reports: `Counter.make()`.
  ///   - double: The type of the double.
  /// - Returns: The stub.
  public static func shared(_ requirement: String, of double: Any.Type) -> Stub {
    SharedStubs.stub(requirement, of: double) { Stub(requirement) }
  }
}

extension AsyncStub where Arguments: Sendable, Result: Sendable {
  /// Returns the stub of a static requirement; see ``Stub/shared(_:of:)``.
  ///
  /// - Parameters:
  ///   - requirement: The name of the requirement in reports: `Counter.load()`.
  ///   - double: The type of the double.
  /// - Returns: The stub.
  public static func shared(_ requirement: String, of double: Any.Type) -> AsyncStub {
    SharedStubs.stub(requirement, of: double) { AsyncStub(requirement) }
  }
}
#endif
