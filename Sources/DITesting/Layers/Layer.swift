#if canImport(Testing) && canImport(XCTest)
import DIContainer

/// A layer of doubles that was pushed, and is to be popped.
public struct Layer: Sendable {
  /// The container that holds the layer's doubles; more can be registered in it.
  public var container: Resolver { frame.installed ?? Resolver.root }
  let frame: ContextFrame
  let anchor: ContextFrame?
  let pushedAt: CodeLocation
}

extension Resolver {
  /// Puts a layer of doubles on top of the root until it is popped: for `setUp` and `tearDown`.
  ///
  /// It changes the innermost enclosing scope, for all its tasks; with none around, the process.
  /// See `withLayer` for what it replaces and keeps, and prefer it where a closure can enclose the
  /// code.
  ///
  /// - Parameters:
  ///   - configure: Gets the layer, an empty container, and registers doubles in it.
  ///   - fileID: The caller's file, for reports.
  ///   - filePath: The caller's file, for reports.
  ///   - line: The caller's line, for reports.
  ///   - column: The caller's column, for reports.
  /// - Returns: The layer, to pop.
  public static func push(
    _ configure: (Resolver) throws -> Void, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) rethrows -> Layer {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let container = Resolver.layer(at: location)
    try registeringDoubles(isPreset: true) { try configure(container) }
    return LayerStack.push(.layer, container: container, at: location)
  }

  /// Puts a container on top of the root until it is popped, such as a `Resolver(child: main)`.
  ///
  /// Its own registrations win; of its children, those that the root reaches come after all layers.
  public static func push(
    _ container: Resolver, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Layer {
    LayerStack.push(
      .layer, container: container,
      at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Takes a layer off again.
  ///
  /// The caches below it are as they were.
  ///
  /// Popping a layer twice, or while another that was pushed later is still open, is an issue; in
  /// the second case those later ones are taken off too. So is popping it inside a scope that was
  /// opened after it, such as a `withLayer`: there it goes on answering until that scope ends.
  public static func pop(
    _ layer: Layer, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    LayerStack.pop(
      layer, at: CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  static func layer(at location: CodeLocation) -> Resolver {
    Resolver(core: ContainerCore(location: location, holdsDoubles: true))
  }
}
#endif
