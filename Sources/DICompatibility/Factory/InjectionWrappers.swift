public import DIContainer

// What Factory's property wrappers offer besides the service.

extension Injected {
  /// The factory in the shared container, for wrappers that refer to a property.
  public var factory: Factory<Service>? { source?.value() }

  /// Resolves the service anew, if the wrapper refers to a property.
  ///
  /// A wrapper that resolves by type keeps its service.
  ///
  /// - Parameter options: The state to reset first.
  public mutating func resolve(
    reset options: FactoryResetOptions = .none, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    guard let factory else { return }
    service = factory.reset(options).resolve(
      fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension LazyInjected {
  /// The factory in the shared container, for wrappers that refer to a property.
  public var factory: Factory<Service>? { storage.source.factory() }

  /// Returns the service if it has been resolved.
  public func resolvedOrNil() -> Service? { keptService }

  /// Resolves the service now, even if it was resolved before.
  ///
  /// - Parameter options: The state to reset first, for wrappers that refer to a property.
  public func resolve(reset options: FactoryResetOptions = .none) {
    if options != .none { storage.source.inContext { _ = factory?.reset(options) } }
    storage.resolveAnew()
  }
}

extension WeakLazyInjected {
  /// The factory in the shared container, for wrappers that refer to a property.
  public var factory: Factory<Service>? { storage.source.factory() }

  /// Returns the service if it has been resolved and still exists.
  public func resolvedOrNil() -> Service? { keptService }

  /// Resolves the service now, even if it was resolved before.
  ///
  /// - Parameter options: The state to reset first, for wrappers that refer to a property.
  public func resolve(reset options: FactoryResetOptions = .none) {
    if options != .none { storage.source.inContext { _ = factory?.reset(options) } }
    storage.resolveAnew(LazyStorage.weakly)
  }
}

/// A property that is resolved by type when its owner is created, or nil if nothing is registered.
@propertyWrapper
public struct InjectedType<Service> {
  private var service: Service?

  /// Resolves the service from the shared container, or from a given one.
  ///
  /// - Parameter container: The container to resolve from; the shared one if nil.
  public init(
    _ container: (any ManagedContainer)? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let container: any ManagedContainer = container ?? Container.shared
    service = container.resolve(
      Service.self, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The service, if something is registered for its type.
  public var wrappedValue: Service? {
    get { service }
    set { service = newValue }
  }
}

extension InjectedType: Sendable where Service: Sendable {}

/// A property that holds a shared container.
@propertyWrapper
public struct InjectedContainer<C: SharedContainer>: Sendable {
  private let container: C

  /// Creates a property that holds the shared `Container`.
  public init() where C == Container {
    container = Container.shared
  }

  /// Creates a property that holds the shared container of a type.
  public init(_ type: C.Type) {
    container = C.shared
  }

  /// The container.
  public var wrappedValue: C { container }

  /// Resets the container's registrations and the instances that it keeps.
  ///
  /// - Parameter options: The state to reset.
  public func reset(
    options: FactoryResetOptions = .all, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    container.manager.reset(
      options: options, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
