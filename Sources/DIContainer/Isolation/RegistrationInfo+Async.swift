extension RegistrationInfo {
  /// Resolves the service once, wherever its factory runs, and throws if that fails.
  ///
  /// The counterpart of `check()` for containers with async factories or factories of an actor.
  /// Such a factory is not run if it takes arguments, because only the program knows what to pass.
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
    let location = CodeLocation(fileID, filePath, line, column)
    let frame = ContextFrame.current
    guard
      let maker = Lookup.find(key, in: resolver.core, frame)?.making?.maker,
      maker.isolation != .anywhere
    else {
      try check(fileID: fileID, filePath: filePath, line: line, column: column)
      return
    }
    // If it reads an argument plainly, it traps, and its thread could not be abandoned.
    if maker.details.takesArguments { return }
    let request = Request(key, location: location)
    let failure: ResolutionError
    do {
      if try await AsyncRequest(request: request, args: nil, container: resolver)
        .resolved() != nil
      {
        return
      }
      failure = Resolution.failure(request, container: resolver)
    } catch {
      failure = ResolutionError.known(error)
    }
    if let failure = unexcused(failure) { throw failure }
  }
}
