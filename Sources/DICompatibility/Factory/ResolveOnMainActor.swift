// Factory's vocabulary for a request on the main actor, which `await` reaches from elsewhere.

extension Factory where T: Sendable {
  /// Returns the instance, resolved on the main actor, or traps with a diagnosis.
  @MainActor
  public func resolveOnMainActor(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) -> T {
    resolve(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension ParameterFactory where P: Sendable, T: Sendable {
  /// Returns the instance for a parameter, resolved on the main actor.
  @MainActor
  public func resolveOnMainActor(
    _ parameters: P, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> T {
    resolve(parameters, fileID: fileID, filePath: filePath, line: line, column: column)
  }

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
}
