/// A property that is resolved at every access.
///
/// It is resolved in the current context or, where there is none, in the one that its owner was
/// created in.
///
/// ```swift
/// final class Checkout {
///   @DynamicInjected(\Warehouse.stock) var stock
/// }
/// ```
@frozen
@propertyWrapper
public struct DynamicInjected<Service> {
  // Immutable; the key path, and what it reads, are the user's.
  @usableFromInline let source: Unchecked<(LazySource, () -> Factory<Service>)>

  /// Resolves a property of the shared container: `@DynamicInjected(\.payments)`.
  @inlinable
  public init(
    _ keyPath: KeyPath<Container, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    source = Unchecked((LazySource(location: location), { Container.shared[keyPath: keyPath] }))
  }

  /// Resolves a property of a shared container: `@DynamicInjected(\Warehouse.stock)`.
  @inlinable
  public init<C: SharedContainer>(
    _ keyPath: KeyPath<C, Factory<Service>>, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    source = Unchecked((LazySource(location: location), { C.shared[keyPath: keyPath] }))
  }

  /// The service, resolved anew.
  ///
  /// Traps with a diagnosis when it cannot be resolved.
  @inlinable
  public var wrappedValue: Service { source.value.0.resolve(source.value.1) }

  /// The factory in the shared container.
  ///
  /// A call to it resolves in the context of the call, as with every factory.
  public var projectedValue: Factory<Service> {
    source.value.0.inContext(source.value.1)
  }
}

extension DynamicInjected: Sendable where Service: Sendable {}
