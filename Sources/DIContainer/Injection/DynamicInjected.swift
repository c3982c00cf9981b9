/// A property that is resolved at every access.
///
/// The current context answers; where there is none, the one that its owner was made in.
@propertyWrapper
public struct DynamicInjected<Service> {
  // Immutable; the key path, and what it reads, are the user's.
  private let source: Unchecked<LazySource<Service>>

  /// Resolves a property of the shared container: `@DynamicInjected(\.payments)`.
  public init(
    _ keyPath: KeyPath<Container, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    source = Unchecked(LazySource(location: location) { Container.shared[keyPath: keyPath] })
  }

  /// Resolves a property of a shared container: `@DynamicInjected(\Warehouse.stock)`.
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    source = Unchecked(LazySource(location: location) { C.shared[keyPath: keyPath] })
  }

  /// The service, resolved anew.
  ///
  /// Traps with a diagnosis when it cannot be had.
  public var wrappedValue: Service { source.value.resolve() }

  /// The factory in the shared container.
  ///
  /// It is the caller's: calling it asks the context of the call, as with every factory.
  public var projectedValue: Factory<Service> {
    source.value.inContext { source.value.factory!.value() }
  }
}

extension DynamicInjected: Sendable where Service: Sendable {}
