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
  @usableFromInline let storage: LazyStorage<Service>

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
    let location = CodeLocation(fileID, filePath, line, column)
    storage = LazyStorage(LazySource(name: name, container: container, location: location))
  }

  /// Resolves the service of a property on first use, with its factory.
  @inlinable
  public init(_from factory: @escaping () -> Factory<Service>, at location: CodeLocation) {
    storage = LazyStorage(LazySource(location: location), factory)
  }

  package init(_ source: LazySource) {
    storage = LazyStorage(source)
  }

  /// The factory in the shared container, for wrappers that refer to a property.
  package var declaredFactory: Factory<Service>? { storage.factory }

  /// The service, if it has been resolved and still exists.
  package var keptService: Service? { storage.kept?.service }

  /// Resolves the service now, even if it was resolved before.
  package func resolveAnew(_ options: FactoryResetOptions) {
    storage.keepResolved(.strong(storage.resolve(reset: options)))
  }

  /// The service, resolved on first use.
  ///
  /// Traps with a diagnosis when it cannot be resolved.
  public var wrappedValue: Service {
    @inlinable
    get { storage.use { .strong($0) }.unsafelyUnwrapped }
    nonmutating set { storage.keep(.strong(newValue)) }
  }

  /// The wrapper itself, to set the name, container and arguments of the request.
  public var projectedValue: LazyInjected<Service> {
    get { self }
    nonmutating set {
      storage.replaceSource(by: newValue.storage.source)
    }
  }

  /// Whether the service is yet to be resolved.
  public var isEmpty: Bool { storage.kept == nil }

  /// The name that the service is requested by.
  public var name: Resolver.Name? {
    get { storage.withLock { $0.source.name } }
    nonmutating set { storage.change { $0.name = newValue } }
  }

  /// The container to resolve from; the root if nil.
  public var container: Resolver? {
    get { storage.withLock { $0.source.container } }
    nonmutating set { storage.change { $0.container = newValue } }
  }

  /// The arguments that the service is requested with.
  public var args: Any? {
    get { storage.withLock { $0.source.args } }
    nonmutating set { storage.change { $0.args = newValue } }
  }

  /// Releases the service; the next use resolves it anew.
  public func release() {
    storage.keep(nil)
  }
}

extension LazyInjected: LazyDependency {
  package var laterNeed: LaterNeed? { storage.laterNeed }
}

extension LazyInjected: Sendable where Service: Sendable {}
