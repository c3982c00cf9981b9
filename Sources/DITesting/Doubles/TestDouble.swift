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
/// Its stubs are its stored properties. Other variables that it has are not read.
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

private protocol OptionalStub {}
extension Optional: OptionalStub where Wrapped: StubProtocol {}

/// Operations on doubles of any type.
enum DoubleStubs {
  /// Returns the stubs of a double, with the names of the properties.
  static func stubs(of double: Any) -> [(label: String?, log: any AnyStubLog)] {
    if let stub = log(of: double) { return [(nil, stub)] }
    let mirror = Mirror(reflecting: double)
    if mirror.displayStyle == .optional { return mirror.children.flatMap { stubs(of: $0.value) } }
    let hasOwnMirror = double is any CustomReflectable
    var found: [(label: String?, log: any AnyStubLog)] = []
    var index = 0
    // The runtime counts properties from those of the outermost superclass on.
    for level in Array(sequence(first: mirror, next: \.superclassMirror)).reversed() {
      for place in level.children.indices {
        defer { index += 1 }
        // A mirror reads a value when it is asked for the child.
        guard hasOwnMirror || mayBeRead(index, of: mirror) else { continue }
        let child = level.children[place]
        if let log = log(of: child.value) { found.append((child.label, log)) }
      }
    }
    return found
  }

  /// Whether a property of a double may be read: it is immutable, or declared as a stub.
  ///
  /// Other variables may be isolated, and change meanwhile.
  private static func mayBeRead(_ index: Int, of double: Mirror) -> Bool {
    guard double.displayStyle == .class || double.displayStyle == .struct,
      let property = StoredProperty(index, of: double.subjectType), property.isVariable
    else { return true }
    return property.type is any StubProtocol.Type || property.type is any OptionalStub.Type
  }

  private static func log(of value: Any) -> (any AnyStubLog)? {
    (value as? any StubProtocol).map { log(of: $0) }
  }

  static func log(of stub: some StubProtocol) -> any AnyStubLog { stub.log }

  /// Makes a double part of the current sandbox, as the double of a service.
  static func bind<Double: TestDouble>(
    _ double: Double, to service: ServiceKey, at location: CodeLocation?
  ) {
    for (label, log) in stubs(of: double) {
      log.adopt(label.map { "\(Double.self).\($0)" }, service, at: location)
    }
    for recorder in ContextFrame.current?.resolutionRecorders ?? [] {
      recorder.note(DoubleRegistration(service, at: location))
    }
  }

  static func register<C: SharedContainer, Double: TestDouble, Declared: FactoryModifying>(
    _ double: Double, for keyPath: KeyPath<C, Declared>, at location: CodeLocation
  ) where Declared.T == Double.Doubled {
    register(double, as: C.shared[keyPath: keyPath]._registration.serviceKey, at: location)
    Resolver.root.double(keyPath, { _ in Double.asDoubled(double) }, at: location)
  }

  /// Registers a double in the current sandbox's ledger.
  static func register<Double: TestDouble>(
    _ double: Double, as service: ServiceKey, at location: CodeLocation
  ) {
    bind(double, to: service, at: location)
    DoubleLedger.current().keep(
      double, as: DoubleLedger.Key(type: ObjectIdentifier(Double.self), name: service.name))
  }
}
#endif
