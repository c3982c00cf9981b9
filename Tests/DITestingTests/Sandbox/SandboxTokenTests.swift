import DIContainer
@testable import DITesting
import Testing

@Suite("A sandbox's token")
struct SandboxTokenTests {
  @Test("leads work that was started by a message to the test's doubles", .sandbox)
  func leadsToDoubles() async throws {
    Resolver.register { FakePayments("by token") as any Payments }
    let message = try #require(SandboxToken.current).description

    let label = try await Task.detached {
      try SandboxToken(message).context().run { Resolver.resolve((any Payments).self).label }
    }.value

    #expect(label == "by token")
  }

  @Test("stays the same while the scopes do, and is another's in every sandbox")
  func isStable() {
    let tokens = withSandbox {
      let outer = SandboxToken.current
      #expect(SandboxToken.current == outer)
      let inner = withSandbox { SandboxToken.current }
      #expect(inner != outer)
      return [outer, inner]
    }
    #expect(withSandbox { SandboxToken.current } != tokens[0])
  }

  @Test("stands for the layers and recorders inside the sandbox, too", .sandbox)
  func standsForInnerScopes() async throws {
    let recorder = ResolutionRecorder()
    let label = try await withLayer { layer in
      layer.register { FakePayments("layer") as any Payments }
    } operation: {
      try await withRecorder(recorder) {
        let token = try #require(SandboxToken.current)
        return try await Task.detached {
          try token.context().run { Resolver.resolve((any Payments).self).label }
        }.value
      }
    }
    #expect(label == "layer")
    #expect(recorder.resolutions(of: (any Payments).self).count == 1)
  }

  @Test("leads nowhere once its sandbox has ended, and says whose that was")
  func endsWithItsSandbox() throws {
    let line: UInt = #line + 1
    let token = try #require(withSandbox { SandboxToken.current })
    let error = #expect(throws: SandboxTokenError.self) { try token.context() }
    #expect(
      error?.description == """
        The sandbox of this token has ended.

          sandbox:  leads nowhere once its sandbox has ended, and says whose that was, at \
        DITestingTests/SandboxTokenTests.swift:\(line)

        To fix this:
          - Let the test await the work that it starts, such as the responses to its requests.
          - Take the token in the test that sends it, and keep none from an earlier test.
        """)
  }

  @Test("of a layer leads nowhere once that has ended, although its sandbox is open", .sandbox)
  func endsWithItsLayer() throws {
    let token = try #require(
      withLayer { _ in
      } operation: {
        SandboxToken.current
      })
    #expect(throws: SandboxTokenError.self) { try token.context() }
    #expect(throws: Never.self) { try SandboxToken.current?.context() }
  }

  @Test("that nobody was given leads nowhere")
  func isUnknown() {
    let error = #expect(throws: SandboxTokenError.self) { try SandboxToken("guessed").context() }
    #expect(
      error?.description == """
        No sandbox of this process has the token "guessed".

        To fix this:
          - Take the token inside a sandbox: `SandboxToken.current`.
          - Send it to the process that the test runs in: no other has its doubles.
          - Keep no token from an earlier test: those of ended sandboxes are forgotten in time.
        """)
  }

  @Test("is none where no scope is open")
  func needsAScope() {
    #expect(SandboxToken.current == nil)
  }

  @Test("keeps no sandbox alive, and nothing that it kept")
  func keepsNothing() throws {
    weak var till: Till?
    let token = withSandbox {
      Resolver.register { Till() }.scope(.cached)
      till = Resolver.resolve(Till.self)
      return SandboxToken.current
    }
    #expect(token != nil)
    #expect(till == nil)
  }

  @Test("keeps no handler of a sandbox's issues alive")
  func keepsNoHandler() {
    weak var held: Till?
    func token() -> SandboxToken? {
      let till = Till()
      held = till
      return ScopeOpener(
        .sandbox, name: "buys", location: CodeLocation(), report: { _ in _ = till }
      ).run { SandboxToken.current }
    }
    #expect(token() != nil)
    #expect(held == nil)
  }

  // The tokens are the process's.
  @Test("is unknown once a thousand later ones have ended, too")
  func isForgotten() async {
    await #expect(processExitsWith: .success) {
      let (first, open) = (withSandbox { SandboxToken.current }, Sandbox.open())
      let current = try #require(SandboxToken.current)
      for _ in 0..<1_000 { _ = withSandbox { SandboxToken.current } }
      let error = #expect(throws: SandboxTokenError.self) { try first?.context() }
      #expect(error?.description.hasPrefix("No sandbox of this process has the token") == true)
      #expect(throws: Never.self) { try current.context() }
      open.close()
    }
  }

  private final class Till: Sendable {}
}
