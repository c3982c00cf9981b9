#if canImport(Testing) && canImport(XCTest)
public import DIContainer

extension Resolver {
  /// Pushes a layer of doubles on top of the root, until it is popped: for `setUp` and `tearDown`.
  ///
  /// ```swift
  /// let layer = Resolver.push { $0.register { FakeGateway() as any PaymentGateway } }
  /// defer { Resolver.pop(layer) }
  /// ```
  ///
  /// It applies to the innermost enclosing scope with all its tasks, or, outside every scope, to
  /// the process. See `withLayer` for the state that it replaces and keeps, and prefer that
  /// function where a closure can enclose the code.
  ///
  /// - Parameter configure: Receives the layer, an empty container, and registers doubles in it.
  /// - Returns: The layer, to pop.
  public static func push(
    _ configure: (Resolver) throws -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) rethrows -> Layer {
    let location = CodeLocation(fileID, filePath, line, column)
    let container = Resolver.layer(at: location)
    try registeringDoubles { try configure(container) }
    return LayerStack.push(.layer, container: container, at: location)
  }

  /// Pushes a container on top of the root, until it is popped, such as a `Resolver(child: main)`.
  ///
  /// Its own registrations take precedence. Of its nested containers, those that the root reaches
  /// come after all layers.
  ///
  /// - Parameter container: The container to push.
  /// - Returns: The layer, to pop.
  public static func push(
    _ container: Resolver, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Layer {
    LayerStack.push(.layer, container: container, at: CodeLocation(fileID, filePath, line, column))
  }

  /// Pops a layer.
  ///
  /// The caches below it are as they were before. It is an issue to pop a layer twice, or while
  /// another one that was pushed later is still open; the later ones are popped too. It is also an
  /// issue to pop it inside a scope that was opened after it, such as a `withLayer`: there it
  /// continues to apply until that scope ends.
  ///
  /// - Parameter layer: The layer to pop.
  public static func pop(
    _ layer: Layer, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    LayerStack.pop(layer, at: CodeLocation(fileID, filePath, line, column))
  }
}
#endif
