/// A property that is resolved when it is first used, and not kept alive.
///
/// Once the instance is gone the property is nil; it is not resolved again, unless `release()`
/// was called. Use it for the way back in a pair of services that refer to each other.
@propertyWrapper
public struct WeakLazyInjected<Service> {
  private final class Storage: Sendable {
    let state: Lock<State>

    init(_ source: LazySource<Service>) { state = Lock(State(source: source)) }
  }

  private struct State {
    var source: LazySource<Service>
    var isResolved = false
    var instance: WeakBox?
  }

  private let storage: Storage

  /// Resolves by type, from the root at the time of first use or from a container.
  ///
  /// - Parameters:
  ///   - name: The name that the service is registered under.
  ///   - container: The container to ask; the root if nil.
  ///   - fileID: The property's file, for diagnoses.
  ///   - filePath: The property's file, for diagnoses.
  ///   - line: The property's line, for diagnoses.
  ///   - column: The property's column, for diagnoses.
  public init(
    name: Resolver.Name? = nil, container: Resolver? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(LazySource(name: name, container: container, location: location))
  }

  /// Resolves a property of the shared container: `@WeakLazyInjected(\.payments)`.
  public init(
    _ keyPath: KeyPath<Container, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(LazySource(location: location) { Container.shared[keyPath: keyPath] })
  }

  /// Resolves a property of a shared container: `@WeakLazyInjected(\Warehouse.stock)`.
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(LazySource(location: location) { C.shared[keyPath: keyPath] })
  }

  init(_ source: LazySource<Service>) {
    storage = Storage(source)
  }

  /// The factory in the shared container, for wrappers that name a property.
  public var factory: Factory<Service>? { source.inContext { source.factory?.value() } }

  /// The service if it has been resolved.
  public func resolvedOrNil() -> Service? {
    storage.state.withLock { $0.instance }?.value(as: Service.self)
  }

  /// Resolves the service now, anew if it was resolved.
  ///
  /// - Parameter options: What to take back first, for wrappers that name a property.
  public func resolve(reset options: FactoryResetOptions = .none) {
    if options != .none { factory?.reset(options) }
    keep(source.resolve())
  }

  /// The service while somebody else holds it.
  ///
  /// Traps with a diagnosis when it cannot be had.
  public var wrappedValue: Service? {
    get {
      let (isResolved, instance) = storage.state.withLock { ($0.isResolved, $0.instance) }
      if isResolved { return instance?.value(as: Service.self) }
      let service = source.resolve()
      keep(service)
      return service
    }
    nonmutating set { keep(newValue) }
  }

  /// The wrapper itself, to set what the service is asked for with.
  public var projectedValue: WeakLazyInjected<Service> {
    get { self }
    nonmutating set { change { $0 = newValue.source } }
  }

  /// Whether there is no instance: it was not resolved, or is gone.
  public var isEmpty: Bool {
    let instance = storage.state.withLock { $0.instance }
    return instance?.evidence == nil
  }

  /// The name that the service is asked for with.
  public var name: Resolver.Name? {
    get { source.name }
    nonmutating set { change { $0.name = newValue } }
  }

  /// The container that is asked; the root if nil.
  public var container: Resolver? {
    get { source.container }
    nonmutating set { change { $0.container = newValue } }
  }

  /// The arguments that the service is asked for with.
  public var args: Any? {
    get { source.args }
    nonmutating set { change { $0.args = newValue } }
  }

  /// Forgets the instance; the next use resolves anew.
  public func release() {
    storage.state.withLock { state in
      state.isResolved = false
      state.instance = nil
    }
  }

  private var source: LazySource<Service> { storage.state.withLock { $0.source } }

  // What the old source held goes with no lock held.
  private func change(_ change: (inout LazySource<Service>) -> Void) {
    let old = storage.state.withLock { state in
      let old = state.source
      change(&state.source)
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func keep(_ service: Service?) {
    let instance = service.flatMap { service in
      WeakBox.make(service)
    }
    storage.state.withLock { state in
      state.isResolved = true
      state.instance = instance
    }
  }
}

extension WeakLazyInjected: Sendable where Service: Sendable {}
