#if canImport(Testing) && canImport(XCTest)
public import DIContainer

extension Resolver {
  /// Registers a double; an issue if it replaces nothing, with what is registered that comes close.
  ///
  /// ```swift
  /// Resolver.main.register(replacing: true) { FakeGateway() as any PaymentGateway }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type to register for.
  ///   - name: The name that distinguishes it from other registrations of the type.
  ///   - isReplacing: Whether the service has to be registered already, here or in the root.
  ///   - factory: The closure that makes the double.
  /// - Returns: The registration's options, for further calls.
  @discardableResult
  public func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, replacing isReplacing: Bool,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    if isReplacing {
      expectRegistered(
        ServiceKey(type, name: name), at: CodeLocation(fileID, filePath, line, column))
    }
    return register(
      type, name: name, fileID: fileID, filePath: filePath, line: line, column: column,
      factory: factory)
  }

  /// Registers a double in `main`; an issue if it replaces nothing.
  @discardableResult
  public static func register<Service>(
    _ type: Service.Type = Service.self, name: Name? = nil, replacing isReplacing: Bool,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, factory: @escaping () throws -> Service?
  ) -> ResolverOptions<Service> {
    main.register(
      type, name: name, replacing: isReplacing, fileID: fileID, filePath: filePath, line: line,
      column: column, factory: factory)
  }

  private func expectRegistered(_ key: ServiceKey, at location: CodeLocation) {
    let frame = ContextFrame.current
    // Listing runs start-up code.
    _ = registrations
    // What the test leaves out is replaced, too.
    let isReplaced = [core, Resolver.root.core].contains {
      Lookup.findComplete(key, in: $0, frame) != nil || $0.leftOut(key) != nil
    }
    if isReplaced { return }
    let close = NearMiss.find(for: key, container: self)
    let issue = DiagnosticIssue(
      text: TypeNames.telling(apart: [key] + close.map(\.key)) {
        Diagnosis(
          headline: "The double for `\(key)` replaces nothing: no `\(key)` is registered.",
          facts: [("registered:", "\(location)")]
            + close.map { ("close:", "`\($0.key)` is registered (\($0.location))") },
          fixes: close.map { "If you meant `\($0.key)`, register the double for that." }
            + ["\(close.isEmpty ? "Register" : "Or register") it without `replacing:`."]
        ).text
      }, severity: .error, location: location)
    ProcessHooks.current.report(issue)
  }
}
#endif
