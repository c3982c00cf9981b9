#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// The stubs of static requirements: a type has one for each sandbox, or else for each test.
final class SharedStubs: Sendable {
  private struct Key: Hashable {
    let requirement: String
    let double: ObjectIdentifier
    /// The test, where there is no sandbox.
    let test: String?
  }

  private static let outsideSandboxes = SharedStubs()
  private let stubs = Lock<[Key: any Sendable]>([:])

  /// Returns the stub of a requirement here, and makes it when it is first asked for.
  static func stub<S: Sendable>(_ requirement: String, of double: Any.Type, make: () -> S) -> S {
    let sandbox = ContextFrame.current?.sandbox
    let key = Key(
      requirement: requirement, double: ObjectIdentifier(double),
      test: sandbox == nil ? IssueReporter.currentTest : nil)
    let stubs = sandbox?.extra(SharedStubs.self) { SharedStubs() } ?? outsideSandboxes
    if let stub = stubs.stubs.withLock({ $0[key] }) as? S { return stub }
    // Made outside the lock, since a stub finds its sandbox; the first one to arrive stays.
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
  /// A static property would be shared by tests that run in parallel: each sandbox has a stub of
  /// its own, and where there is none, each test.
  ///
  /// ```swift
  /// final class CounterDouble {
  ///   static var makeStub: Stub<Void, Int, Never> { .shared("Counter.make()", of: Self.self) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - requirement: The requirement as reports name it: `Counter.make()`.
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
  ///   - requirement: The requirement as reports name it: `Counter.load()`.
  ///   - double: The type of the double.
  /// - Returns: The stub.
  public static func shared(_ requirement: String, of double: Any.Type) -> AsyncStub {
    SharedStubs.stub(requirement, of: double) { AsyncStub(requirement) }
  }
}
#endif
