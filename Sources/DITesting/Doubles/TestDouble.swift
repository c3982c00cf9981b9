#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A double of a protocol, as written by `swift package doubles`.
///
/// ```swift
/// final class GatewayDouble: PaymentGateway, TestDouble {
///   static func asDoubled(_ double: GatewayDouble) -> any PaymentGateway { double }
///   let charge = Stub<Int, String, any Error>("PaymentGateway.charge(_:)")
///   func charge(_ cents: Int) throws -> String { try charge.call(cents) }
/// }
/// ```
///
/// Its stubs are its stored properties, which are read when it is registered or made for a test.
public protocol TestDouble: SendableMetatype {
  /// The service that it replaces, such as `any PaymentGateway`.
  associatedtype Doubled

  /// Creates the double.
  init()

  /// Returns a double as the service that it replaces.
  static func asDoubled(_ double: Self) -> Doubled
}

extension TestDouble {
  /// Allows calls without a stubbed result, and stubbed results without a call.
  ///
  /// - Returns: The double: `double(PaymentGatewayDouble().lenient())`.
  @discardableResult
  public func lenient() -> Self {
    for (_, log) in DoubleStubs.stubs(of: self) { log.identity.becomeLenient() }
    return self
  }
}

/// Operations on doubles of any type.
enum DoubleStubs {
  /// Returns the stubs of a double, with the names of the properties.
  ///
  /// Those of a double that is registered, or was made for a test, are known: its properties are
  /// read only then, because isolated ones may change while it is used.
  static func stubs(of double: Any) -> [NamedStubLog] {
    if let stub = log(of: double) { return [(nil, stub)] }
    if let known = ContextFrame.knownStubs(of: double) { return known }
    let mirror = Mirror(reflecting: double)
    if mirror.displayStyle == .optional { return mirror.children.flatMap { stubs(of: $0.value) } }
    return sequence(first: mirror, next: \.superclassMirror)
      .flatMap(\.children)
      .compactMap { child in log(of: child.value).map { (child.label, $0) } }
  }

  private static func log(of value: Any) -> (any AnyStubLog)? {
    (value as? any StubProtocol).map { log(of: $0) }
  }

  static func log(of stub: some StubProtocol) -> any AnyStubLog { stub.log }

  /// Makes a double part of the current sandbox, as the double of a service.
  ///
  /// - Returns: Its stubs.
  static func bind<Double>(
    _ double: Double, to service: ServiceKey, at location: CodeLocation?
  ) -> [NamedStubLog] {
    let stubs = stubs(of: double)
    for (label, log) in stubs {
      log.adopt(label.map { "\(Double.self).\($0)" }, service, at: location)
    }
    for recorder in ContextFrame.current?.resolutionRecorders ?? [] {
      recorder.note(DoubleRegistration(service, at: location))
    }
    return stubs
  }

  // MARK: Registering

  static func register<C: SharedContainer, Value, Declared: FactoryModifying>(
    _ value: Value, for keyPath: KeyPath<C, Declared>, at location: CodeLocation,
    in function: StaticString
  ) {
    let key = C.shared[keyPath: keyPath]._registration.serviceKey
    guard let make = factory(value, of: Declared.T.self, key, at: location, in: function) else {
      return
    }
    Resolver.root.double(keyPath, { _ in make() }, at: location)
  }

  static func register<Value, Service>(
    _ value: Value, as type: Service.Type, name: Resolver.Name?, at location: CodeLocation,
    in function: StaticString
  ) {
    let key = ServiceKey(type, name: name)
    guard let make = factory(value, of: type, key, at: location, in: function) else { return }
    Resolver.root.register(
      type, name: name, fileID: location.staticFileID, filePath: location.staticFilePath,
      line: location.line, column: location.column
    ) { make() }
  }

  /// Registers a double in the current sandbox's ledger, and returns the factory of the service.
  ///
  /// A value that is none of the service's type is an issue.
  private static func factory<Value, Service>(
    _ value: Value, of type: Service.Type, _ key: ServiceKey, at location: CodeLocation,
    in function: StaticString
  ) -> (() -> Service)? {
    guard let service = service(value, type) else {
      TestHooks.install()
      let reason = "`\(Value.self)` is no `\(key)`"
      for (_, log) in stubs(of: value) {
        log.identity.wasRefused("refused at \(location): \(reason)")
      }
      IssueReporter.fail(
        Diagnosis(
          headline: "\(reason), so it was not registered.",
          facts: [("registered:", "\(location)")],
          fixes: ["Register a value of the type `\(Service.self)`."]
        ).text, at: location)
      return nil
    }
    let stubs = bind(value, to: key, at: location)
    let frame = ContextFrame.current
    (frame?.sandbox ?? frame)?.withNotes { $0.testDoubles[location] = function.description }
    DoubleLedger.current().keep(
      KnownDouble(double: value, stubs: stubs),
      as: DoubleLedger.Key(type: ObjectIdentifier(Value.self), name: key.name))
    let identities = stubs.map(\.log.identity)
    return {
      let request = Chain.currentLinks.last?.location
      for identity in identities { identity.wasReturned(at: request) }
      return service
    }
  }

  private static func service<Value, Service>(_ value: Value, _ type: Service.Type) -> Service? {
    func doubled<Double: TestDouble>(_ double: Double) -> Service? {
      Double.asDoubled(double) as? Service
    }
    if let double = value as? any TestDouble, let service = doubled(double) { return service }
    return value as? Service
  }
}
#endif
