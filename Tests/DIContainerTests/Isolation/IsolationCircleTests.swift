import DICompatibility
import DIContainer
import Testing

// Sendable: one task uses them at a time.
private final class Retrier: @unchecked Sendable {
  var session: Session?
}
private final class Session: @unchecked Sendable {
  let retrier: Retrier?
  init(retrier: Retrier?) { self.retrier = retrier }
}
private struct Screen: Sendable {
  let session: Session
  let wasClosed: Bool
}

@Suite("Isolation: a property that closes a circle")
struct IsolationCircleTests {
  private let here = "DIContainerTests/IsolationCircleTests.swift"
  private let shop = Resolver()

  @Test("is set at once in a service that an async factory makes")
  func atOnce() async throws {
    shop.registerAsync(Retrier.self, factory: { Retrier() })
      .injection(cycle: true) { $0.session = $1 }.scope(.cached)
    shop.register { Session(retrier: nil) }
    shop.registerAsync(Screen.self) { r in
      let retrier = try await r.requireAsync(Retrier.self)
      return Screen(session: Session(retrier: retrier), wasClosed: retrier.session != nil)
    }
    #expect(try await shop.requireAsync(Screen.self).wasClosed)
  }

  @Test("is an error where it needs an async service that is being made, and can be tried again")
  func circleOfAsyncFactories() async throws {
    let line = #line
    shop.registerAsync(Retrier.self, factory: { Retrier() })
      .injection(cycle: true, \.session).scope(.cached)
    shop.registerAsync(
      Session.self, factory: { r in Session(retrier: try await r.requireAsync()) }
    ).scope(.cached)
    let error = await #expect(throws: ResolutionError.self) {
      _ = try await shop.requireAsync(Session.self)
    }
    #expect(
      error?.description == """
        `Session` needs itself.

          chain:      Session → Retrier → Session
          from:       \(here):\(line + 6)
          requested:  \(here):\(line + 2)

        To fix this:
          - Let one of them resolve later: give it a closure, \
        `{ try await Resolver.root.requireAsync(Session.self) }` (a lazy wrapper cannot wait).
          - Or give it the other one once both exist, where they are needed.
        """)
    shop.registerAsync(Retrier.self, factory: { Retrier() }).scope(.cached)
    let session = try await shop.requireAsync(Session.self)
    #expect(try await shop.requireAsync(Retrier.self) === session.retrier)
  }

  @Test("is set before a request of an async factory returns, in services that are not async")
  func inAsyncFactory() async throws {
    shop.register(Retrier.init).injection(cycle: true, \.session).scope(.cached)
    shop.register { r in Session(retrier: try r.require()) }.scope(.cached)
    shop.registerAsync(Screen.self) { r in
      let session = try await r.requireAsync(Session.self)
      return Screen(session: session, wasClosed: session.retrier?.session === session)
    }
    #expect(try await shop.requireAsync(Screen.self).wasClosed)
  }
}
