import Testing

@testable import DIContainer

private final class Tea: Sendable {}

@Suite("The build of a task")
struct AsyncBuildTests {
  private let keeper = Unchecked(Keeper(.cached, Tea.self))

  /// Waits for the keeper's build; returns whether that ended for the request.
  @Sendable private func awaitBuild(
    _ whenBegun: @Sendable (Unchecked<AsyncBuild>) -> Void
  ) async throws -> Bool {
    let request = Request(
      Tea.self, name: nil,
      location: CodeLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column))
    do {
      _ = try await keeper.value.awaitBuild(
        for: request, .process, ignoresCancellation: false, cancelsWithLastWaiter: false
      ) { whenBegun(Unchecked($0)) }
      return true
    } catch is AsyncBuild.NotBegun {
      return false
    }
  }

  @Test("is left by those who joined it, if its registration had been replaced when it began")
  func disowned() async throws {
    let begun = Lock<Unchecked<AsyncBuild>?>(nil)
    let first = Task { try await awaitBuild { build in begun.withLock { $0 = build } } }
    await until { begun.withLock { $0 != nil } }
    let other = Task { try await awaitBuild { _ in Issue.record("It is another build.") } }
    await until { keeper.value.waitingTasks == 2 }
    let build = begun.withLock { $0! }.value
    build.disown()
    build.start { (StrongBox(Tea()), true) }
    #expect(try await first.value)
    #expect(try await !other.value)
  }
}
