// Several parameters form a tuple. These functions take its elements separately:
// `shop.order(7, "Ada")`. A tuple with labels is another type, and is passed as a whole:
// `shop.order((id: 7, name: "Ada"))`.

extension ParameterFactory {
  /// Returns the instance for several parameters, or traps with a diagnosis when it cannot be
  /// resolved.
  public func callAsFunction<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for several parameters; an alias for calling the factory.
  public func resolve<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for several parameters, or throws a diagnosis when there is none.
  public func require<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws(ResolutionError) -> T where P == (First, Second, repeat each Other) {
    try require(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension ParameterFactory where P: Sendable, T: Sendable {
  /// Returns the instance for several parameters, resolved on the main actor.
  @MainActor
  public func resolveOnMainActor<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// Returns the instance for several parameters, resolved on an actor.
  public func resolveOnGlobalActor<First, Second, each Other>(
    _ isolation: isolated any Actor, parameters first: First, _ second: Second,
    _ others: repeat each Other, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
