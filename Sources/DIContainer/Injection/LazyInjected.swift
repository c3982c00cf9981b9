/// A property that is resolved when it is first used.
///
/// Until then the name, container and arguments of the request can be set through the projected
/// value:
///
/// ```swift
/// final class PaymentDesk {
///   @LazyInjected private var gateway: any PaymentGateway
///
///   func charge(_ cents: Int, byInvoice: Bool) throws -> String {
///     $gateway.name = byInvoice ? .invoice : .card
///     return try gateway.charge(cents)
///   }
/// }
/// ```
///
/// All users share one instance: the first use resolves it while other threads wait, and copies of
/// the wrapper share it. The service's factory must therefore not wait for another thread that uses
/// the property. If it is first used in a sandbox, layer or scoped root that its owner was not
/// created in, the instance belongs to that scope and is released with it. Once the scope that its
/// owner was created in has ended, a test without a scope resolves it anew.
@frozen
@propertyWrapper
public struct LazyInjected<Service>: Resolver.InjectionWrapper {
  @usableFromInline package let storage: LazyStorage

  /// Resolves by type, from the root container at the time of first use or from a given one.
  ///
  /// - Parameters:
  ///   - name: The name that the service is registered under.
  ///   - container: The container to resolve from; the root if nil.
  @inlinable
  public init(
    name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.init(
      LazySource(
        Service.self, name: name, container: container,
        at: CodeLocation(fileID, filePath, line, column)))
  }

  /// Resolves the service of a property on first use, with its factory.
  @inlinable
  public init(_from factory: @escaping () -> Factory<Service>, at location: CodeLocation) {
    self.init(LazySource(Service.self, at: location, property: factory))
  }

  @usableFromInline
  package init(_ source: LazySource) {
    storage = LazyStorage(source)
  }

  /// The service, if it has been resolved.
  package var keptService: Service? { storage.kept?.value(as: Service.self) }

  /// The service, resolved on first use.
  ///
  /// Traps with a diagnosis when it cannot be resolved.
  public var wrappedValue: Service {
    @inlinable
    get { storage.instance().value(as: Service.self) }
    nonmutating set { storage.assign(Instance(newValue)) }
  }

  /// The wrapper itself, to set the name, container and arguments of the request.
  public var projectedValue: LazyInjected<Service> {
    get { self }
    nonmutating set {
      let source = newValue.storage.source
      storage.change { $0 = source }
    }
  }

  /// Whether the service is yet to be resolved.
  public var isEmpty: Bool { storage.kept == nil }

  /// The name that the service is requested by.
  public var name: Resolver.Name? {
    get { storage.source.name }
    nonmutating set { storage.change { $0.name = newValue } }
  }

  /// The container to resolve from; the root if nil.
  public var container: Resolver? {
    get { storage.source.container }
    nonmutating set { storage.change { $0.container = newValue } }
  }

  /// The arguments that the service is requested with.
  public var args: Any? {
    get { storage.source.args }
    nonmutating set { storage.change { $0.args = newValue } }
  }

  /// Releases the service; the next use resolves it anew.
  public func release() {
    storage.assign(nil)
  }
}

extension LazyInjected: LazyDependency {
  package var laterNeed: LaterNeed? { storage.source.laterNeed }
}

extension LazyInjected: Sendable where Service: Sendable {}
