#if canImport(Testing) && canImport(XCTest)
public import DIContainer

/// Registers a double in the current sandbox for the service that it replaces, and returns it.
///
/// An example is `let gateway = double(GatewayDouble())`. From then on, the issues of the double
/// are those of the sandbox.
///
/// - Parameters:
///   - double: The double.
///   - name: The name to register it under.
/// - Returns: The double.
@discardableResult
public func double<Double: TestDouble>(
  _ double: Double, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  function: StaticString = #function
) -> Double {
  DoubleStubs.register(
    double, as: Double.Doubled.self, name: name,
    at: CodeLocation(fileID, filePath, line, column), in: function)
  return double
}

/// Registers a double, or any value, for a property of `Container`, and returns it.
///
/// Examples are `double(GatewayDouble(), for: \.payments)` and `double(TestClock(), for: \.clock)`.
/// The property may be of any kind: plain, optional, async, of the main actor, or with a parameter,
/// for every value of which the same double is returned. A value of another type than the
/// property's is an issue, and not registered.
@discardableResult
public func double<Value, Declared: FactoryModifying>(
  _ double: Value, for keyPath: KeyPath<Container, Declared>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) -> Value {
  DoubleStubs.register(
    double, for: keyPath, at: CodeLocation(fileID, filePath, line, column), in: function)
  return double
}

/// Registers a double, or any value, for a property of a container type, and returns it.
///
/// An example is `double(StockDouble(), for: \Warehouse.stock)`.
@discardableResult
public func double<C: SharedContainer, Value, Declared: FactoryModifying>(
  _ double: Value, for keyPath: KeyPath<C, Declared>,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) -> Value {
  DoubleStubs.register(
    double, for: keyPath, at: CodeLocation(fileID, filePath, line, column), in: function)
  return double
}

/// Registers any value as the double of a service, and returns it.
///
/// An example is `let clock = double(TestClock(), as: (any Clock<Duration>).self)`. A value of
/// another type than the service's is an issue, and not registered.
@discardableResult
public func double<Value, Service>(
  _ double: Value, as type: Service.Type, name: Resolver.Name? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, function: StaticString = #function
) -> Value {
  DoubleStubs.register(
    double, as: type, name: name, at: CodeLocation(fileID, filePath, line, column), in: function)
  return double
}

/// Returns the double of a type in the current sandbox.
///
/// It is the one that was registered with `double(_:)`, or else the one that `.solitary` made or
/// makes now. If there is none, this reports an issue and returns a new one that is not registered.
///
/// - Parameters:
///   - type: The type of the double.
///   - name: The name in requests for the service.
/// - Returns: The double.
public func double<Double: TestDouble>(
  _ type: Double.Type, name: Resolver.Name? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Double {
  let key = DoubleLedger.Key(type: ObjectIdentifier(type), name: name)
  let frames = ContextFrame.current.map { Array($0.chain) } ?? []
  // What is registered in any scope comes before what `.solitary` makes, as in resolutions.
  for frame in frames {
    if let found = frame.extra(DoubleLedger.self)?.double(key) as? Double { return found }
  }
  for frame in frames {
    if let found = frame.extra(SolitaryDoubles.self)?.double(type, name: name) { return found }
  }
  TestHooks.install()
  let isInSandbox = ContextFrame.current?.sandbox != nil
  let name = name?.rawValue.debugDescription
  let registering = "`double(\(Double.self)()\(name.map { ", name: \($0)" } ?? ""))`"
  IssueReporter.fail(
    Diagnosis(
      headline: "There is no `\(Double.self)` here\(name.map { " with the name \($0)" } ?? "")"
        + (isInSandbox ? "." : ", for there is no sandbox."),
      fixes: [
        isInSandbox
          ? "Register one: \(registering)."
          : "Add the `.sandbox` trait to the test or its suite, or use `withSandbox`, and register "
            + "the double there: \(registering).",
        "Or have doubles made for all services: `.solitary(Doubles.all)`.",
      ]
    ).text,
    at: CodeLocation(fileID, filePath, line, column))
  let double = Double()
  for (_, log) in DoubleStubs.stubs(of: double) { log.identity.wasRefused("not registered") }
  return double
}
#endif
