/// A property that is resolved when it is first used, and holds its instance weakly.
///
/// Once the instance is deallocated the property is nil. It is not resolved again unless
/// `release()` is called. Use it for the back reference of two services that refer to each other.
@frozen
@propertyWrapper
public struct WeakLazyInjected<Service>: Resolver.InjectionWrapper {
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
    storage.keepResolved(.weakly(storage.resolve(reset: options)))
  }

  /// The service, while something else holds it.
  ///
  /// Traps with a diagnosis when it cannot be resolved.
  public var wrappedValue: Service? {
    @inlinable
    get { storage.use { .weakly($0) } }
    nonmutating set { storage.keep(.weakly(newValue)) }
  }

  /// The wrapper itself, to set the name, container and arguments of the request.
  public var projectedValue: WeakLazyInjected<Service> {
    get { self }
    nonmutating set {
      storage.replaceSource(by: newValue.storage.source)
    }
  }

  /// Whether there is no instance: it was not resolved, or has been deallocated.
  public var isEmpty: Bool { storage.kept?.service == nil }

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

  /// Releases the instance; the next use resolves it anew.
  public func release() {
    storage.keep(nil)
  }
}

extension WeakLazyInjected: LazyDependency {
  package var laterNeed: LaterNeed? { storage.laterNeed }
}

extension WeakLazyInjected: Sendable where Service: Sendable {}
