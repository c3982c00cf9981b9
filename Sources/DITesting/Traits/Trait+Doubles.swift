#if canImport(Testing) && canImport(XCTest)
public import DIContainer
public import Testing

// Traits that make doubles for services without a registered one, new ones for each test case.

extension Trait where Self == CaseTrait {
  /// Makes doubles with a closure for services without a registered one.
  ///
  /// The closure runs before a live service is returned, and its double is kept for the test case,
  /// one for each service. If it returns nil, or a double of another type than the requested one,
  /// the enclosing fallback is used, then the registered service. It does not run for the service
  /// that a double wraps (`decorate`): that is the live one. A double of the main actor is returned
  /// as a ``MainActorDouble``, whose type has to be the requested one.
  ///
  /// - Parameter make: Receives the requested service, and returns a double or nil.
  /// - Returns: The trait.
  public static func fallback(_ make: @escaping @Sendable (ServiceKey) -> Any?) -> Self {
    .setting { $0.fallbacks = [Fallback(called: "The fallback", make)] }
  }

  /// Returns a double from every request for a type without a registered one, under any name.
  ///
  /// This includes requests for properties that are declared as optionals of the type.
  ///
  /// - Parameters:
  ///   - type: The requested type.
  ///   - make: Makes the double.
  /// - Returns: The trait.
  public static func fallback<Service>(
    _ type: Service.Type, _ make: @escaping @Sendable () -> Service
  ) -> Self {
    fallback(ServiceKey(type)) { make() }
  }

  /// Returns a double that is made on the main actor from every request for a type.
  ///
  /// Requests on the main actor, and those with `await` from elsewhere, return it. Other requests
  /// fail with an error that explains it, and never return the live service.
  ///
  /// - Parameters:
  ///   - type: The requested type.
  ///   - make: Makes the double, on the main actor.
  /// - Returns: The trait.
  public static func fallbackMain<Service>(
    _ type: Service.Type, _ make: @escaping @MainActor @Sendable () -> Service
  ) -> Self {
    fallback(ServiceKey(type)) { MainActorDouble(make) }
  }

  private static func fallback(
    _ service: ServiceKey, _ make: @escaping @Sendable () -> Any
  ) -> Self {
    .setting {
      $0.fallbacks = [
        Fallback(called: "The fallback for `\(service)`") { key in
          key.isRequest(for: service.type) ? make() : nil
        }
      ]
    }
  }

  /// Makes doubles with a closure for all services that one container itself registers.
  ///
  /// - Parameters:
  ///   - container: The container.
  ///   - make: Receives the requested service, and returns a double or nil.
  /// - Returns: The trait.
  public static func fallback(
    in container: @autoclosure @escaping @Sendable () -> Resolver,
    _ make: @escaping @Sendable (ServiceKey) -> Any?
  ) -> Self {
    .setting { $0.fallbacks = [Fallback(called: "The fallback", in: container, make)] }
  }
}

extension Trait where Self == CaseTrait {
  /// Returns a double for every service that a test resolves without a registered double.
  ///
  /// Each is made once for the test case and found with `double(PaymentGatewayDouble.self)`. A
  /// service without a double in the list stays live; all of these are reported as one issue at the
  /// end.
  ///
  /// - Parameter doubles: The doubles, such as the list that `swift package doubles` writes.
  /// - Returns: The trait.
  public static func solitary(_ doubles: [any TestDouble.Type]) -> Self {
    doubling(doubles, real: [])
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
    doubling(nil, real: [type] + others)
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
    doubling(doubles, real: [type] + others)
  }

  private static func doubling(_ doubles: [any TestDouble.Type]?, real: [Any.Type]) -> Self {
    // Single tests of a suite need not reach all real services.
    let isOnSuite = Atomic()
    return CaseTrait(
      holdingDoubles: true, preparing: { if $0.isSuite { isOnSuite.set(true) } }
    ) { test, testCase in
      let doubled = SolitaryDoubles(doubles, real: real)
      let opener = ScopeOpener(policy: doubled.policy(), test: test)
      doubled.attach(to: opener.frame)
      defer {
        doubled.report(
          to: opener.frame, areAllReached: !isOnSuite.isSet && !opener.frame.isCutShort)
      }
      try await opener.runCase { try await testCase() }
    }
  }
}

extension Trait where Self == CaseTrait {
  /// Allows calls without a stubbed result, and stubbed results without a call.
  ///
  /// A call without a stubbed result is no issue then: it returns nil or an empty value, or else
  /// throws, or else traps.
  public static var lenient: Self { .setting { $0.hasLenientDoubles = true } }
}

/// Runs an operation with lenient doubles; see the `.lenient` trait.
///
/// - Parameter operation: The operation to run; doubles that it makes or calls are lenient.
/// - Returns: The operation's result.
@discardableResult
public func withLenientDoubles<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, operation: () throws -> Result
) rethrows -> Result {
  try opener(CodeLocation(fileID, filePath, line, column)).run(operation)
}

/// Runs an async operation with lenient doubles.
///
/// An operation that is written in an actor's code runs on that actor.
@discardableResult
public nonisolated(nonsending) func withLenientDoubles<Result>(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, operation: () async throws -> Result
) async rethrows -> Result {
  try await opener(CodeLocation(fileID, filePath, line, column)).run(operation)
}

private func opener(_ location: CodeLocation) -> ScopeOpener {
  var policy = FramePolicy()
  policy.hasLenientDoubles = true
  return ScopeOpener(
    .plain, caches: .none, policy: policy, name: "withLenientDoubles", location: location)
}
#endif
