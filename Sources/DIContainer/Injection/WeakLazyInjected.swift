/// A property that is resolved when it is first used, and not kept alive.
///
/// Once the instance is gone the property is nil; it is not resolved again, unless `release()`
/// was called. Use it for the way back in a pair of services that refer to each other.
@frozen
@propertyWrapper
public struct WeakLazyInjected<Service> {
  /// The instance while somebody holds it; there is no box for a value, which nobody can hold.
  @usableFromInline
  struct Kept {
    let box: WeakBox?

    @usableFromInline
    init(_ service: Service?) { box = service.flatMap { WeakBox.make($0) } }

    @usableFromInline
    var service: Service? { box?.value(as: Service.self) }
  }

  @usableFromInline let storage: LazyStorage<Service, Kept>

  /// Resolves by type, from the root at the time of first use or from a container.
  ///
  /// - Parameters:
  ///   - name: The name that the service is registered under.
  ///   - container: The container to ask; the root if nil.
  ///   - fileID: The property's file, for diagnoses.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  @inlinable
  public init(
    name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(name: name, container: container, location: location))
  }

  /// Resolves a property of the shared container: `@WeakLazyInjected(\.payments)`.
  @inlinable
  public init(
    _ keyPath: KeyPath<Container, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(location: location)) { Container.shared[keyPath: keyPath] }
  }

  /// Resolves a property of a shared container: `@WeakLazyInjected(\Warehouse.stock)`.
  @inlinable
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    storage = LazyStorage(LazySource(location: location)) { C.shared[keyPath: keyPath] }
  }

  init(_ source: LazySource) {
    storage = LazyStorage(source)
  }

  /// The factory in the shared container, for wrappers that name a property.
  public var factory: Factory<Service>? { storage.factory }

  /// The service if it has been resolved.
  public func resolvedOrNil() -> Service? { storage.kept?.service }

  /// Resolves the service now, again if it was resolved before.
  ///
  /// - Parameter options: What to reset first, for wrappers that name a property.
  public func resolve(reset options: FactoryResetOptions = .none) {
    storage.keepResolved(Kept(storage.resolve(reset: options)))
  }

  /// The service while somebody else holds it.
  ///
  /// Traps with a diagnosis when it cannot be had.
  public var wrappedValue: Service? {
    @inlinable
    get {
      switch storage.use({ Kept($0) }) {
      case .kept(let kept): return kept.service
      case .made(let service): return service
      }
    }
    nonmutating set { storage.keep(Kept(newValue)) }
  }

  /// The wrapper itself, to set the name, container and arguments of the request.
  public var projectedValue: WeakLazyInjected<Service> {
    get { self }
    nonmutating set {
      storage.adopt(newValue.storage.source)
    }
  }

  /// Whether there is no instance: it was not resolved, or is gone.
  public var isEmpty: Bool { storage.kept?.box?.evidence == nil }

  /// The name that the service is requested by.
  public var name: Resolver.Name? {
    get { storage.withLock { $0.source.name } }
    nonmutating set { storage.change { $0.name = newValue } }
  }

  /// The container that is asked; the root if nil.
  public var container: Resolver? {
    get { storage.withLock { $0.source.container } }
    nonmutating set { storage.change { $0.container = newValue } }
  }

  /// The arguments that the service is requested with.
  public var args: Any? {
    get { storage.withLock { $0.source.args } }
    nonmutating set { storage.change { $0.args = newValue } }
  }

  /// Forgets the instance; the next use resolves anew.
  public func release() {
    storage.keep(nil)
  }
}

extension WeakLazyInjected: Sendable where Service: Sendable {}
