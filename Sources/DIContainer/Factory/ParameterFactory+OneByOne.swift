// Several parameters are a tuple. These take its elements one by one: `shop.order(7, "Ada")`. A
// tuple with labels is another type, and is passed as one: `shop.order((id: 7, name: "Ada"))`.

extension ParameterFactory {
  /// The instance for several parameters; traps with a diagnosis when it cannot be had.
  public func callAsFunction<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The instance for several parameters; the same as calling the factory.
  public func resolve<First, Second, each Other>(
    _ first: First, _ second: Second, _ others: repeat each Other,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T where P == (First, Second, repeat each Other) {
    callAsFunction(
      (first, second, repeat each others), fileID: fileID, filePath: filePath, line: line,
      column: column)
  }

  /// The instance for several parameters, or an error that says why there is none.
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
  /// The instance for several parameters, resolved on the main actor.
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

  /// The instance for several parameters, resolved on an actor.
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
