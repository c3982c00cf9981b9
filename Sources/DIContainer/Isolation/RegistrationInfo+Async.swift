extension RegistrationInfo {
  /// Resolves the service once, wherever its factory runs, and throws if that fails.
  ///
  /// The counterpart of `check()` for containers with async factories or factories of an actor:
  ///
  /// ```swift
  /// @Test(arguments: Resolver.main.registrations.failingIfEmpty)
  /// func resolves(_ registration: RegistrationInfo) async throws {
  ///   try await registration.checkAsync()
  /// }
  /// ```
  public nonisolated(nonsending) func checkAsync(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(ResolutionError) {
    let location = CodeLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let frame = ContextFrame.current
    guard let found = Lookup.find(key.rawKey, in: resolver.core, frame),
      !found.isolation(container: resolver, frame).isAnywhere
    else {
      try check(fileID: fileID, filePath: filePath, line: line, column: column)
      return
    }
    let request = Request(
      key.type, name: key.name, property: found.registration.key.property, location: location)
    do {
      if try await AsyncRequest(request: request, args: nil, container: resolver).box() != nil {
        return
      }
    } catch {
      throw ResolutionError.known(error)
    }
    throw Resolution.failure(request, container: resolver)
  }
}
