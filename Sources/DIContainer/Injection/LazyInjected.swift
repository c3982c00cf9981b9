/// A property that is resolved when it is first used.
///
/// What the service is asked for with can be set until then, through the projected value:
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
/// All users get one instance, whichever thread is first. Copies of the wrapper share it.
@propertyWrapper
public struct LazyInjected<Service> {
  private final class Storage: Sendable {
    let state: Lock<State>

    init(_ source: LazySource<Service>) { state = Lock(State(source: source)) }
  }

  private struct State {
    var source: LazySource<Service>
    var service: Service?
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

  /// Resolves a property of the shared container: `@LazyInjected(\.payments)`.
  public init(
    _ keyPath: KeyPath<Container, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(LazySource(location: location) { Container.shared[keyPath: keyPath] })
  }

  /// Resolves a property of a shared container: `@LazyInjected(\Warehouse.stock)`.
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
    storage.state.withLock { $0.service }
  }

  /// Resolves the service now, anew if it was resolved.
  ///
  /// - Parameter options: What to take back first, for wrappers that name a property.
  public func resolve(reset options: FactoryResetOptions = .none) {
    if options != .none { factory?.reset(options) }
    keep(source.resolve())
  }

  /// The service, resolved on first use.
  ///
  /// Traps with a diagnosis when it cannot be had.
  public var wrappedValue: Service {
    get {
      if let service = storage.state.withLock({ $0.service }) { return service }
      return resolveOnce()
    }
    nonmutating set { keep(newValue) }
  }

  /// The wrapper itself, to set what the service is asked for with.
  public var projectedValue: LazyInjected<Service> {
    get { self }
    nonmutating set { change { $0 = newValue.source } }
  }

  /// Whether the service has not been resolved.
  public var isEmpty: Bool { storage.state.withLock { $0.service == nil } }

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

  /// Lets go of the service; the next use resolves anew.
  public func release() {
    keep(nil)
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
    let old = storage.state.withLock { state in
      defer { state.service = service }
      return state.service
    }
    withExtendedLifetime(old) {}
  }

  // The lock is not held while the service is resolved. Where two threads resolve at once, the
  // first to finish wins and both use its instance.
  private func resolveOnce() -> Service {
    let service = source.resolve()
    return storage.state.withLock { state in
      if let first = state.service { return first }
      state.service = service
      return service
    }
  }
}

extension LazyInjected: Sendable where Service: Sendable {}
