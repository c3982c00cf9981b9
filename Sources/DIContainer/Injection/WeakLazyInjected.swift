/// A property that is resolved when it is first used, and holds its instance weakly.
///
/// Once the instance is deallocated the property is nil. It is not resolved again unless
/// `release()` is called. Use it for the back reference of two services that refer to each other.
@frozen
@propertyWrapper
public struct WeakLazyInjected<Service>: Resolver.InjectionWrapper {
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

  /// The service, if it has been resolved and still exists.
  package var keptService: Service? { storage.kept.flatMap(Self.service) }

  /// Returns the service of an instance in the form in which it is kept.
  @inlinable
  static func service(_ kept: Instance) -> Service? {
    kept.value(as: KeptInstance?.self)?.value(as: Service.self)
  }

  /// The service, while something else holds it.
  ///
  /// Traps with a diagnosis when it cannot be resolved.
  public var wrappedValue: Service? {
    @inlinable
    get {
      // At the first use, nothing else may hold the instance until it is returned.
      var made: Instance?
      let kept = storage.instance {
        made = $0
        return LazyStorage.weakly($0)
      }
      return withExtendedLifetime(made) { Self.service(kept) }
    }
    nonmutating set { storage.assign(LazyStorage.weakly(Instance(newValue))) }
  }

  /// The wrapper itself, to set the name, container and arguments of the request.
  public var projectedValue: WeakLazyInjected<Service> {
    get { self }
    nonmutating set {
      let source = newValue.storage.source
      storage.change { $0 = source }
    }
  }

  /// Whether there is no instance: it was not resolved, or has been deallocated.
  public var isEmpty: Bool { keptService == nil }

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

  /// Releases the instance; the next use resolves it anew.
  public func release() {
    storage.assign(nil)
  }
}

extension WeakLazyInjected: LazyDependency {
  package var laterNeed: LaterNeed? { storage.source.laterNeed }
}

extension WeakLazyInjected: Sendable where Service: Sendable {}
