#if canImport(Testing) && canImport(XCTest)
import DIContainer
import Testing

/// The stubs of static requirements, one for each sandbox.
///
/// Without a sandbox, a stub lives as long as the test's outermost scope. Outside all scopes there
/// is one for each test: XCTest's observer ends it; in Swift Testing it is an issue of the test.
/// Work that belongs to no test has another, which is reported.
final class SharedStubs: Sendable {
  private struct Key: Hashable {
    let requirement: String
    let double: ObjectIdentifier
    /// The type of the stub, which overloads with the same name may differ in.
    let stub: ObjectIdentifier
    /// The test of Swift Testing that has it outside all scopes.
    var test: CodeLocation?
  }

  private static let outsideScopes: SharedStubs = {
    let stubs = SharedStubs()
    RunningXCTest.betweenTests {
      // The calls of stubs hold objects.
      releaseUnlocked(stubs.stubs.withLock { exchange(&$0, with: [:]) })
    }
    return stubs
  }()
  private static let reported = ReportedOnce<Key>()
  private let stubs = Lock<[Key: any Sendable]>([:])

  /// Returns the stub of a requirement in the current context, and makes it at the first request.
  ///
  /// `make` takes the stub that applies around the sandbox, if there is one.
  static func stub<S: Sendable>(
    _ requirement: String, of double: Any.Type, at location: CodeLocation, make: (S?) -> S
  ) -> S {
    var key = Key(
      requirement: requirement, double: ObjectIdentifier(double), stub: ObjectIdentifier(S.self))
    if let scope {
      return scope.extra(SharedStubs.self) { SharedStubs() }.stub(key) {
        make(enclosing(key, around: scope))
      }
    }
    if let test = IssueReporter.test {
      let place = CodeLocation(test.sourceLocation)
      key.test = place
      if reported.isFirst(key) { report(requirement, test, place) }
    } else if RunningXCTest.name == nil {
      noteUnscoped(requirement, double, location)
    }
    return outsideScopes.stub(key) { make(nil) }
  }

  /// Returns the stub of a scope around the given one, or else that of the test outside all scopes.
  private static func enclosing<S>(_ key: Key, around scope: ContextFrame) -> S? {
    let around = scope.chain.dropFirst().compactMap { $0.extra(SharedStubs.self) }
    return (around + (IssueReporter.isOnlyXCTest ? [outsideScopes] : [])).lazy
      .compactMap { $0.stubs.withLock { $0[key] } as? S }.first
  }

  /// The scope that holds the stubs: the sandbox, or else the outermost scope of the test.
  private static var scope: ContextFrame? {
    ContextFrame.current.flatMap { $0.sandbox ?? $0.outermostOfTest }
  }

  private func stub<S: Sendable>(_ key: Key, make: () -> S) -> S {
    if let stub = stubs.withLock({ $0[key] }) as? S { return stub }
    // Made outside the lock, since a stub looks up its sandbox; the first one to arrive remains.
    let made = make()
    return stubs.withLock { stubs in
      if let stub = stubs[key] as? S { return stub }
      stubs[key] = made
      return made
    }
  }

  private static func report(_ requirement: String, _ test: Test, _ location: CodeLocation) {
    IssueReporter.fail(
      Diagnosis(
        headline: "The stub of `\(requirement)` would be shared: a static requirement needs a "
          + "scope in which its stub lives.",
        facts: [("test:", "\(test.displayName ?? test.name), at \(location)")],
        fixes: ["Add the `.sandbox` trait to the test or its suite, or use `withSandbox`."]
      ).text, at: location)
  }

  private static func noteUnscoped(
    _ requirement: String, _ double: Any.Type, _ location: CodeLocation
  ) {
    let request = Request(double, name: Resolver.Name(requirement), location: location)
    ContextFrame.note(
      UnscopedAction(
        place: UnscopedAction.Place(link: request.chainLink, done: "used"),
        subject: "The stub of `\(requirement)`", outcome: "it was that of the process",
        service: nil, chain: [("made:", "\(location)")]))
  }
}

extension Stub where Arguments: Sendable, Result: Sendable {
  /// Returns the stub of a static requirement.
  ///
  /// A static property would be shared by tests that run in parallel, so each sandbox has a stub of
  /// its own. In a nested sandbox, what is stubbed there applies first, then what the enclosing one
  /// had stubbed. Without a sandbox, the stub lives as long as the test's outermost scope, such as
  /// a trait's. Without any scope it is an issue, except in XCTest, where each test has its own
  /// stub, whose statements its sandboxes inherit. Work that left its test uses a stub of the
  /// process, and is reported as ``Sandbox/unscopedPolicy`` says: take the test's
  /// `ResolutionContext` along.
  ///
  /// ```swift
  /// final class CounterDouble {
  ///   static var makeStub: Stub<Void, Int, Never> { .shared("Counter.make()", of: Self.self) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - requirement: The name of the requirement in reports: `Counter.make()`. Two stubs of the
  ///     same type need different names.
  ///   - double: The type of the double.
  /// - Returns: The stub.
  @_disfavoredOverload
  public static func shared(
    _ requirement: String, of double: Any.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Stub {
    let location = CodeLocation(fileID, filePath, line, column)
    return SharedStubs.stub(requirement, of: double, at: location) { enclosing in
      Stub(log: StubLog(requirement, at: location, isStatic: true, enclosing: enclosing?.log))
    }
  }

  /// Returns the stub of a static requirement whose optional the stub makes at each call.
  @_documentation(visibility: internal)
  public static func shared<Value>(
    _ requirement: String, of double: Any.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Stub where Result == @Sendable () -> Value? {
    let location = CodeLocation(fileID, filePath, line, column)
    return SharedStubs.stub(requirement, of: double, at: location) { enclosing in
      Stub(
        log: StubLog(
          requirement, at: location, isStatic: true, enclosing: enclosing?.log, empty: { nil }))
    }
  }
}

extension AsyncStub where Arguments: Sendable, Result: Sendable {
  /// Returns the stub of a static requirement; see
  /// ``Stub/shared(_:of:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - requirement: The name of the requirement in reports: `Counter.load()`.
  ///   - double: The type of the double.
  /// - Returns: The stub.
  @_disfavoredOverload
  public static func shared(
    _ requirement: String, of double: Any.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> AsyncStub {
    let location = CodeLocation(fileID, filePath, line, column)
    return SharedStubs.stub(requirement, of: double, at: location) { enclosing in
      AsyncStub(log: StubLog(requirement, at: location, isStatic: true, enclosing: enclosing?.log))
    }
  }

  /// Returns the stub of a static requirement whose optional the stub makes at each call.
  @_documentation(visibility: internal)
  public static func shared<Value>(
    _ requirement: String, of double: Any.Type, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> AsyncStub where Result == @Sendable () -> Value? {
    let location = CodeLocation(fileID, filePath, line, column)
    return SharedStubs.stub(requirement, of: double, at: location) { enclosing in
      AsyncStub(
        log: StubLog(
          requirement, at: location, isStatic: true, enclosing: enclosing?.log, empty: { nil }))
    }
  }
}
#endif
