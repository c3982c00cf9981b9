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
    for (_, log) in DoubleStubs.stubs(of: self) { log.becomeLenient() }
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
  static func bind<Double: TestDouble>(
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

  static func register<C: SharedContainer, Double: TestDouble, Declared: FactoryModifying>(
    _ double: Double, for keyPath: KeyPath<C, Declared>, at location: CodeLocation,
    asService: @escaping (Double) -> Declared.T
  ) {
    register(double, as: C.shared[keyPath: keyPath]._registration.serviceKey, at: location)
    Resolver.root.double(keyPath, { _ in asService(double) }, at: location)
  }

  /// Registers a double in the current sandbox's ledger.
  static func register<Double: TestDouble>(
    _ double: Double, as service: ServiceKey, at location: CodeLocation
  ) {
    let stubs = bind(double, to: service, at: location)
    DoubleLedger.current().keep(
      KnownDouble(double: double, stubs: stubs, location: location),
      as: DoubleLedger.Key(type: ObjectIdentifier(Double.self), name: service.name))
  }
}
#endif
